// SPDX-License-Identifier: Apache-2.0
// TypeCodes of the sequences that module CORBA declares (callis/value/basic_sequences.h), and their place in an Any
// (C++ mapping 1.3, 4.15): what `#include <orb.idl>` gives to IDL. The constants are static and never freed.
#pragma once
#include <callis/typecode/any.h>
#include <callis/value/basic_sequences.h>

namespace CORBA::inline callis_orb {

// The constant and the operators of a class. The last of them is as older programs have it; nothing may be written
// there.
#define CALLIS_ANY_OF_CLASS(Seq)                                                                                    \
  extern const TypeCode_ptr _tc_##Seq;                                                                              \
  inline void operator<<=(Any& a, const Seq& v) { callis::typecode::insert(a, _tc_##Seq, &v); }                     \
  template <class = void>                                                                                           \
  inline void operator<<=(Any& a, Seq* v) {                                                                         \
    callis::typecode::adopt(a, _tc_##Seq, v);                                                                       \
  }                                                                                                                 \
  inline Boolean operator>>=(const Any& a, const Seq*& v) {                                                         \
    return callis::typecode::extract_pointer(a, _tc_##Seq, v);                                                      \
  }                                                                                                                 \
  inline Boolean operator>>=(const Any& a, Seq*& v) { return a >>= const_cast<const Seq*&>(v); }
CALLIS_ANY_OF_CLASS(AnySeq)
CALLIS_ANY_OF_CLASS(BooleanSeq)
CALLIS_ANY_OF_CLASS(CharSeq)
CALLIS_ANY_OF_CLASS(WCharSeq)
CALLIS_ANY_OF_CLASS(OctetSeq)
CALLIS_ANY_OF_CLASS(ShortSeq)
CALLIS_ANY_OF_CLASS(UShortSeq)
CALLIS_ANY_OF_CLASS(LongSeq)
CALLIS_ANY_OF_CLASS(ULongSeq)
CALLIS_ANY_OF_CLASS(LongLongSeq)
CALLIS_ANY_OF_CLASS(ULongLongSeq)
CALLIS_ANY_OF_CLASS(FloatSeq)
CALLIS_ANY_OF_CLASS(DoubleSeq)
CALLIS_ANY_OF_CLASS(LongDoubleSeq)
CALLIS_ANY_OF_CLASS(StringSeq)
CALLIS_ANY_OF_CLASS(WStringSeq)

}  // namespace CORBA::inline callis_orb
