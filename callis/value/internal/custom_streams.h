// SPDX-License-Identifier: Apache-2.0
// The streams of custom values, over an encoder and a decoder. They live on the stack: counting does nothing.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/marshal/descriptor.h>
#include <callis/marshal/memory.h>
#include <callis/value/custom.h>

namespace callis::value {

template <class Stream>
class StackStream : public Stream {
 public:
  void _add_ref() override {}
  void _remove_ref() override {}
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  CORBA::ULong _refcount_value() override { return 1; }
};

class CustomOutput final : public StackStream<CORBA::DataOutputStream> {
 public:
  explicit CustomOutput(cdr::Encoder& e) : e_(e) {}

  void write_any(const CORBA::Any& value) override { slot(marshal::Kind::Any, &value); }
  void write_boolean(CORBA::Boolean value) override { primitive(value); }
  void write_char(CORBA::Char value) override { slot(marshal::Kind::Char, &value); }
  void write_wchar(CORBA::WChar value) override { slot(marshal::Kind::WChar, &value); }
  void write_octet(CORBA::Octet value) override { primitive(value); }
  void write_short(CORBA::Short value) override { primitive(value); }
  void write_ushort(CORBA::UShort value) override { primitive(value); }
  void write_long(CORBA::Long value) override { primitive(value); }
  void write_ulong(CORBA::ULong value) override { primitive(value); }
  void write_longlong(CORBA::LongLong value) override { primitive(value); }
  void write_ulonglong(CORBA::ULongLong value) override { primitive(value); }
  void write_float(CORBA::Float value) override { primitive(value); }
  void write_double(CORBA::Double value) override { primitive(value); }
  void write_longdouble(CORBA::LongDouble value) override { slot(marshal::Kind::LongDouble, &value); }
  void write_string(const char* value) override { slot(marshal::Kind::String, &value); }
  void write_wstring(const CORBA::WChar* value) override { slot(marshal::Kind::WString, &value); }
  void write_Object(CORBA::Object* value) override { slot(marshal::Kind::ObjRef, &value); }
  void write_Abstract(CORBA::AbstractBase* value) override { slot(marshal::Kind::Abstract, &value); }
  void write_Value(CORBA::ValueBase* value) override;
  void write_TypeCode(CORBA::TypeCode* value) override { slot(marshal::Kind::TypeCode, &value); }
  void write_any_array(const CORBA::AnySeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Any, sizeof(marshal::AnySlot), seq, offset, length);
  }
  void write_boolean_array(const CORBA::BooleanSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Boolean, sizeof(CORBA::Boolean), seq, offset, length);
  }
  void write_char_array(const CORBA::CharSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Char, sizeof(CORBA::Char), seq, offset, length);
  }
  void write_wchar_array(const CORBA::WCharSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::WChar, sizeof(CORBA::WChar), seq, offset, length);
  }
  void write_octet_array(const CORBA::OctetSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Octet, sizeof(CORBA::Octet), seq, offset, length);
  }
  void write_short_array(const CORBA::ShortSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Short, sizeof(CORBA::Short), seq, offset, length);
  }
  void write_ushort_array(const CORBA::UShortSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::UShort, sizeof(CORBA::UShort), seq, offset, length);
  }
  void write_long_array(const CORBA::LongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Long, sizeof(CORBA::Long), seq, offset, length);
  }
  void write_ulong_array(const CORBA::ULongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::ULong, sizeof(CORBA::ULong), seq, offset, length);
  }
  void write_longlong_array(const CORBA::LongLongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::LongLong, sizeof(CORBA::LongLong), seq, offset, length);
  }
  void write_ulonglong_array(const CORBA::ULongLongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::ULongLong, sizeof(CORBA::ULongLong), seq, offset, length);
  }
  void write_float_array(const CORBA::FloatSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Float, sizeof(CORBA::Float), seq, offset, length);
  }
  void write_double_array(const CORBA::DoubleSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Double, sizeof(CORBA::Double), seq, offset, length);
  }
  void write_longdouble_array(const CORBA::LongDoubleSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::LongDouble, sizeof(CORBA::LongDouble), seq, offset, length);
  }

 private:
  template <class T>
  void primitive(T value) {
    e_.put(value);
    check();
  }
  // The value of that kind at an address.
  void slot(marshal::Kind kind, const void* at);
  // Every sequence is a SequenceHeader.
  void array(marshal::Kind kind, std::size_t size, const void* sequence, CORBA::ULong offset, CORBA::ULong length);
  template <class Seq>
  void array(marshal::Kind kind, std::size_t size, const Seq& seq, CORBA::ULong offset, CORBA::ULong length) {
    array(kind, size, static_cast<const void*>(&seq), offset, length);
  }
  void check() const;

  cdr::Encoder& e_;
};

