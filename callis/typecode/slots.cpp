// SPDX-License-Identifier: Apache-2.0
// Teaches the marshaling engine what an Any and a TypeCode are.
#include <callis/marshal/handlers.h>
#include <callis/marshal/values.h>
#include <callis/typecode/internal/any_value.h>
#include <callis/typecode/wire.h>
#include <new>

namespace callis::typecode {

namespace {

using marshal::AnySlot;

AnySlot& any(void* slot) { return *static_cast<AnySlot*>(slot); }
const AnySlot& any(const void* slot) { return *static_cast<const AnySlot*>(slot); }
TypeCode_ptr& type(void* slot) { return *static_cast<TypeCode_ptr*>(slot); }
TypeCode_ptr type(const void* slot) { return *static_cast<const TypeCode_ptr*>(slot); }

// The engine that asks is built without exceptions: what cannot be compared is not the same.
bool same_type(TypeCode_ptr a, TypeCode_ptr b) noexcept try {
  const auto is_null = [](TypeCode_ptr t) { return !t || View(*t).kind() == CORBA::tk_null; };
  if (!a || !b) return is_null(a) && is_null(b);
  return a == b || a->equal(b);
} catch (const std::bad_alloc&) {
  return false;
}

const void* own_memory(const AnySlot& slot, const ValueType*& v) {
  Fault fault;
  const TypeCode& t = type_of(slot);
  v = is_empty_kind(View(t).kind()) ? nullptr : value_type(t, fault);
  return v ? memory_of(slot, t, *v, nullptr, fault) : nullptr;
}

// Anys in each other that are compared or hashed: an application may nest them deeper than it could receive them.
constexpr unsigned kMaxNestedSlots = 256;
constinit thread_local unsigned nested = 0;
struct Nesting {
  Nesting() { ++nested; }
  ~Nesting() { --nested; }
  bool too_deep() const { return nested > kMaxNestedSlots; }
};

bool equal_anys(const void* x, const void* y, const void*) {
  const AnySlot &a = any(x), &b = any(y);
  const Nesting here;
  if (here.too_deep()) return false;
  if (!same_type(static_cast<TypeCode_ptr>(a.type), static_cast<TypeCode_ptr>(b.type))) return false;
  if (a.value == b.value) return true;
  const ValueType *v, *w;
  const void* const p = own_memory(a, v);
  const void* const q = own_memory(b, w);
  return p && q && same_layout(*v, *w) && marshal::equal(*v->plan, p, q);
}

std::uint64_t hash_any(const void* slot, const void*) {
  const Nesting here;
  if (here.too_deep()) return 0;
  const ValueType* v;
  const void* const p = own_memory(any(slot), v);
  return p ? marshal::hash(*v->plan, p, v->size) : 0;
}

constexpr marshal::SlotHandlers kAny = {
    [](cdr::Encoder& e, const void* slot, const void*) { put_any(e, any(slot)); },
    [](cdr::Decoder& d, void* slot, const void*) { get_any(d, any(slot)); },
    [](cdr::Decoder& d, const void*) { skip_any(d); },
    [](void* slot, const void*) { destroy_any(any(slot)); },
    [](void* to, const void* from, const void*) {
      copy_any(any(to), any(from));
      return true;
    },
    equal_anys,
    hash_any,
    [](const void* slot, marshal::SlotVisitor visitor, void* context) {
      each_slot_in_any(any(slot), visitor, context);
    },
};

constexpr marshal::SlotHandlers kTypeCode = {
    [](cdr::Encoder& e, const void* slot, const void*) { put_type_code(e, type(slot)); },
    [](cdr::Decoder& d, void* slot, const void*) {
      CORBA::release(std::exchange(type(slot), nullptr));
      type(slot) = get_type_code(d);
    },
    [](cdr::Decoder& d, const void*) { skip_type_code(d); },
    [](void* slot, const void*) { CORBA::release(std::exchange(type(slot), nullptr)); },
    [](void* to, const void* from, const void*) {
      type(to) = TypeCode::_duplicate(type(from));
      return true;
    },
    [](const void* a, const void* b, const void*) { return same_type(type(a), type(b)); },
    [](const void* slot, const void*) -> std::uint64_t { return type(slot) ? View(*type(slot)).kind() : 0; },
};

CALLIS_INSTALLER void install() {
  marshal::set_slot_handlers(marshal::Kind::Any, kAny);
  marshal::set_slot_handlers(marshal::Kind::TypeCode, kTypeCode);
}

}  // namespace

extern const int anchor;
const int anchor = 0;

}  // namespace callis::typecode
