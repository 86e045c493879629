// SPDX-License-Identifier: Apache-2.0
// Body and Form: the value inside an Any as it lies in memory, counted and freed.
#include <callis/base/bounded_deletion.h>
#include <callis/marshal/handlers.h>
#include <callis/marshal/scope.h>
#include <callis/marshal/values.h>
#include <callis/typecode/internal/any_value.h>
#include <cstring>
#include <new>
#include <utility>

namespace callis::typecode {

using marshal::AnySlot;

Body* new_body(std::size_t bytes) noexcept {
  void* const m = ::operator new(sizeof(Body) + bytes, std::nothrow);
  return m ? new (m) Body : nullptr;
}

namespace {

void end(void* ended) {
  auto* const body = static_cast<Body*>(ended);
  for (Form* f = body->forms.load(std::memory_order_acquire); f;) free_form(std::exchange(f, f->next));
  if (body->context && marshal::reference_handlers().drop_context)
    marshal::reference_handlers().drop_context(body->context);
  ::operator delete(static_cast<void*>(body));
}

}  // namespace

// The value may hold anys, and so on.
void release(Body* body) noexcept {
  if (body && body->count.fetch_sub(1, std::memory_order_acq_rel) == 1) BoundedDeletion::end(body, &end);
}

void keep_context(Body& body, const cdr::Decoder& d, const ValueType& v) {
  if (!v.tied || !d.context() || !marshal::reference_handlers().keep_context) return;
  body.context = d.context();
  marshal::reference_handlers().keep_context(body.context);
}

namespace {

// Where memory of the type begins behind its Form.
std::size_t room_before(const ValueType& v) { return align_up(sizeof(Form), v.alignment); }

}  // namespace

Form* new_form(const TypeCode& type, const ValueType& value) noexcept {
  const std::size_t before = room_before(value);
  void* const m = ::operator new(before + value.size, std::nothrow);
  if (!m) return nullptr;
  Byte* const memory = static_cast<Byte*>(m) + before;
  std::memset(memory, 0, value.size);
  return new (m) Form{nullptr, counted(type), &value, memory};
}

Form* new_form(const TypeCode& type, const ValueType& value, void* memory, Form::Owner owner) noexcept {
  void* const m = ::operator new(sizeof(Form), std::nothrow);
  return m ? new (m) Form{nullptr, counted(type), &value, memory, owner} : nullptr;
}

void free_form(Form* form) noexcept {
  if (form->owner == Form::Owner::Exception) {
    delete static_cast<CORBA::Exception*>(form->memory);
  } else {
    marshal::destroy(*form->value->plan, form->memory);
    if (form->owner == Form::Owner::Heap) marshal::value_free(form->memory);
  }
  if (form->described) marshal::value_scopes().drop_described(form->described);
  CORBA::release(form->type);
  ::operator delete(static_cast<void*>(form));
}

const TypeCode& type_of(const AnySlot& slot) noexcept {
  return slot.type ? strip_aliases(*static_cast<const TypeCode*>(slot.type)) : *basic_type(CORBA::tk_null);
}

// --- Of a slot ---

void destroy_any(AnySlot& slot) noexcept {
  auto* const type = static_cast<TypeCode_ptr>(slot.type);
  if (!type) return;
  if (slot.value) {
    const Word kind = View(type_of(slot)).kind();
    if (!fits_in_slot(kind)) release(static_cast<Body*>(slot.value));
  }
  slot = {nullptr, nullptr};
  CORBA::release(type);
}

void each_slot_in_any(const AnySlot& slot, marshal::SlotVisitor visitor, void* context) noexcept {
  if (!slot.value || fits_in_slot(View(type_of(slot)).kind())) return;
  for (Form* f = static_cast<Body*>(slot.value)->forms.load(std::memory_order_acquire); f; f = f->next)
    marshal::each_slot(*f->value->plan, f->memory, visitor, context);
}

void copy_any(AnySlot& to, const AnySlot& from) noexcept {
  to = from;
  TypeCode::_duplicate(static_cast<TypeCode_ptr>(from.type));
  if (from.value && !fits_in_slot(View(type_of(from)).kind()))
    static_cast<Body*>(from.value)->count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace callis::typecode
