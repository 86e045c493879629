// SPDX-License-Identifier: Apache-2.0
// What is worked out about a TypeCode once and kept with it.
#pragma once
#include <callis/base/buffer.h>
#include <callis/cdr/decoder.h>
#include <callis/marshal/plan.h>
#include <callis/typecode/internal/view.h>
#include <memory>
#include <vector>

namespace callis::typecode {

class Described;

// How values of a type are marshaled and kept.
struct ValueType {
  ~ValueType();
  std::shared_ptr<const marshal::Plan> plan;
  std::size_t size = 0, alignment = 1;
  bool in_slot = false;   // a primitive or enum no larger than a pointer: an Any keeps it in itself
  bool exception = false;  // on the wire the repository id stands in front (CORBA 3.3 part 2, 9.3.4.2)
  bool tied = false;      // holds references: its bytes mean nothing without the ORB that they came through
  bool fluid = false;     // holds wide characters or values: its bytes depend on the message around
  bool sharing = false;   // holds values or abstract interfaces
  std::size_t bytes = 0;  // what this and its plan take, about
  const void* link = nullptr;  // of the value or box that this is; nullptr: a CORBA::ValueBase lies in memory
  std::unique_ptr<Described> described;  // the valuetypes that the program does not know
  // Its values are passed on and no more: all valuetypes are described, as if the program knew none.
  bool passed_on = false;
  // Two types whose form and links are equal have values of the same layout.
  Buffer form;
  std::vector<const void*> links;
};

struct Cache {
  std::atomic<ValueType*> value_type{nullptr};
  std::atomic<ValueType*> passed_on{nullptr};
  // The constant that the type was found equivalent to last.
  std::atomic<const TypeCode*> equivalent{nullptr};
  std::atomic<Buffer*> wire{nullptr};  // as written in native byte order
  ~Cache();
};

// nullptr when memory is exhausted.
Cache* cache_of(const TypeCode& t) noexcept;

// The value type of a TypeCode, made by the first who asks. nullptr and a fault: Unsupported for what has no values
// (interfaces that are local, natives) or is no complete type, LimitExceeded, OutOfMemory.
const ValueType* value_type(const TypeCode& t, Fault& fault) noexcept;
// The same for a TypeCode from a peer: what has to be made is charged to the message. nullptr and a fault of d.
const ValueType* value_type(const TypeCode& t, cdr::Decoder& d) noexcept;
// The same with ValueType::passed_on.
const ValueType* passed_on_type(const TypeCode& t, cdr::Decoder& d) noexcept;
const ValueType* passed_on_type(const TypeCode& t, Fault& fault) noexcept;
// The value type of a TypeCode that is no alias, if it has been made.
inline const ValueType* known_value_type(const TypeCode& t) noexcept {
  const Cache* const c = t.callis_cache().load(std::memory_order_acquire);
  return c ? c->value_type.load(std::memory_order_acquire) : nullptr;
}
// Whether an Any keeps values of that kind in itself.
constexpr bool fits_in_slot(Word kind) noexcept {
  if (kind == CORBA::tk_longlong || kind == CORBA::tk_ulonglong || kind == CORBA::tk_double)
    return sizeof(void*) >= 8;
  return (kind >= CORBA::tk_short && kind <= CORBA::tk_octet) || kind == CORBA::tk_enum || kind == CORBA::tk_wchar;
}
bool same_layout(const ValueType& a, const ValueType& b) noexcept;
// Whether values of one are made of the same as those of the other, whatever the types are called: equivalence trusts
// repository ids, which a peer can put on any type. May throw bad_alloc.
bool same_form(const TypeCode& a, const TypeCode& b);
// BadValue unless values of one type are made of the same as those of the other.
Fault differs(const TypeCode& sent, const TypeCode& as) noexcept;

}  // namespace callis::typecode
