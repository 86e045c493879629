// SPDX-License-Identifier: Apache-2.0
// Values in Anys, by themselves on the wire: what both sides of a dynamic call marshal.
#pragma once
#include <callis/typecode/coder.h>
#include <callis/typecode/plan_of.h>
#include <callis/value/wire.h>
#include <optional>

namespace callis::dynamic {

// The Any's; tk_null for an empty one.
inline CORBA::TypeCode_ptr type_in(const CORBA::Any& any) noexcept {
  auto* const t = static_cast<CORBA::TypeCode_ptr>(any.callis_slot().type);
  return t ? t : CORBA::_tc_null;
}

inline bool is_void(const CORBA::TypeCode& type) { return typecode::is_empty(type); }
inline bool may_share(const CORBA::Any& any) { return typecode::may_hold_values(any.callis_slot()); }

// Marshals one value after the other. A scope for shared values is opened before the first that may be shared.
class Putting final {
 public:
  explicit Putting(cdr::Encoder& to) : to_(to) {}
  void put(const CORBA::Any& value) {
    if (typecode::put_number(to_, value.callis_slot())) return;
    if (!scope_ && may_share(value)) scope_.emplace(to_);
    typecode::put_any_value(to_, value);
  }

 private:
  cdr::Encoder& to_;
  std::optional<value::EncodeScope> scope_;
};
class Getting final {
 public:
  explicit Getting(cdr::Decoder& from) : from_(from) {}
  // Replaces the Any's value by one of the same type. Does nothing for tk_null and tk_void.
  void get(CORBA::Any& into) {
    if (typecode::get_number(from_, into.callis_slot()) || is_void(*type_in(into))) return;
    if (!scope_ && may_share(into)) scope_.emplace(from_);
    typecode::get_any_value(from_, into);
  }

 private:
  cdr::Decoder& from_;
  std::optional<value::DecodeScope> scope_;
};

// Of a parameter, by the flags of its NamedValue.
inline marshal::Direction direction_of(CORBA::Flags flags) {
  switch (flags & CORBA::ARG_INOUT) {
    case CORBA::ARG_INOUT: return marshal::Direction::InOut;
    case CORBA::ARG_OUT: return marshal::Direction::Out;
    default: return marshal::Direction::In;
  }
}

// An exception whose repository id has been read. Empty after a fault.
CORBA::Any get_exception(cdr::Decoder& from, CORBA::TypeCode_ptr type);
// Its members, without the repository id.
void put_exception(cdr::Encoder& to, const CORBA::Any& exception);

}  // namespace callis::dynamic
