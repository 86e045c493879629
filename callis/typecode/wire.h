// SPDX-License-Identifier: Apache-2.0
// TypeCodes on the wire (CORBA 3.3 part 2, 9.3.5). Nothing throws: failures are faults of the encoder or decoder.
//
// Written is an indirection for every parameterised TypeCode that stands in the same outermost one already; read are
// indirections to any place where such a TypeCode begins. A struct, union or alias cannot be a part of itself except
// through a sequence or a value.
#pragma once
#include <callis/base/fixed_limits.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/typecode/type_code.h>

namespace callis::typecode {

// Limits of one TypeCode beside the decoder's budget and depth, which it is charged to.
inline constexpr std::size_t kMaxWireBytes = 1u << 20;
// Types within types, those that indirections lead to included. Beyond it is Fault::TooDeep.
inline constexpr unsigned kMaxHeight = FixedLimits::max_type_code_depth;

// nil is written as tk_null. Unsupported: a recursive TypeCode that is not part of its type yet.
void put_type_code(cdr::Encoder& e, const CORBA::TypeCode* t) noexcept;
// With a count for the caller; nullptr after a fault: BadValue for what is no TypeCode, LimitExceeded, OutOfMemory
// and the decoder's own.
CORBA::TypeCode_ptr get_type_code(cdr::Decoder& d) noexcept;
// Passes over one, by the lengths of its encapsulations.
bool skip_type_code(cdr::Decoder& d) noexcept;

}  // namespace callis::typecode
