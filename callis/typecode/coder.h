// SPDX-License-Identifier: Apache-2.0
// What compiled stubs marshal Anys and TypeCodes with. Nothing throws; failures are faults of the encoder or decoder.
#pragma once
#include <callis/typecode/any.h>
#include <callis/typecode/wire.h>

namespace callis::typecode {

void put_any(cdr::Encoder& e, const marshal::AnySlot& slot) noexcept;
// In place of what the slot had. Empty after a fault.
void get_any(cdr::Decoder& d, marshal::AnySlot& slot) noexcept;

// The value alone, of a type that both sides know.
void put_any_value(cdr::Encoder& e, const marshal::AnySlot& slot) noexcept;
void get_any_value(cdr::Decoder& d, CORBA::TypeCode_ptr type, marshal::AnySlot& slot) noexcept;
// The same of the type that the slot has.
void get_any_value(cdr::Decoder& d, marshal::AnySlot& slot) noexcept;

// The same for numbers, which an Any keeps in itself. False, and nothing done, for values of other types.
bool put_number(cdr::Encoder& e, const marshal::AnySlot& slot) noexcept;
bool get_number(cdr::Decoder& d, marshal::AnySlot& slot) noexcept;

inline void put_any(cdr::Encoder& e, const CORBA::Any& any) noexcept { put_any(e, any.callis_slot()); }
inline void get_any(cdr::Decoder& d, CORBA::Any& any) noexcept { get_any(d, any.callis_slot()); }
inline void put_any_value(cdr::Encoder& e, const CORBA::Any& any) noexcept { put_any_value(e, any.callis_slot()); }
inline void get_any_value(cdr::Decoder& d, CORBA::TypeCode_ptr type, CORBA::Any& any) noexcept {
  get_any_value(d, type, any.callis_slot());
}
inline void get_any_value(cdr::Decoder& d, CORBA::Any& any) noexcept { get_any_value(d, any.callis_slot()); }

}  // namespace callis::typecode
