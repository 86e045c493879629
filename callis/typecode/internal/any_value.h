// SPDX-License-Identifier: Apache-2.0
// What an Any holds beyond a primitive: a counted Body, which all copies share.
//
//   AnySlot { type ──→ TypeCode,  value ──→ Body }         or { type, the bits } where ValueType::in_slot
//                                            ├─ forms ──→ Form ──→ Form ...   the value in memory, in one or more
//                                            │                                layouts
//                                            └─ bytes                         as it was received
//
// Usually there is one Form: what was inserted, or what the bytes were decoded to. Types may be equivalent and yet
// lie in memory in different ways: an interface is a CORBA::Object where nobody knows it by a generated class. Each
// layout asked for becomes a Form, which stays as long as the Body. Forms are published atomically.
#pragma once
#include <callis/marshal/handlers.h>
#include <callis/marshal/memory.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/internal/cache.h>

namespace callis::typecode {

struct Form {
  Form* next = nullptr;
  TypeCode_ptr type;       // counted
  const ValueType* value;  // its
  void* memory;
  enum class Owner : unsigned char {
    Form,       // memory lies behind this
    Heap,       // from value_allocate() or `new`
    Exception,  // a CORBA::Exception, by `new`
  } owner = Owner::Form;
  // Of a value that the program has no class for (callis/value/internal/described_value.h): what keeps the message's.
  void* described = nullptr;
};

struct Body {
  std::atomic<Form*> forms{nullptr};
  std::atomic<std::uint32_t> count{1};
  // KiB of memory that the bytes may take when they are read: the usual limit, or what the message had left, if its
  // ORB allows more. Levels: max_depth.
  std::uint32_t max_kib = 0;
  // As received; size 0: nothing was. Alignment counts from `phase` bytes before them.
  std::size_t size = 0;
  void* context = nullptr;  // the ORB's, kept
  ByteOrder order = kNativeOrder;
  std::uint8_t phase = 0;
  bool bare = false;  // an exception that came without its repository id
  std::uint16_t max_depth = 0;
  Byte* bytes() { return reinterpret_cast<Byte*>(this + 1); }
};

// nullptr when memory is exhausted.
Body* new_body(std::size_t bytes) noexcept;
void release(Body* body) noexcept;
// References that are decoded later belong to the same ORB as those of d.
void keep_context(Body& body, const cdr::Decoder& d, const ValueType& v);
// With zeroed memory; owner is Owner::Form.
Form* new_form(const TypeCode& type, const ValueType& value) noexcept;
// Around memory that it will own.
Form* new_form(const TypeCode& type, const ValueType& value, void* memory, Form::Owner owner) noexcept;
void free_form(Form* form) noexcept;

// One that there is: in that layout, and if `created` an exception that C++ has made. nullptr for none.
inline const Form* find(const Body& body, const ValueType& v, bool created) {
  for (const Form* f = body.forms.load(std::memory_order_acquire); f; f = f->next)
    if (same_layout(*f->value, v) && (!created || f->owner == Form::Owner::Exception)) return f;
  return nullptr;
}
// One without any class of the program's.
inline const Form* find_passed_on(const Body& body) {
  for (const Form* f = body.forms.load(std::memory_order_acquire); f; f = f->next)
    if (f->value->passed_on) return f;
  return nullptr;
}
// The form is the body's from now on.
inline void publish(Body& body, Form* form) {
  form->next = body.forms.load(std::memory_order_relaxed);
  while (!body.forms.compare_exchange_weak(form->next, form, std::memory_order_acq_rel, std::memory_order_relaxed)) {
  }
}

// Behind aliases; tk_null for an empty slot.
inline const TypeCode& type_of(const marshal::AnySlot& slot) noexcept {
  return slot.type ? strip_aliases(*static_cast<const TypeCode*>(slot.type)) : *basic_type(CORBA::tk_null);
}
// number_bytes() of the slot's type, 0 for an empty slot. Behind an alias there may be a number, too.
inline std::size_t number_bytes(const marshal::AnySlot& slot) noexcept {
  return slot.type ? number_bytes(kind_of(*static_cast<const TypeCode*>(slot.type))) : 0;
}
// Whether nothing of an Any is counted: neither its type nor its value.
inline bool is_uncounted(const marshal::AnySlot& slot) noexcept {
  return !slot.type || (number_bytes(slot) != 0 && is_static(*static_cast<const TypeCode*>(slot.type)));
}
inline bool is_empty_kind(Word kind) { return kind <= CORBA::tk_void; }

using CreateException = CORBA::UserException* (*)();
// The value in the layout of a type equivalent to the slot's, the slot's own included. nullptr and a fault when it is
// bad or memory is exhausted. create: for exceptions that C++ will see.
const void* memory_of(const marshal::AnySlot& slot, const TypeCode& as, const ValueType& value,
                      CreateException create, Fault& fault) noexcept;

// The value that is all of d, without any class of the program's, in a new Form; nullptr and a fault. truncates:
// whether what the type does not know of a value may be cut off.
Form* read_described(cdr::Decoder& d, void* context, const TypeCode& as, bool truncates, Fault& fault);
// The same for the next value; d has a scope, a context, and the fault.
Form* next_described(cdr::Decoder& d, const TypeCode& as, bool truncates);

// The other handlers of Kind::Any.
void skip_any(cdr::Decoder& d) noexcept;
void destroy_any(marshal::AnySlot& slot) noexcept;
void each_slot_in_any(const marshal::AnySlot& slot, marshal::SlotVisitor visitor, void* context) noexcept;
void copy_any(marshal::AnySlot& to, const marshal::AnySlot& from) noexcept;

}  // namespace callis::typecode
