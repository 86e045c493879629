// SPDX-License-Identifier: Apache-2.0
// Types of orb.idl that only values and structs hold: boxed strings, service information. They are as callis-idl
// makes them.
#pragma once
#include <callis/classic/classic.h>
#include <callis/orb/base/object.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/core/standard_names.h>
#include <callis/typecode/any.h>
#include <callis/value/box.h>
#include <callis/value/value.h>

namespace CORBA::inline callis_orb {
typedef char* VersionSpec;
typedef ::CORBA::String_var VersionSpec_var;
typedef ::CORBA::String_out VersionSpec_out;
extern const ::CORBA::TypeCode_ptr _tc_VersionSpec;

typedef char* ORBid;
typedef ::CORBA::String_var ORBid_var;
typedef ::CORBA::String_out ORBid_out;
extern const ::CORBA::TypeCode_ptr _tc_ORBid;

class StringValue;
typedef StringValue* StringValue_ptr;
StringValue* callis_duplicate(StringValue* _p);
void callis_release(StringValue* _p);
extern const ::callis::value::ValueLink callis_value_StringValue;
typedef ::callis::classic::ReferenceVar<StringValue> StringValue_var;
typedef ::callis::classic::ReferenceOut<StringValue> StringValue_out;
class StringValue final
    : public ::callis::value::StringBox<StringValue, char, ::CORBA::String_member, ::CORBA::String_var> {
 public:
  typedef StringValue* _ptr_type;
  typedef ::CORBA::StringValue_var _var_type;
  typedef ::callis::value::StringBox<StringValue, char, ::CORBA::String_member, ::CORBA::String_var> _callis_base;
  using _callis_base::_callis_base;
  using _callis_base::operator=;
  StringValue() = default;
  StringValue(const StringValue&) = default;
  static StringValue* _downcast(::CORBA::ValueBase* _callis_v) { return dynamic_cast<StringValue*>(_callis_v); }
  ::CORBA::ValueBase* _copy_value() override { return new StringValue(*this); }
  const ::callis::value::ValueLink* _callis_link() const noexcept override;
  void* _callis_state(const ::callis::value::ValueLink& _callis_l) noexcept override;

 protected:
  ~StringValue() override;
};
extern const ::CORBA::TypeCode_ptr _tc_StringValue;
inline void operator<<=(::CORBA::Any& _a, ::CORBA::StringValue* _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_StringValue, &_v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::StringValue** _v) {
  ::callis::typecode::adopt_slot(_a, ::CORBA::_tc_StringValue, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::StringValue*& _v) {
  return ::callis::typecode::extract_value(_a, ::CORBA::_tc_StringValue, _v);
}

class WStringValue;
typedef WStringValue* WStringValue_ptr;
WStringValue* callis_duplicate(WStringValue* _p);
void callis_release(WStringValue* _p);
extern const ::callis::value::ValueLink callis_value_WStringValue;
typedef ::callis::classic::ReferenceVar<WStringValue> WStringValue_var;
typedef ::callis::classic::ReferenceOut<WStringValue> WStringValue_out;
class WStringValue final
    : public ::callis::value::StringBox<WStringValue, ::CORBA::WChar, ::CORBA::WString_member, ::CORBA::WString_var> {
 public:
  typedef WStringValue* _ptr_type;
  typedef ::CORBA::WStringValue_var _var_type;
  typedef ::callis::value::StringBox<WStringValue, ::CORBA::WChar, ::CORBA::WString_member, ::CORBA::WString_var>
      _callis_base;
  using _callis_base::_callis_base;
  using _callis_base::operator=;
  WStringValue() = default;
  WStringValue(const WStringValue&) = default;
  static WStringValue* _downcast(::CORBA::ValueBase* _callis_v) { return dynamic_cast<WStringValue*>(_callis_v); }
  ::CORBA::ValueBase* _copy_value() override { return new WStringValue(*this); }
  const ::callis::value::ValueLink* _callis_link() const noexcept override;
  void* _callis_state(const ::callis::value::ValueLink& _callis_l) noexcept override;

 protected:
  ~WStringValue() override;
};
extern const ::CORBA::TypeCode_ptr _tc_WStringValue;
inline void operator<<=(::CORBA::Any& _a, ::CORBA::WStringValue* _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_WStringValue, &_v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::WStringValue** _v) {
  ::callis::typecode::adopt_slot(_a, ::CORBA::_tc_WStringValue, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::WStringValue*& _v) {
  return ::callis::typecode::extract_value(_a, ::CORBA::_tc_WStringValue, _v);
}

enum ParameterMode : ::CORBA::ULong {
  PARAM_IN,
  PARAM_OUT,
  PARAM_INOUT,
};
typedef ParameterMode& ParameterMode_out;
extern const ::CORBA::TypeCode_ptr _tc_ParameterMode;
inline void operator<<=(::CORBA::Any& _a, ::CORBA::ParameterMode _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_ParameterMode, &_v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::ParameterMode& _v) {
  return ::callis::typecode::extract_value(_a, ::CORBA::_tc_ParameterMode, _v);
}

class WrongTransaction : public ::CORBA::UserException {
 public:
  void _raise() const override;
  const char* _name() const noexcept override;
  const char* _rep_id() const noexcept override;
  ::CORBA::Exception* _duplicate() const override;
  static WrongTransaction* _downcast(::CORBA::Exception* _callis_e) {
    return dynamic_cast<WrongTransaction*>(_callis_e);
  }
  static const WrongTransaction* _downcast(const ::CORBA::Exception* _callis_e) {
    return dynamic_cast<const WrongTransaction*>(_callis_e);
  }
  static WrongTransaction* _narrow(::CORBA::Exception* _callis_e) { return _downcast(_callis_e); }
};
extern const ::CORBA::TypeCode_ptr _tc_WrongTransaction;
inline void operator<<=(::CORBA::Any& _a, const ::CORBA::WrongTransaction& _v) {
  ::callis::typecode::insert_exception(_a, ::CORBA::_tc_WrongTransaction, _v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::WrongTransaction* _v) {
  ::callis::typecode::adopt_exception(_a, ::CORBA::_tc_WrongTransaction, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, const ::CORBA::WrongTransaction*& _v) {
  return ::callis::typecode::extract_exception(_a, ::CORBA::_tc_WrongTransaction, _v);
}

typedef ::CORBA::OctetSeq ServiceDetailData;
typedef ::CORBA::OctetSeq_var ServiceDetailData_var;
typedef ::CORBA::OctetSeq_out ServiceDetailData_out;
extern const ::CORBA::TypeCode_ptr _tc_ServiceDetailData;

class ServiceOptionSeq;
typedef ::callis::classic::SequenceVar<ServiceOptionSeq> ServiceOptionSeq_var;
typedef ::callis::classic::VariableOut<ServiceOptionSeq, ServiceOptionSeq_var> ServiceOptionSeq_out;
class ServiceOptionSeq : public ::callis::classic::Sequence<::CORBA::ServiceOption> {
 public:
  typedef ServiceOptionSeq_var _var_type;
  typedef ServiceOptionSeq_out _out_type;
  using SequenceOf::SequenceOf;
};
extern const ::CORBA::TypeCode_ptr _tc_ServiceOptionSeq;
inline void operator<<=(::CORBA::Any& _a, const ::CORBA::ServiceOptionSeq& _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_ServiceOptionSeq, &_v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::ServiceOptionSeq* _v) {
  ::callis::typecode::adopt(_a, ::CORBA::_tc_ServiceOptionSeq, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, const ::CORBA::ServiceOptionSeq*& _v) {
  return ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceOptionSeq, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::ServiceOptionSeq*& _v) {
  const ::CORBA::ServiceOptionSeq* _c;
  const bool _ok = ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceOptionSeq, _c);
  _v = const_cast<::CORBA::ServiceOptionSeq*>(_c);
  return _ok;
}

struct ServiceDetail;
typedef ::callis::classic::VariableVar<ServiceDetail> ServiceDetail_var;
typedef ::callis::classic::VariableOut<ServiceDetail> ServiceDetail_out;
struct ServiceDetail {
  typedef ::CORBA::ServiceDetail_var _var_type;
  typedef ::CORBA::ServiceDetail_out _out_type;
  ::CORBA::ServiceDetailType service_detail_type;
  ::CORBA::ServiceDetailData service_detail;
};
extern const ::CORBA::TypeCode_ptr _tc_ServiceDetail;
inline void operator<<=(::CORBA::Any& _a, const ::CORBA::ServiceDetail& _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_ServiceDetail, &_v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::ServiceDetail* _v) {
  ::callis::typecode::adopt(_a, ::CORBA::_tc_ServiceDetail, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, const ::CORBA::ServiceDetail*& _v) {
  return ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceDetail, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::ServiceDetail*& _v) {
  const ::CORBA::ServiceDetail* _c;
  const bool _ok = ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceDetail, _c);
  _v = const_cast<::CORBA::ServiceDetail*>(_c);
  return _ok;
}

class ServiceDetailSeq;
typedef ::callis::classic::SequenceVar<ServiceDetailSeq> ServiceDetailSeq_var;
typedef ::callis::classic::VariableOut<ServiceDetailSeq, ServiceDetailSeq_var> ServiceDetailSeq_out;
class ServiceDetailSeq : public ::callis::classic::Sequence<::CORBA::ServiceDetail> {
 public:
  typedef ServiceDetailSeq_var _var_type;
  typedef ServiceDetailSeq_out _out_type;
  using SequenceOf::SequenceOf;
};
extern const ::CORBA::TypeCode_ptr _tc_ServiceDetailSeq;
inline void operator<<=(::CORBA::Any& _a, const ::CORBA::ServiceDetailSeq& _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_ServiceDetailSeq, &_v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::ServiceDetailSeq* _v) {
  ::callis::typecode::adopt(_a, ::CORBA::_tc_ServiceDetailSeq, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, const ::CORBA::ServiceDetailSeq*& _v) {
  return ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceDetailSeq, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::ServiceDetailSeq*& _v) {
  const ::CORBA::ServiceDetailSeq* _c;
  const bool _ok = ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceDetailSeq, _c);
  _v = const_cast<::CORBA::ServiceDetailSeq*>(_c);
  return _ok;
}

struct ServiceInformation;
typedef ::callis::classic::VariableVar<ServiceInformation> ServiceInformation_var;
typedef ::callis::classic::VariableOut<ServiceInformation> ServiceInformation_out;
struct ServiceInformation {
  typedef ::CORBA::ServiceInformation_var _var_type;
  typedef ::CORBA::ServiceInformation_out _out_type;
  ::CORBA::ServiceOptionSeq service_options;
  ::CORBA::ServiceDetailSeq service_details;
};
extern const ::CORBA::TypeCode_ptr _tc_ServiceInformation;
inline void operator<<=(::CORBA::Any& _a, const ::CORBA::ServiceInformation& _v) {
  ::callis::typecode::insert(_a, ::CORBA::_tc_ServiceInformation, &_v);
}
inline void operator<<=(::CORBA::Any& _a, ::CORBA::ServiceInformation* _v) {
  ::callis::typecode::adopt(_a, ::CORBA::_tc_ServiceInformation, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, const ::CORBA::ServiceInformation*& _v) {
  return ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceInformation, _v);
}
inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ::CORBA::ServiceInformation*& _v) {
  const ::CORBA::ServiceInformation* _c;
  const bool _ok = ::callis::typecode::extract_pointer(_a, ::CORBA::_tc_ServiceInformation, _c);
  _v = const_cast<::CORBA::ServiceInformation*>(_c);
  return _ok;
}

}  // namespace CORBA::inline callis_orb