class CustomInput final : public StackStream<CORBA::DataInputStream> {
 public:
  explicit CustomInput(cdr::Decoder& d) : d_(d) {}

  CORBA::Any* read_any() override;
  CORBA::Boolean read_boolean() override { return read<CORBA::Boolean>(marshal::Kind::Boolean); }
  CORBA::Char read_char() override { return read<CORBA::Char>(marshal::Kind::Char); }
  CORBA::WChar read_wchar() override { return read<CORBA::WChar>(marshal::Kind::WChar); }
  CORBA::Octet read_octet() override { return primitive<CORBA::Octet>(); }
  CORBA::Short read_short() override { return primitive<CORBA::Short>(); }
  CORBA::UShort read_ushort() override { return primitive<CORBA::UShort>(); }
  CORBA::Long read_long() override { return primitive<CORBA::Long>(); }
  CORBA::ULong read_ulong() override { return primitive<CORBA::ULong>(); }
  CORBA::LongLong read_longlong() override { return primitive<CORBA::LongLong>(); }
  CORBA::ULongLong read_ulonglong() override { return primitive<CORBA::ULongLong>(); }
  CORBA::Float read_float() override { return primitive<CORBA::Float>(); }
  CORBA::Double read_double() override { return primitive<CORBA::Double>(); }
  CORBA::LongDouble read_longdouble() override { return read<CORBA::LongDouble>(marshal::Kind::LongDouble); }
  char* read_string() override { return read<char*>(marshal::Kind::String); }
  CORBA::WChar* read_wstring() override { return read<CORBA::WChar*>(marshal::Kind::WString); }
  CORBA::Object* read_Object() override { return read<CORBA::Object*>(marshal::Kind::ObjRef); }
  CORBA::AbstractBase* read_Abstract() override { return read<CORBA::AbstractBase*>(marshal::Kind::Abstract); }
  CORBA::ValueBase* read_Value() override;
  CORBA::TypeCode* read_TypeCode() override { return read<CORBA::TypeCode*>(marshal::Kind::TypeCode); }
  void read_any_array(CORBA::AnySeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Any, sizeof(marshal::AnySlot), &seq, offset, length);
  }
  void read_boolean_array(CORBA::BooleanSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Boolean, sizeof(CORBA::Boolean), &seq, offset, length);
  }
  void read_char_array(CORBA::CharSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Char, sizeof(CORBA::Char), &seq, offset, length);
  }
  void read_wchar_array(CORBA::WCharSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::WChar, sizeof(CORBA::WChar), &seq, offset, length);
  }
  void read_octet_array(CORBA::OctetSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Octet, sizeof(CORBA::Octet), &seq, offset, length);
  }
  void read_short_array(CORBA::ShortSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Short, sizeof(CORBA::Short), &seq, offset, length);
  }
  void read_ushort_array(CORBA::UShortSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::UShort, sizeof(CORBA::UShort), &seq, offset, length);
  }
  void read_long_array(CORBA::LongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Long, sizeof(CORBA::Long), &seq, offset, length);
  }
  void read_ulong_array(CORBA::ULongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::ULong, sizeof(CORBA::ULong), &seq, offset, length);
  }
  void read_longlong_array(CORBA::LongLongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::LongLong, sizeof(CORBA::LongLong), &seq, offset, length);
  }
  void read_ulonglong_array(CORBA::ULongLongSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::ULongLong, sizeof(CORBA::ULongLong), &seq, offset, length);
  }
  void read_float_array(CORBA::FloatSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Float, sizeof(CORBA::Float), &seq, offset, length);
  }
  void read_double_array(CORBA::DoubleSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::Double, sizeof(CORBA::Double), &seq, offset, length);
  }
  void read_longdouble_array(CORBA::LongDoubleSeq& seq, CORBA::ULong offset, CORBA::ULong length) override {
    array(marshal::Kind::LongDouble, sizeof(CORBA::LongDouble), &seq, offset, length);
  }

 private:
  template <class T>
  T primitive() {
    const T value = d_.get<T>();
    check();
    return value;
  }
  template <class T>
  T read(marshal::Kind kind) {
    T value{};
    slot(kind, &value);
    return value;
  }
  // Into zeros, which it leaves when it throws.
  void slot(marshal::Kind kind, void* at);
  void array(marshal::Kind kind, std::size_t size, void* sequence, CORBA::ULong offset, CORBA::ULong length);
  void check() const;

  cdr::Decoder& d_;
};

}  // namespace callis::value
