// SPDX-License-Identifier: Apache-2.0
// Abstract interfaces: references or values, told apart on the wire.
#include <callis/marshal/handlers.h>
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/core/object_of.h>
#include <callis/value/described_graph.h>
#include <callis/value/wire.h>
#include <cstring>
#include <new>

namespace CORBA::inline callis_orb {

AbstractBase_ptr AbstractBase::_duplicate(AbstractBase_ptr a) {
  if (!a) return nullptr;
  if (Object_ptr o = a->_callis_object()) o->_add_ref();
  else if (ValueBase* v = a->_callis_value()) v->_add_ref();
  return a;
}

void release(AbstractBase_ptr a) {
  if (!a) return;
  if (Object_ptr o = a->_callis_object()) o->_remove_ref();
  else if (ValueBase* v = a->_callis_value()) v->_remove_ref();
}

}  // namespace CORBA::inline callis_orb

namespace callis::orb {
namespace {

// A reference of which no more is known.
class PlainAbstract final : public virtual CORBA::AbstractBase, public virtual CORBA::Object {
 public:
  explicit PlainAbstract(Reference& r) : CORBA::Object(&r) {}
  CORBA::Object_ptr _callis_object() noexcept override { return this; }
};

// Stands for a described value, and ends with it.
class DescribedAbstract final : public CORBA::AbstractBase {
 public:
  explicit DescribedAbstract(CORBA::ValueBase& value) : value_(value) {}
  CORBA::ValueBase* _callis_value() noexcept override { return &value_; }

 private:
  CORBA::ValueBase& value_;
};

void* new_described(CORBA::ValueBase& value) { return new DescribedAbstract(value); }
void drop_described(void* companion) noexcept { delete static_cast<DescribedAbstract*>(companion); }

const AbstractLink* link_of(const void* link) { return static_cast<const AbstractLink*>(link); }

void* typed(const void* slot) {
  void* p;
  std::memcpy(&p, slot, sizeof p);
  return p;
}

void set(void* slot, void* p) { std::memcpy(slot, &p, sizeof p); }

CORBA::AbstractBase* base_in(const void* slot, const void* link) {
  void* const p = typed(slot);
  return p && link ? link_of(link)->to_base(p) : static_cast<CORBA::AbstractBase*>(p);
}

void encode(cdr::Encoder& e, const void* slot, const void* link) { put_abstract(e, base_in(slot, link)); }

void destroy(void* slot, const void* link) {
  CORBA::release(base_in(slot, link));
  set(slot, nullptr);
}

// The engine that calls this is built without exceptions: none may leave here.
void decode(cdr::Decoder& d, void* slot, const void* link) {
  try {
    void* const p = get_abstract(d, link_of(link));
    if (!d.ok()) return;
    destroy(slot, link);
    set(slot, p);
  } catch (...) {
    d.set_fault(Fault::OutOfMemory);
  }
}

void skip(cdr::Decoder& d, const void*) {
  try {
    if (d.get_boolean()) CORBA::release(get_object(d));
    else value::skip_value(d, nullptr);
  } catch (...) {
    d.set_fault(Fault::OutOfMemory);
  }
}

void put_copy(void* slot, CORBA::ValueBase& copy) { set(slot, to_abstract(copy)); }

bool copy(void* to, const void* from, const void* link) try {
  CORBA::ValueBase* const v = link || !typed(from) ? nullptr : base_in(from, link)->_callis_value();
  if (value::described_link(v) && value::put_copy_later(to, *v, &put_copy)) return set(to, nullptr), true;
  CORBA::AbstractBase::_duplicate(base_in(from, link));
  set(to, typed(from));
  return true;
} catch (const std::bad_alloc&) {
  return set(to, nullptr), false;
}

bool equal(const void* a, const void* b, const void*) { return typed(a) == typed(b); }

std::uint64_t hash(const void* slot, const void*) { return reinterpret_cast<std::uintptr_t>(typed(slot)) >> 4; }

void* value_in(const void* slot, const void* link) {
  CORBA::AbstractBase* const base = base_in(slot, link);
  return base ? base->_callis_value() : nullptr;
}

constexpr marshal::SlotHandlers kHandlers = {&encode, &decode, &skip,   &destroy, &copy,
                                             &equal,  &hash,   nullptr, &value_in};

// No AbstractBase is without this file.
CALLIS_INSTALLER void install() { marshal::set_slot_handlers(marshal::Kind::Abstract, kHandlers); }

}  // namespace

CORBA::AbstractBase* to_abstract(CORBA::Object_ptr object) {
  if (!object) return nullptr;
  if (auto* const known = dynamic_cast<CORBA::AbstractBase*>(object)) return CORBA::AbstractBase::_duplicate(known);
  Reference* const r = object->_callis_reference();
  if (!r) raise<CORBA::MARSHAL>(omg(4), CORBA::COMPLETED_NO, "a local object in the place of an abstract interface");
  return new PlainAbstract(*r);
}

CORBA::AbstractBase* to_abstract(CORBA::ValueBase& value) {
  if (auto* const known = dynamic_cast<CORBA::AbstractBase*>(&value)) return known;
  return static_cast<DescribedAbstract*>(value::described_companion(value, &new_described, &drop_described));
}

void* narrow(CORBA::AbstractBase* base, const AbstractLink& link) {
  if (!base) return nullptr;
  if (void* const p = link.from_base(base)) {
    CORBA::AbstractBase::_duplicate(base);
    return p;
  }
  CORBA::Object_ptr const o = base->_callis_object();
  return o && o->_callis_reference() && o->_is_a(link.repository_id) ? link.create(o->_callis_reference()) : nullptr;
}

void* unchecked_narrow(CORBA::AbstractBase* base, const AbstractLink& link) {
  if (!base) return nullptr;
  if (void* const p = link.from_base(base)) {
    CORBA::AbstractBase::_duplicate(base);
    return p;
  }
  CORBA::Object_ptr const o = base->_callis_object();
  return o && o->_callis_reference() ? link.create(o->_callis_reference()) : nullptr;
}

void put_abstract(cdr::Encoder& e, CORBA::AbstractBase* base) {
  CORBA::Object_ptr const object = base ? base->_callis_object() : nullptr;
  if (object && !object->_callis_reference()) return e.set_fault(Fault::LocalObject);
  e.put_octet(object != nullptr);
  if (object) return put_reference(e, object);
  CORBA::ValueBase* const v = base ? base->_callis_value() : nullptr;
  if (base && !v) return e.set_fault(Fault::LocalObject);
  value::put_value(e, v, nullptr);
}

namespace {

void* get_object_abstract(cdr::Decoder& d, const AbstractLink* link) {
  const CORBA::Object_var o(get_object(d));
  if (!d.ok() || !o.in()) return nullptr;
  Reference* const r = o->_callis_reference();
  return link ? link->create(r) : static_cast<CORBA::AbstractBase*>(new PlainAbstract(*r));
}

}  // namespace

void* get_abstract(cdr::Decoder& d, const AbstractLink* link) {
  if (d.get_boolean()) return get_object_abstract(d, link);
  CORBA::ValueBase* const v = value::get_value(d, nullptr);
  if (!v) return nullptr;
  CORBA::AbstractBase* const base = link ? dynamic_cast<CORBA::AbstractBase*>(v) : to_abstract(*v);
  void* const p = base && link ? link->from_base(base) : base;
  if (p) return p;
  v->_remove_ref();
  d.set_fault(Fault::BadValue);
  return nullptr;
}

}  // namespace callis::orb

CORBA::AbstractBase::~AbstractBase() = default;
