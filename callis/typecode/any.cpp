// SPDX-License-Identifier: Apache-2.0
// Any's own members: insertion, extraction, copies, comparison.
#include <callis/classic/fixed.h>
#include <callis/marshal/values.h>
#include <callis/typecode/create.h>
#include <callis/typecode/internal/any_value.h>
#include <callis/value/link.h>
#include <cstring>

namespace callis::typecode {

namespace {

using marshal::AnySlot;

[[noreturn]] void refuse(Fault fault) {
  if (fault == Fault::OutOfMemory) classic::throw_no_memory();
  classic::raise<CORBA::BAD_TYPECODE>(0, CORBA::COMPLETED_NO, "a TypeCode that no value in an Any can have");
}

const ValueType& must_have(const TypeCode* type) {
  if (!type) classic::raise<CORBA::BAD_PARAM>(CORBA::OMGVMCID | 13, CORBA::COMPLETED_NO, "a nil TypeCode");
  Fault fault;
  const ValueType* const v = value_type(*type, fault);
  if (!v) refuse(fault);
  return *v;
}

// A body around a form, in place of what the slot holds. The form is freed when that fails.
void set(AnySlot& slot, TypeCode_ptr type, Form* form) {
  Body* const body = form ? new_body(0) : nullptr;
  if (!body) {
    if (form) free_form(form);
    classic::throw_no_memory();
  }
  body->forms.store(form, std::memory_order_release);
  destroy_any(slot);
  slot = {TypeCode::_duplicate(type), body};
}

[[gnu::noinline]] void change_type(AnySlot& slot, TypeCode_ptr type) {
  TypeCode::_duplicate(type);
  destroy_any(slot);
  slot.type = type;
}

// value may lie in the slot.
inline void set_bits(AnySlot& slot, TypeCode_ptr type, const void* value, std::size_t size) {
  void* bits = nullptr;
  switch (size) {  // not a call of memcpy()
    case 1: std::memcpy(&bits, value, 1); break;
    case 2: std::memcpy(&bits, value, 2); break;
    case 4: std::memcpy(&bits, value, 4); break;
    default: std::memcpy(&bits, value, size);
  }
  if (!slot.type && is_static(*type)) slot.type = type;
  else if (slot.type != type) change_type(slot, type);
  slot.value = bits;
}

bool is_of(const AnySlot& slot, TypeCode_ptr type) {
  auto* const own = static_cast<TypeCode_ptr>(slot.type);
  if (own == type) return true;
  Cache* cache = own->callis_cache().load(std::memory_order_acquire);
  if (cache && cache->equivalent.load(std::memory_order_relaxed) == type) return true;
  if (!own->equivalent(type)) return false;
  // A constant is there as long as the program; its address says all.
  if (type->callis_table().count.load(std::memory_order_relaxed) == Table::kStatic && (cache = cache_of(*own)))
    cache->equivalent.store(type, std::memory_order_relaxed);
  return true;
}

const void* extract(const CORBA::Any& any, TypeCode_ptr type, CreateException create) noexcept try {
  const AnySlot& slot = any.callis_slot();
  if (slot.type == type && number_bytes(slot) != 0) return &slot.value;
  if (!slot.type || !is_of(slot, type)) return nullptr;
  Fault fault;
  const ValueType* const v = value_type(*type, fault);
  return v ? memory_of(slot, *type, *v, create, fault) : nullptr;
} catch (...) {
  return nullptr;
}

}  // namespace

void insert(CORBA::Any& any, TypeCode_ptr type, const void* value) {
  if (const std::size_t n = type ? number_bytes(kind_of(*type)) : 0)
    return set_bits(any.callis_slot(), type, value, n);
  const ValueType& v = must_have(type);
  if (v.in_slot) return set_bits(any.callis_slot(), type, value, v.size);
  Form* const form = new_form(*type, v);
  if (form && !marshal::copy(*v.plan, value, form->memory)) {
    free_form(form);
    classic::throw_no_memory();
  }
  set(any.callis_slot(), type, form);
}

void adopt(CORBA::Any& any, TypeCode_ptr type, void* value) {
  const ValueType& v = must_have(type);
  if (!value) classic::throw_bad_param("nothing to insert");
  if (v.in_slot) {
    set_bits(any.callis_slot(), type, value, v.size);
    return marshal::value_free(value);
  }
  Form* const form = new_form(*type, v, value, Form::Owner::Heap);
  if (!form) {
    marshal::destroy(*v.plan, value);
    marshal::value_free(value);
  }
  set(any.callis_slot(), type, form);
}

void adopt_slot(CORBA::Any& any, TypeCode_ptr type, void* value) {
  const ValueType& v = must_have(type);
  Form* const form = new_form(*type, v);
  if (form) std::memcpy(form->memory, value, v.size);
  else marshal::destroy(*v.plan, value);
  // A _var whose inout() was inserted must not release it, too.
  std::memset(value, 0, v.size);
  set(any.callis_slot(), type, form);
}

const void* extract(const CORBA::Any& any, TypeCode_ptr type) noexcept { return extract(any, type, nullptr); }

void insert_exception(CORBA::Any& any, TypeCode_ptr type, const CORBA::Exception& value) {
  adopt_exception(any, type, value._duplicate());
}

void adopt_exception(CORBA::Any& any, TypeCode_ptr type, CORBA::Exception* value) {
  std::unique_ptr<CORBA::Exception> own(value);
  const ValueType& v = must_have(type);
  Form* const form = new_form(*type, v, value, Form::Owner::Exception);
  if (form) (void)own.release();
  set(any.callis_slot(), type, form);
}

const CORBA::Exception* extract_exception(const CORBA::Any& any, TypeCode_ptr type, CreateException create) noexcept {
  return static_cast<const CORBA::Exception*>(extract(any, type, create));
}

CORBA::Any* new_scalar_any(const TypeCode& type, std::uint64_t value) {
  auto any = std::make_unique<CORBA::Any>();
  const auto put = [&](auto v) { insert(*any, const_cast<TypeCode_ptr>(&type), &v); };
  switch (must_have(&type).size) {
    case 1: put(static_cast<std::uint8_t>(value)); break;
    case 2: put(static_cast<std::uint16_t>(value)); break;
    case 4: put(static_cast<std::uint32_t>(value)); break;
    default: put(value);
  }
  return any.release();
}

const void* link_of(const TypeCode& type) noexcept { return View(strip_aliases(type)).link(); }

// Whatever has an Any has the handlers too.
const int& handlers = anchor;

namespace {

template <class T>
bool extract_bounded(const CORBA::Any& any, CORBA::TCKind kind, CORBA::ULong bound, const T*& to) {
  to = nullptr;
  const TypeCode& t = type_of(any.callis_slot());
  const View v(t);
  if (v.kind() != kind || v.length() != bound) return false;
  return extract_value(any, const_cast<TypeCode_ptr>(&t), to);
}

}  // namespace

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

namespace classic = callis::classic;
using callis::marshal::AnySlot;
using namespace callis::typecode;

static_assert(sizeof(Fixed) == sizeof(callis::marshal::FixedValue));

Any::Any(const Any& o) noexcept : slot_(o.slot_) {
  if (!is_uncounted(slot_)) copy_any(slot_, o.slot_);
}
Any::~Any() {
  if (!is_uncounted(slot_)) destroy_any(slot_);
}
Any& Any::operator=(const Any& o) noexcept {
  AnySlot copy = o.slot_;
  if (!is_uncounted(copy)) copy_any(copy, o.slot_);
  if (!is_uncounted(slot_)) destroy_any(slot_);
  slot_ = copy;
  return *this;
}

Any::Any(TypeCode_ptr type, void* value, Boolean release) : slot_{nullptr, nullptr} { replace(type, value, release); }

void Any::replace(TypeCode_ptr type, void* value, Boolean release) {
  if (!type) classic::raise<BAD_PARAM>(OMGVMCID | 13, COMPLETED_NO, "a nil TypeCode");
  const Word kind = kind_of(callis::typecode::strip_aliases(*type));
  if (!value && number_bytes(kind) != 0) {
    const void* const zero = nullptr;
    return set_bits(slot_, type, &zero, sizeof zero);
  }
  if (is_empty_kind(kind)) {
    destroy_any(slot_);
    slot_ = {TypeCode::_duplicate(type), nullptr};
    return;
  }
  if (kind == tk_except) {
    auto* const e = static_cast<Exception*>(value);
    if (!e) classic::throw_bad_param("nothing to insert");
    return release ? adopt_exception(*this, type, e) : insert_exception(*this, type, *e);
  }
  const ValueType& v = must_have(type);
  if (value && release) return adopt(*this, type, value);
  if (value) return insert(*this, type, value);
  if (v.in_slot) {
    const std::uint64_t zero = 0;
    return set_bits(slot_, type, &zero, sizeof zero);
  }
  set(slot_, type, new_form(*type, v));
}

TypeCode_ptr Any::type() const {
  return slot_.type ? TypeCode::_duplicate(static_cast<TypeCode_ptr>(slot_.type)) : _tc_null;
}

void Any::type(TypeCode_ptr type) {
  const auto own = static_cast<TypeCode_ptr>(slot_.type);
  if (!type || !(own ? own : _tc_null)->equivalent(type))
    classic::raise<BAD_TYPECODE>(0, COMPLETED_NO, "the TypeCode is not equivalent to the Any's");
  slot_.type = TypeCode::_duplicate(type);
  release(own);
}

const void* Any::value() const {
  const TypeCode& t = type_of(slot_);
  if (is_empty_kind(View(t).kind())) return nullptr;
  return extract(*this, const_cast<TypeCode_ptr>(&t));
}

void Any::operator<<=(from_boolean f) { insert(*this, _tc_boolean, &f.val); }
void Any::operator<<=(from_octet f) { insert(*this, _tc_octet, &f.val); }
void Any::operator<<=(from_char f) { insert(*this, _tc_char, &f.val); }
void Any::operator<<=(from_wchar f) { insert(*this, _tc_wchar, &f.val); }

namespace {

template <class T>
void insert_bounded(Any& any, TypeCode_ptr counted_type, T* value, Boolean nocopy) {
  const TypeCode_var type = counted_type;
  if (nocopy) adopt_slot(any, type, &value);
  else insert(any, type, &value);
}

}  // namespace

void Any::operator<<=(from_string f) { insert_bounded(*this, create_string_tc(f.bound), f.val, f.nocopy); }
void Any::operator<<=(from_wstring f) { insert_bounded(*this, create_wstring_tc(f.bound), f.val, f.nocopy); }

void Any::operator<<=(from_fixed f) {
  const TypeCode_var type = create_fixed_tc(f.digits, static_cast<Short>(f.scale));
  const Fixed value = f.val.fitted(f.digits, f.scale);
  insert(*this, type, &value);
}

Boolean Any::operator>>=(to_boolean t) const { return extract_value(*this, _tc_boolean, t.ref); }
Boolean Any::operator>>=(to_octet t) const { return extract_value(*this, _tc_octet, t.ref); }
Boolean Any::operator>>=(to_char t) const { return extract_value(*this, _tc_char, t.ref); }
Boolean Any::operator>>=(to_wchar t) const { return extract_value(*this, _tc_wchar, t.ref); }
Boolean Any::operator>>=(to_string t) const { return extract_bounded(*this, tk_string, t.bound, t.val); }
Boolean Any::operator>>=(to_wstring t) const { return extract_bounded(*this, tk_wstring, t.bound, t.val); }

Boolean Any::operator>>=(to_fixed t) const {
  const TypeCode& type = type_of(slot_);
  const View v(type);
  if (v.kind() != tk_fixed || v.digits() != t.digits || v.scale() != t.scale) return false;
  const void* const value = extract(*this, const_cast<TypeCode_ptr>(&type));
  if (value) std::memcpy(static_cast<void*>(&t.val), value, sizeof(callis::marshal::FixedValue));
  return value != nullptr;
}

Boolean Any::operator>>=(to_value t) const {
  t.ref = nullptr;
  const TypeCode& type = type_of(slot_);
  const View v(type);
  if (!is_value_kind(v.kind()) && v.kind() != tk_value_box) return false;
  const void* const memory = extract(*this, const_cast<TypeCode_ptr>(&type));
  if (!memory) return false;
  void* const typed = *static_cast<void* const*>(memory);
  if (!typed) return true;
  // One more count: a copy of the slot.
  const ValueType& as = must_have(&type);
  void* counted = nullptr;
  if (!callis::marshal::copy(*as.plan, memory, &counted)) classic::throw_no_memory();
  const auto* const link = static_cast<const callis::value::ValueLink*>(as.link);
  t.ref = link && link->to_base ? link->to_base(counted) : static_cast<ValueBase*>(counted);
  return true;
}

}  // namespace CORBA::inline callis_orb
