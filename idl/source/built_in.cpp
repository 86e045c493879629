// SPDX-License-Identifier: Apache-2.0
#include <idl/source/built_in.h>

namespace callis::idl::source {

namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view text;
};

// CORBA 3.3 part 1, 7.4.1.2: an IDL file that uses what module CORBA declares includes orb.idl. The
// names that the compiler knows by itself (CORBA::Object, CORBA::TypeCode ...) need no text here. The
// C++ types of the others are in callis/value/basic_sequences.h and callis/orb/api/standard_names.h.
constexpr BuiltIn kFiles[] = {
    {"orb.idl", R"(#ifndef _ORB_IDL_
#define _ORB_IDL_
#pragma prefix "omg.org"
module CORBA {
  typedef sequence<any> AnySeq;
  typedef sequence<boolean> BooleanSeq;
  typedef sequence<char> CharSeq;
  typedef sequence<wchar> WCharSeq;
  typedef sequence<octet> OctetSeq;
  typedef sequence<short> ShortSeq;
  typedef sequence<unsigned short> UShortSeq;
  typedef sequence<long> LongSeq;
  typedef sequence<unsigned long> ULongSeq;
  typedef sequence<long long> LongLongSeq;
  typedef sequence<unsigned long long> ULongLongSeq;
  typedef sequence<float> FloatSeq;
  typedef sequence<double> DoubleSeq;
  typedef sequence<long double> LongDoubleSeq;
  typedef sequence<string> StringSeq;
  typedef sequence<wstring> WStringSeq;

  typedef string Identifier;
  typedef string RepositoryId;
  typedef string ScopedName;

  typedef unsigned short ServiceType;
  typedef unsigned long ServiceOption;
  typedef unsigned long ServiceDetailType;

  typedef unsigned long PolicyType;
  interface Policy {
    readonly attribute PolicyType policy_type;
    Policy copy();
    void destroy();
  };
  typedef sequence<Policy> PolicyList;
  typedef sequence<PolicyType> PolicyTypeSeq;
  typedef short PolicyErrorCode;
  const PolicyErrorCode BAD_POLICY = 0;
  const PolicyErrorCode UNSUPPORTED_POLICY = 1;
  const PolicyErrorCode BAD_POLICY_TYPE = 2;
  const PolicyErrorCode BAD_POLICY_VALUE = 3;
  const PolicyErrorCode UNSUPPORTED_POLICY_VALUE = 4;
  exception PolicyError {
    PolicyErrorCode reason;
  };
  exception InvalidPolicies {
    UShortSeq indices;
  };
  enum SetOverrideType { SET_OVERRIDE, ADD_OVERRIDE };
  local interface Current {};
  local interface PolicyManager {
    PolicyList get_policy_overrides(in PolicyTypeSeq ts);
    void set_policy_overrides(in PolicyList policies, in SetOverrideType set_add) raises (InvalidPolicies);
  };
  local interface PolicyCurrent : PolicyManager, Current {};

  interface InterfaceDef;
};
#endif
)"},
    {"TypeCode.idl", ""},
};

}  // namespace

std::optional<std::string_view> built_in_file(std::string_view name) {
  for (const BuiltIn& file : kFiles) {
    if (file.name == name) {
      return file.text;
    }
  }
  return std::nullopt;
}

}  // namespace callis::idl::source
