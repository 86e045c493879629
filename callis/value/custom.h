// SPDX-License-Identifier: Apache-2.0
// Values that marshal themselves (CORBA 3.3 part 1, 9.4.2; C++ mapping 1.3, 4.17.11): CORBA::CustomMarshal and the
// streams that it is given. The streams are valid during the call of marshal() or unmarshal() alone.
//
// What a peer sends and what cannot be sent (a null string) makes the functions throw CORBA::MARSHAL; the call that
// the value belongs to fails then, whether it is caught or not. Results are the caller's as the mapping says. An
// array is `length` elements of the sequence from `offset` on: CORBA::BAD_PARAM when the sequence to be written has
// fewer; the one that is read into grows. Functions of types that the program does not know otherwise (any, TypeCode,
// Object, AbstractBase) throw CORBA::MARSHAL unless the library that has them is linked.
#pragma once
#include <callis/value/basic_sequences.h>
#include <callis/value/value_base.h>

namespace CORBA::inline callis_orb {

class AbstractBase;
class Object;
class TypeCode;

class DataOutputStream : public virtual ValueBase {
 public:
  using _ptr_type = DataOutputStream*;
  static DataOutputStream* _downcast(ValueBase* v) { return dynamic_cast<DataOutputStream*>(v); }

  virtual void write_any(const Any& value) = 0;
  virtual void write_boolean(Boolean value) = 0;
  virtual void write_char(Char value) = 0;
  virtual void write_wchar(WChar value) = 0;
  virtual void write_octet(Octet value) = 0;
  virtual void write_short(Short value) = 0;
  virtual void write_ushort(UShort value) = 0;
  virtual void write_long(Long value) = 0;
  virtual void write_ulong(ULong value) = 0;
  virtual void write_longlong(LongLong value) = 0;
  virtual void write_ulonglong(ULongLong value) = 0;
  virtual void write_float(Float value) = 0;
  virtual void write_double(Double value) = 0;
  virtual void write_longdouble(LongDouble value) = 0;
  virtual void write_string(const char* value) = 0;
  virtual void write_wstring(const WChar* value) = 0;
  virtual void write_Object(Object* value) = 0;
  virtual void write_Abstract(AbstractBase* value) = 0;
  virtual void write_Value(ValueBase* value) = 0;
  virtual void write_TypeCode(TypeCode* value) = 0;
  virtual void write_any_array(const AnySeq& seq, ULong offset, ULong length) = 0;
  virtual void write_boolean_array(const BooleanSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_char_array(const CharSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_wchar_array(const WCharSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_octet_array(const OctetSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_short_array(const ShortSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_ushort_array(const UShortSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_long_array(const LongSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_ulong_array(const ULongSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_longlong_array(const LongLongSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_ulonglong_array(const ULongLongSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_float_array(const FloatSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_double_array(const DoubleSeq& seq, ULong offset, ULong length) = 0;
  virtual void write_longdouble_array(const LongDoubleSeq& seq, ULong offset, ULong length) = 0;
};

class DataInputStream : public virtual ValueBase {
 public:
  using _ptr_type = DataInputStream*;
  static DataInputStream* _downcast(ValueBase* v) { return dynamic_cast<DataInputStream*>(v); }

  virtual Any* read_any() = 0;
  virtual Boolean read_boolean() = 0;
  virtual Char read_char() = 0;
  virtual WChar read_wchar() = 0;
  virtual Octet read_octet() = 0;
  virtual Short read_short() = 0;
  virtual UShort read_ushort() = 0;
  virtual Long read_long() = 0;
  virtual ULong read_ulong() = 0;
  virtual LongLong read_longlong() = 0;
  virtual ULongLong read_ulonglong() = 0;
  virtual Float read_float() = 0;
  virtual Double read_double() = 0;
  virtual LongDouble read_longdouble() = 0;
  virtual char* read_string() = 0;
  virtual WChar* read_wstring() = 0;
  virtual Object* read_Object() = 0;
  virtual AbstractBase* read_Abstract() = 0;
  virtual ValueBase* read_Value() = 0;
  virtual TypeCode* read_TypeCode() = 0;
  virtual void read_any_array(AnySeq& seq, ULong offset, ULong length) = 0;
  virtual void read_boolean_array(BooleanSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_char_array(CharSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_wchar_array(WCharSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_octet_array(OctetSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_short_array(ShortSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_ushort_array(UShortSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_long_array(LongSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_ulong_array(ULongSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_longlong_array(LongLongSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_ulonglong_array(ULongLongSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_float_array(FloatSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_double_array(DoubleSeq& seq, ULong offset, ULong length) = 0;
  virtual void read_longdouble_array(LongDoubleSeq& seq, ULong offset, ULong length) = 0;
};

using DataOutputStream_ptr = DataOutputStream*;
using DataInputStream_ptr = DataInputStream*;

// A base of every custom valuetype's class; the application's class implements the two.
class CustomMarshal : public virtual ValueBase {
 public:
  static CustomMarshal* _downcast(ValueBase* v) { return dynamic_cast<CustomMarshal*>(v); }

  virtual void marshal(DataOutputStream* os) = 0;
  virtual void unmarshal(DataInputStream* is) = 0;

 protected:
  CustomMarshal() = default;
  CustomMarshal(const CustomMarshal& o) : ValueBase(o) {}
};

}  // namespace CORBA::inline callis_orb
