// SPDX-License-Identifier: Apache-2.0
// TypeCodes of orb.idl's types beside sequences (callis/typecode/basic_sequences.cpp) and InterfaceDef.
#include <callis/orb/core/standard_names.h>
#include <callis/typecode/table.h>
#include <string_view>

namespace callis::typecode {

namespace {

// Ids, and names behind them. The compiler computes their places.
constexpr char kPool[] =
    "IDL:omg.org/CORBA/Identifier:1.0\0Identifier\0"
    "IDL:omg.org/CORBA/RepositoryId:1.0\0RepositoryId\0"
    "IDL:omg.org/CORBA/ScopedName:1.0\0ScopedName\0"
    "IDL:omg.org/CORBA/ServiceType:1.0\0ServiceType\0"
    "IDL:omg.org/CORBA/ServiceOption:1.0\0ServiceOption\0"
    "IDL:omg.org/CORBA/ServiceDetailType:1.0\0ServiceDetailType\0"
    "IDL:omg.org/CORBA/PolicyType:1.0\0PolicyType\0"
    "IDL:omg.org/CORBA/PolicyList:1.0\0PolicyList\0"
    "IDL:omg.org/CORBA/Policy:1.0\0Policy\0"
    "IDL:omg.org/CORBA/Current:1.0\0Current";
consteval Word id(std::string_view text) {
  return static_cast<Word>(std::string_view(kPool, sizeof kPool).find(text));
}
consteval Word name(std::string_view text) { return static_cast<Word>(id(text) + text.size() + 1); }

enum Cell : Word {
  kIdentifier,
  kRepositoryId,
  kScopedName,
  kServiceType,
  kServiceOption,
  kServiceDetailType,
  kPolicyType,
  kPolicyList,
  kPolicies,
  kPolicy,
  kCurrent,
  kCount
};

#define CALLIS_NAMED(Name) id("IDL:omg.org/CORBA/" #Name ":1.0"), name("IDL:omg.org/CORBA/" #Name ":1.0")
constexpr Word kWords[] = {
    entry(CORBA::tk_alias), CALLIS_NAMED(Identifier), basic(CORBA::tk_string),        // 0
    entry(CORBA::tk_alias), CALLIS_NAMED(RepositoryId), basic(CORBA::tk_string),      // 4
    entry(CORBA::tk_alias), CALLIS_NAMED(ScopedName), basic(CORBA::tk_string),        // 8
    entry(CORBA::tk_alias), CALLIS_NAMED(ServiceType), basic(CORBA::tk_ushort),       // 12
    entry(CORBA::tk_alias), CALLIS_NAMED(ServiceOption), basic(CORBA::tk_ulong),      // 16
    entry(CORBA::tk_alias), CALLIS_NAMED(ServiceDetailType), basic(CORBA::tk_ulong),  // 20
    entry(CORBA::tk_alias), CALLIS_NAMED(PolicyType), basic(CORBA::tk_ulong),         // 24
    entry(CORBA::tk_alias), CALLIS_NAMED(PolicyList), cell(kPolicies),                // 28
    CORBA::tk_sequence, 0, cell(kPolicy),                                             // 32
    entry(CORBA::tk_objref, 0), CALLIS_NAMED(Policy),                                 // 35
    entry(CORBA::tk_local_interface), CALLIS_NAMED(Current),                          // 38
};
#undef CALLIS_NAMED
constexpr const void* kLinks[] = {&CORBA::callis_link_Policy};

constinit Constants<kCount> constants = {{kWords, kPool, kLinks, nullptr, {}, 0},
                                         {{0, 0}, {4, 1}, {8, 2}, {12, 3}, {16, 4}, {20, 5}, {24, 6}, {28, 7},
                                          {32, 8}, {35, 9}, {38, 10}}};

}  // namespace

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

using namespace callis::typecode;

constinit const TypeCode_ptr _tc_Identifier = &constants.cells[kIdentifier];
constinit const TypeCode_ptr _tc_RepositoryId = &constants.cells[kRepositoryId];
constinit const TypeCode_ptr _tc_ScopedName = &constants.cells[kScopedName];
constinit const TypeCode_ptr _tc_ServiceType = &constants.cells[kServiceType];
constinit const TypeCode_ptr _tc_ServiceOption = &constants.cells[kServiceOption];
constinit const TypeCode_ptr _tc_ServiceDetailType = &constants.cells[kServiceDetailType];
constinit const TypeCode_ptr _tc_PolicyType = &constants.cells[kPolicyType];
constinit const TypeCode_ptr _tc_PolicyList = &constants.cells[kPolicyList];
constinit const TypeCode_ptr _tc_Policy = &constants.cells[kPolicy];
constinit const TypeCode_ptr _tc_Current = &constants.cells[kCurrent];

}  // namespace CORBA::inline callis_orb
