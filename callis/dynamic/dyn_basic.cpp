// SPDX-License-Identifier: Apache-2.0
// insert_ and get_ (CORBA 3.3 part 1, 9.2.3.9 and 9.2.3.10): of this DynAny where its type is a basic one, else of
// its current component.
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/handlers.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>
#include <callis/value/link.h>
#include <cwchar>

namespace callis::dynamic {

using marshal::SequenceHeader;

Node& Node::meant() {
  (void)memory();
  if (!has_components()) return *this;
  if (position_ < 0 || static_cast<CORBA::ULong>(position_) >= count()) invalid_value();
  return *component(static_cast<CORBA::ULong>(position_));
}

Node& Node::basic(CORBA::TCKind kind) {
  Node& at = meant();
  if (at.kind_ != kind) type_mismatch();
  return at;
}

void Node::store(const void* scalar, std::size_t size) {
  void* const to = memory();
  if (parent_ && parent_->stores(index_, scalar)) return;
  std::memcpy(to, scalar, size);
}

template <class T>
void Node::put(CORBA::TCKind kind, T value) {
  basic(kind).store(&value, sizeof value);
}
template <class T>
T Node::get(CORBA::TCKind kind) {
  T value;
  std::memcpy(&value, basic(kind).memory(), sizeof value);
  return value;
}

// The sequence or array of such elements that is meant.
Node& Node::row(CORBA::TCKind kind) {
  (void)memory();
  const auto is_row = [kind](const Node& n) {
    if (n.kind_ != CORBA::tk_sequence && n.kind_ != CORBA::tk_array) return false;
    const CORBA::TypeCode_var element = n.real_->content_type();
    return typecode::type_behind(*element.in())->kind() == kind;
  };
  if (is_row(*this)) return *this;
  if (!has_components()) type_mismatch();
  if (position_ < 0 || static_cast<CORBA::ULong>(position_) >= count()) invalid_value();
  Node& at = *component(static_cast<CORBA::ULong>(position_));
  if (!is_row(at)) type_mismatch();
  return at;
}

template <class Seq>
void Node::put_sequence(CORBA::TCKind kind, const Seq& value) {
  Node& at = row(kind);
  const CORBA::ULong bound = at.real_->length();
  const bool array = at.kind_ == CORBA::tk_array;
  if (array ? value.length() != bound : bound != 0 && value.length() > bound) invalid_value();
  constexpr std::size_t size = sizeof(*value.get_buffer());
  void* to = at.memory();
  if (!array) {
    void* const buffer = marshal::buffer_allocate(value.length(), size);
    if (!buffer) classic::throw_no_memory();
    auto& header = *static_cast<SequenceHeader*>(to);
    if (header.release) marshal::buffer_free(header.buffer);
    header = {value.length(), value.length(), buffer, true};
    to = buffer;
  }
  if (value.length() != 0) std::memcpy(to, value.get_buffer(), value.length() * size);
  tree_.changed();
  at.rewind();
}

template <class Seq>
Seq* Node::get_sequence(CORBA::TCKind kind) {
  Node& at = row(kind);
  const void* from = at.memory();
  CORBA::ULong n = at.real_->length();
  if (at.kind_ == CORBA::tk_sequence) {
    const auto& header = *static_cast<const SequenceHeader*>(from);
    n = header.length;
    from = header.buffer;
  }
  auto made = std::make_unique<Seq>();
  made->length(n);
  if (n != 0) std::memcpy(made->get_buffer(), from, n * sizeof(*made->get_buffer()));
  return made.release();
}

#define CALLIS_DYN_SCALAR(Type, name)                                                               \
  void Node::insert_##name(CORBA::Type value) { put(CORBA::tk_##name, value); }                     \
  CORBA::Type Node::get_##name() { return get<CORBA::Type>(CORBA::tk_##name); }                     \
  void Node::insert_##name##_seq(const CORBA::Type##Seq& value) { put_sequence(CORBA::tk_##name, value); } \
  CORBA::Type##Seq* Node::get_##name##_seq() { return get_sequence<CORBA::Type##Seq>(CORBA::tk_##name); }
CALLIS_DYN_SCALAR(Boolean, boolean)
CALLIS_DYN_SCALAR(Octet, octet)
CALLIS_DYN_SCALAR(Char, char)
CALLIS_DYN_SCALAR(Short, short)
CALLIS_DYN_SCALAR(UShort, ushort)
CALLIS_DYN_SCALAR(Long, long)
CALLIS_DYN_SCALAR(ULong, ulong)
CALLIS_DYN_SCALAR(Float, float)
CALLIS_DYN_SCALAR(Double, double)
CALLIS_DYN_SCALAR(LongLong, longlong)
CALLIS_DYN_SCALAR(ULongLong, ulonglong)
CALLIS_DYN_SCALAR(LongDouble, longdouble)
CALLIS_DYN_SCALAR(WChar, wchar)
#undef CALLIS_DYN_SCALAR

// --- strings ---

void Node::insert_string(const char* value) {
  Node& at = basic(CORBA::tk_string);
  if (!value) classic::throw_bad_param("a null string");
  const CORBA::ULong bound = at.real_->length();
  if (bound != 0 && std::strlen(value) > bound) invalid_value();
  if (!marshal::string_assign(static_cast<char**>(at.memory()), value)) classic::throw_no_memory();
}

char* Node::get_string() { return CORBA::string_dup(*static_cast<char**>(basic(CORBA::tk_string).memory())); }

void Node::insert_wstring(const CORBA::WChar* value) {
  Node& at = basic(CORBA::tk_wstring);
  if (!value) classic::throw_bad_param("a null string");
  const CORBA::ULong bound = at.real_->length();
  if (bound != 0 && std::wcslen(value) > bound) invalid_value();
  wchar_t* const copy = marshal::wide_duplicate(value);
  if (!copy) classic::throw_no_memory();
  marshal::wide_free(std::exchange(*static_cast<wchar_t**>(at.memory()), copy));
}

CORBA::WChar* Node::get_wstring() {
  return CORBA::wstring_dup(*static_cast<wchar_t**>(basic(CORBA::tk_wstring).memory()));
}

// --- references, TypeCodes ---

void Node::insert_reference(CORBA::Object_ptr value) {
  Node& at = basic(CORBA::tk_objref);
  const auto* const link = static_cast<const orb::InterfaceLink*>(typecode::link_of(*at.real_));
  if (value && !value->_callis_reference()) invalid_value();  // a local object
  void* typed = nullptr;
  if (value) typed = link ? link->create(value->_callis_reference()) : CORBA::Object::_duplicate(value);
  void*& slot = *static_cast<void**>(at.memory());
  if (slot) marshal::reference_handlers().release(slot, link);
  slot = typed;
}

CORBA::Object_ptr Node::get_reference() {
  Node& at = basic(CORBA::tk_objref);
  void* const typed = *static_cast<void**>(at.memory());
  const auto* const link = static_cast<const orb::InterfaceLink*>(typecode::link_of(*at.real_));
  return CORBA::Object::_duplicate(typed && link ? link->to_object(typed) : static_cast<CORBA::Object*>(typed));
}

void Node::insert_typecode(CORBA::TypeCode_ptr value) {
  Node& at = basic(CORBA::tk_TypeCode);
  if (!value) classic::throw_bad_param("a nil TypeCode");
  CORBA::release(std::exchange(*static_cast<CORBA::TypeCode_ptr*>(at.memory()), CORBA::TypeCode::_duplicate(value)));
}

CORBA::TypeCode_ptr Node::get_typecode() {
  const CORBA::TypeCode_ptr t = *static_cast<CORBA::TypeCode_ptr*>(basic(CORBA::tk_TypeCode).memory());
  return CORBA::TypeCode::_duplicate(t ? t : CORBA::_tc_null);
}

// --- anys ---

void Node::insert_any(const CORBA::Any& value) { *static_cast<CORBA::Any*>(basic(CORBA::tk_any).memory()) = value; }

CORBA::Any* Node::get_any() {
  auto any = std::make_unique<CORBA::Any>(*static_cast<CORBA::Any*>(basic(CORBA::tk_any).memory()));
  typecode::make_standalone(*any);
  return any.release();
}

void Node::insert_dyn_any(DynamicAny::DynAny_ptr value) {
  Node& at = basic(CORBA::tk_any);
  if (!value) classic::throw_bad_param("a nil DynAny");
  const CORBA::Any_var any = value->to_any();
  *static_cast<CORBA::Any*>(at.memory()) = any.in();
}

DynamicAny::DynAny_ptr Node::get_dyn_any() {
  const CORBA::Any& any = *static_cast<CORBA::Any*>(basic(CORBA::tk_any).memory());
  try {
    return tree_of(any, true, tree_.context);
  } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
    invalid_value();
  }
}

