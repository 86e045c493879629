// SPDX-License-Identifier: Apache-2.0
// insert_ and get_ (CORBA 3.3 part 1, 9.2.3.9 and 9.2.3.10): of this DynAny where its type is a basic one, else of
// its current component.
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/handlers.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/object/stub.h>
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

CORBA::Any* Node::get_any() { return new CORBA::Any(*static_cast<CORBA::Any*>(basic(CORBA::tk_any).memory())); }

void Node::insert_dyn_any(DynamicAny::DynAny_ptr value) {
  Node& at = basic(CORBA::tk_any);
  if (!value) classic::throw_bad_param("a nil DynAny");
  const CORBA::Any_var any = value->to_any();
  *static_cast<CORBA::Any*>(at.memory()) = any.in();
}

DynamicAny::DynAny_ptr Node::get_dyn_any() {
  const CORBA::Any& any = *static_cast<CORBA::Any*>(basic(CORBA::tk_any).memory());
  const DynamicAny::DynAny_var made = new_tree(type_in(any), false);
  made->from_any(any);
  return DynamicAny::DynAny::_duplicate(made.in());
}

// --- values and abstract interfaces, as a whole ---

Node& Node::value_slot(bool abstract) {
  Node& at = meant();
  const bool value = at.kind_ == CORBA::tk_value || at.kind_ == CORBA::tk_value_box || at.kind_ == CORBA::tk_event;
  if (abstract ? at.kind_ != CORBA::tk_abstract_interface : !value) type_mismatch();
  return at;
}

// Takes over the count.
void Node::replace_slot(void* typed) {
  const bool abstract = kind_ == CORBA::tk_abstract_interface;
  void* const slot = memory();
  marshal::slot_handlers(abstract ? marshal::Kind::Abstract : marshal::Kind::Value)
      ->destroy(slot, typecode::link_of(*real_));
  *static_cast<void**>(slot) = typed;
}

void Node::insert_val(CORBA::ValueBase* value) {
  Node& at = value_slot(false);
  const auto* const link = static_cast<const value::ValueLink*>(typecode::link_of(*at.real_));
  void* typed = value;
  if (value && link && link->from_base) typed = link->from_base(value);
  if (value && !typed) type_mismatch();
  CORBA::add_ref(value);
  at.replace_slot(typed);
}

CORBA::ValueBase* Node::get_val() {
  Node& at = value_slot(false);
  void* const typed = *static_cast<void**>(at.memory());
  const auto* const link = static_cast<const value::ValueLink*>(typecode::link_of(*at.real_));
  auto* const value = typed && link && link->to_base ? link->to_base(typed) : static_cast<CORBA::ValueBase*>(typed);
  CORBA::add_ref(value);
  return value;
}

void Node::insert_abstract(CORBA::AbstractBase* value) {
  Node& at = value_slot(true);
  const auto* const link = static_cast<const orb::AbstractLink*>(typecode::link_of(*at.real_));
  void* typed = nullptr;
  if (value) typed = link ? orb::unchecked_narrow(value, *link) : CORBA::AbstractBase::_duplicate(value);
  if (value && !typed) type_mismatch();
  at.replace_slot(typed);
}

CORBA::AbstractBase* Node::get_abstract() {
  Node& at = value_slot(true);
  void* const typed = *static_cast<void**>(at.memory());
  const auto* const link = static_cast<const orb::AbstractLink*>(typecode::link_of(*at.real_));
  return CORBA::AbstractBase::_duplicate(typed && link ? link->to_base(typed)
                                                       : static_cast<CORBA::AbstractBase*>(typed));
}

}  // namespace callis::dynamic
