// SPDX-License-Identifier: Apache-2.0
// TypeCodes of the values of adapters' policies, and how ORB::create_policy() makes such policies.
#include <callis/base/feature.h>
#include <callis/marshal/handlers.h>
#include <callis/orb/base/policy_management.h>
#include <callis/poa/servant/policy_values.h>
#include <callis/typecode/table.h>
#include <string_view>

CALLIS_PROVIDE(policy_values);

namespace PortableServer::inline callis_orb {
namespace {

using callis::typecode::Constants;
using callis::typecode::Word;

// Of each: its id, its name, its enumerators.
#define CALLIS_ID(NAME) "IDL:omg.org/PortableServer/" #NAME ":1.0"
#define CALLIS_TEXTS(NAME) CALLIS_ID(NAME) "\0" #NAME "\0"
constexpr char kTexts[] =
    "\0"  // no text stands at 0
    CALLIS_TEXTS(ThreadPolicyValue) "ORB_CTRL_MODEL\0SINGLE_THREAD_MODEL\0MAIN_THREAD_MODEL\0"
    CALLIS_TEXTS(LifespanPolicyValue) "TRANSIENT\0PERSISTENT\0"
    CALLIS_TEXTS(IdUniquenessPolicyValue) "UNIQUE_ID\0MULTIPLE_ID\0"
    CALLIS_TEXTS(IdAssignmentPolicyValue) "USER_ID\0SYSTEM_ID\0"
    CALLIS_TEXTS(ImplicitActivationPolicyValue) "IMPLICIT_ACTIVATION\0NO_IMPLICIT_ACTIVATION\0"
    CALLIS_TEXTS(ServantRetentionPolicyValue) "RETAIN\0NON_RETAIN\0"
    CALLIS_TEXTS(RequestProcessingPolicyValue) "USE_ACTIVE_OBJECT_MAP_ONLY\0USE_DEFAULT_SERVANT\0USE_SERVANT_MANAGER";
#undef CALLIS_TEXTS
consteval Word place(std::string_view id) {
  return static_cast<Word>(std::string_view(kTexts, sizeof kTexts).find(id));
}
consteval Word name_place(std::string_view id) { return static_cast<Word>(place(id) + id.size() + 1); }
#define CALLIS_ENUM(NAME, ENUMERATORS)                                                          \
  callis::typecode::entry(CORBA::tk_enum), place(CALLIS_ID(NAME)), name_place(CALLIS_ID(NAME)), \
      ENUMERATORS, name_place(CALLIS_ID(NAME)) + sizeof(#NAME)
constexpr Word kWords[] = {
    CALLIS_ENUM(ThreadPolicyValue, 3),              // 0
    CALLIS_ENUM(LifespanPolicyValue, 2),            // 5
    CALLIS_ENUM(IdUniquenessPolicyValue, 2),        // 10
    CALLIS_ENUM(IdAssignmentPolicyValue, 2),        // 15
    CALLIS_ENUM(ImplicitActivationPolicyValue, 2),  // 20
    CALLIS_ENUM(ServantRetentionPolicyValue, 2),    // 25
    CALLIS_ENUM(RequestProcessingPolicyValue, 3),   // 30
};
#undef CALLIS_ENUM
#undef CALLIS_ID
constinit Constants<7> constants = {{kWords, kTexts, nullptr, nullptr, {}, 0},
                                    {{0, 0}, {5, 1}, {10, 2}, {15, 3}, {20, 4}, {25, 5}, {30, 6}}};

template <class P, class Value>
CORBA::Policy_ptr make(const CORBA::Any& any, Value most) {
  Value value{};
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value > most) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new P(value);
}

CORBA::Policy_ptr make_policy(CORBA::PolicyType type, const CORBA::Any& value) {
  switch (type) {
    case THREAD_POLICY_ID: return make<ThreadPolicy>(value, MAIN_THREAD_MODEL);
    case LIFESPAN_POLICY_ID: return make<LifespanPolicy>(value, PERSISTENT);
    case ID_UNIQUENESS_POLICY_ID: return make<IdUniquenessPolicy>(value, MULTIPLE_ID);
    case ID_ASSIGNMENT_POLICY_ID: return make<IdAssignmentPolicy>(value, SYSTEM_ID);
    case IMPLICIT_ACTIVATION_POLICY_ID: return make<ImplicitActivationPolicy>(value, NO_IMPLICIT_ACTIVATION);
    case SERVANT_RETENTION_POLICY_ID: return make<ServantRetentionPolicy>(value, NON_RETAIN);
    default: return make<RequestProcessingPolicy>(value, USE_SERVANT_MANAGER);
  }
}
bool is_ours(CORBA::PolicyType type) { return type >= THREAD_POLICY_ID && type <= REQUEST_PROCESSING_POLICY_ID; }

CALLIS_INSTALLER void install() { callis::orb::register_policy_factory(&is_ours, &make_policy); }

}  // namespace

constinit const CORBA::TypeCode_ptr _tc_ThreadPolicyValue = &constants.cells[0];
constinit const CORBA::TypeCode_ptr _tc_LifespanPolicyValue = &constants.cells[1];
constinit const CORBA::TypeCode_ptr _tc_IdUniquenessPolicyValue = &constants.cells[2];
constinit const CORBA::TypeCode_ptr _tc_IdAssignmentPolicyValue = &constants.cells[3];
constinit const CORBA::TypeCode_ptr _tc_ImplicitActivationPolicyValue = &constants.cells[4];
constinit const CORBA::TypeCode_ptr _tc_ServantRetentionPolicyValue = &constants.cells[5];
constinit const CORBA::TypeCode_ptr _tc_RequestProcessingPolicyValue = &constants.cells[6];

}  // namespace PortableServer::inline callis_orb