// --- values, as a whole ---

Node& Node::value_slot() {
  (void)memory();
  if (has_components() && position_ >= 0 && static_cast<CORBA::ULong>(position_) < count()) {
    Node& at = *component(static_cast<CORBA::ULong>(position_));
    if (at.is_value()) return at;
  }
  if (is_value()) return *this;
  if (!has_components()) type_mismatch();
  if (position_ < 0 || static_cast<CORBA::ULong>(position_) >= count()) invalid_value();
  type_mismatch();
}

void Node::insert_val(CORBA::ValueBase* value) {
  Node& at = value_slot();
  if (!value) return at.put_value(nullptr);
  if (const value::ValueLink* const described = value::described_link(value)) {
    check_is_a(*described, *at.real_);
    if (!tree_.values().graph.has(value)) {
      const Tree made(at.type_.in(), &plan_of(*at.type_.in()), nullptr);
      tree_.copy(*at.type_.in(), &value, made.memory);
      return at.put_value(std::exchange(*static_cast<CORBA::ValueBase**>(made.memory), nullptr));
    }
    CORBA::add_ref(value);
    return at.put_value(value);
  }
  const value::ValueLink* const own = value->_callis_link();
  if (!own) type_mismatch();
  const auto* const link = static_cast<const value::ValueLink*>(typecode::link_of(*at.real_));
  void* typed = value;
  if (link && link->from_base && !(typed = link->from_base(value))) type_mismatch();
  if (own->flags & value::kCustom) {  // nobody looks into it
    check_is_a(*own, *at.real_);
    CORBA::add_ref(value);
    return at.put_value(value);
  }
  CORBA::Any any;
  const value::ValueLink* const known = value::link_finder ? value::link_finder(at.real_->id()) : nullptr;
  if (!link && known && known->from_base && !(typed = known->from_base(value))) type_mismatch();
  typecode::insert(any, at.type_.in(), &typed);
  at.from_any(any);
}

// By a class of the program's where it has one.
CORBA::ValueBase* Node::get_val() {
  Node& at = value_slot();
  CORBA::ValueBase* value = at.value_at();
  if (value && value::described_link(value)) {
    CORBA::Any any;
    at.put_into(any, at.type_.in(), at.memory());
    CORBA::ValueBase* made = nullptr;
    if (any >>= CORBA::Any::to_value(made)) return made;
  }
  CORBA::add_ref(value);
  return value;
}

}  // namespace callis::dynamic
