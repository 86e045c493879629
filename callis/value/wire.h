// SPDX-License-Identifier: Apache-2.0
// Values on the wire (CORBA 3.3 part 2, 9.3.4): for compiled stubs, custom values and abstract interfaces. The
// marshaling engine comes here by itself (marshal/handlers.h).
//
// formal: the type that IDL gives to the place, nullptr for CORBA::ValueBase. A value of exactly that type goes
// without type information, but not within chunks: who cuts off a part that he does not know needs it. Nor in an any,
// where JacORB wants to be told.
#pragma once
#include <callis/base/fixed_limits.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/value/value_base.h>

namespace callis::value {

// Values within values: how deep they may nest, sent or received. Each takes some hundred bytes of the stack. Beyond
// it is Fault::TooDeep.
inline constexpr std::uint32_t kMaxDepth = FixedLimits::max_value_depth;

// nullptr is the null value. Sets the encoder's fault on failure: BadValue for a value without a state (a class that
// does not derive from OBV_X), Rejected when the application's code threw.
void put_value(cdr::Encoder& encoder, CORBA::ValueBase* value, const ValueLink* formal);
// The caller owns the value's count. nullptr for the null value and after a fault: NoValueFactory when nothing can
// make the value, BadValue when it is none of the formal type, Rejected when a factory or the value itself threw.
CORBA::ValueBase* get_value(cdr::Decoder& decoder, const ValueLink* formal);

// The same into a variable of the formal type, in place of what it had; unchanged after a fault.
template <class X>
void get_value(cdr::Decoder& decoder, X*& to, const ValueLink& formal) {
  CORBA::ValueBase* const value = get_value(decoder, &formal);
  if (!decoder.ok()) return;
  classic::release_reference(to);
  to = value ? static_cast<X*>(formal.from_base(value)) : nullptr;
}

// Passes over a value without making it.
void skip_value(cdr::Decoder& decoder, const ValueLink* formal);

// Around all values that are sent or received together: what occurs twice among them goes as an indirection. Does
// nothing when there is one around it already.
class EncodeScope final {
 public:
  explicit EncodeScope(cdr::Encoder& encoder);
  ~EncodeScope();
  EncodeScope(const EncodeScope&) = delete;
  EncodeScope& operator=(const EncodeScope&) = delete;

 private:
  cdr::Encoder& encoder_;
  void* own_ = nullptr;
};

class DecodeScope final {
 public:
  explicit DecodeScope(cdr::Decoder& decoder);
  ~DecodeScope() { close(); }
  // Ends it before its time.
  void close();
  DecodeScope(const DecodeScope&) = delete;
  DecodeScope& operator=(const DecodeScope&) = delete;

 private:
  cdr::Decoder& decoder_;
  void* own_ = nullptr;
};

}  // namespace callis::value
