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

inline bool is_void(const CORBA::TypeCode& type) {
  const CORBA::TCKind kind = typecode::type_behind(type)->kind();
  return kind == CORBA::tk_null || kind == CORBA::tk_void;
}

inline bool may_share(const CORBA::Any& any) {
  const CORBA::TypeCode& type = *type_in(any);
  return !is_void(type) && typecode::may_hold_values(type);
}

// Of a parameter, by the flags of its NamedValue.
inline marshal::Direction direction_of(CORBA::Flags flags) {
  switch (flags & CORBA::ARG_INOUT) {
    case CORBA::ARG_INOUT: return marshal::Direction::InOut;
    case CORBA::ARG_OUT: return marshal::Direction::Out;
    default: return marshal::Direction::In;
  }
}

// A value of the Any's type in place of the one that it has.
inline void get_in_place(cdr::Decoder& from, CORBA::Any& any) {
  const CORBA::TypeCode_var type = any.type();
  typecode::get_any_value(from, type.in(), any);
}

// An exception whose repository id has been read. Empty after a fault.
CORBA::Any get_exception(cdr::Decoder& from, CORBA::TypeCode_ptr type);
// Its members, without the repository id.
void put_exception(cdr::Encoder& to, const CORBA::Any& exception);

}  // namespace callis::dynamic
