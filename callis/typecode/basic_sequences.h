// SPDX-License-Identifier: Apache-2.0
// TypeCodes of the sequences that module CORBA declares (callis/value/basic_sequences.h), and their place in an Any
// (C++ mapping 1.3, 4.15): what `#include <orb.idl>` gives to IDL. The constants are static and never freed.
#pragma once
#include <callis/typecode/any.h>
#include <callis/value/basic_sequences.h>

namespace CORBA {

#define CALLIS_BASIC_SEQUENCE(Seq)                                                                                  \
  extern const TypeCode_ptr _tc_##Seq;                                                                              \
  inline void operator<<=(Any& a, const Seq& v) { callis::typecode::insert(a, _tc_##Seq, &v); }                     \
  inline void operator<<=(Any& a, Seq* v) { callis::typecode::adopt(a, _tc_##Seq, v); }                             \
  inline Boolean operator>>=(const Any& a, const Seq*& v) {                                                         \
    return callis::typecode::extract_pointer(a, _tc_##Seq, v);                                                      \
  }
CALLIS_BASIC_SEQUENCE(AnySeq)
CALLIS_BASIC_SEQUENCE(BooleanSeq)
CALLIS_BASIC_SEQUENCE(CharSeq)
CALLIS_BASIC_SEQUENCE(WCharSeq)
CALLIS_BASIC_SEQUENCE(OctetSeq)
CALLIS_BASIC_SEQUENCE(ShortSeq)
CALLIS_BASIC_SEQUENCE(UShortSeq)
CALLIS_BASIC_SEQUENCE(LongSeq)
CALLIS_BASIC_SEQUENCE(ULongSeq)
CALLIS_BASIC_SEQUENCE(LongLongSeq)
CALLIS_BASIC_SEQUENCE(ULongLongSeq)
CALLIS_BASIC_SEQUENCE(FloatSeq)
CALLIS_BASIC_SEQUENCE(DoubleSeq)
CALLIS_BASIC_SEQUENCE(LongDoubleSeq)
CALLIS_BASIC_SEQUENCE(StringSeq)
CALLIS_BASIC_SEQUENCE(WStringSeq)
#undef CALLIS_BASIC_SEQUENCE

}  // namespace CORBA
