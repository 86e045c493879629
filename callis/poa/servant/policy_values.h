// SPDX-License-Identifier: Apache-2.0
// The values of adapters' policies as Anys, which ORB::create_policy() takes (CORBA 3.3 part 1, 8.5.3 and 15.3.8).
#pragma once
#include <callis/poa/servant/policy.h>
#include <callis/typecode/any.h>

namespace PortableServer::inline callis_orb {

#define CALLIS_POLICY_VALUE(NAME)                                                              \
  extern const CORBA::TypeCode_ptr _tc_##NAME;                                                 \
  inline void operator<<=(CORBA::Any& any, NAME value) {                                       \
    callis::typecode::insert(any, _tc_##NAME, &value);                                         \
  }                                                                                            \
  inline CORBA::Boolean operator>>=(const CORBA::Any& any, NAME& value) {                      \
    return callis::typecode::extract_value(any, _tc_##NAME, value);                            \
  }                                                                                            \
  static_assert(true)
CALLIS_POLICY_VALUE(ThreadPolicyValue);
CALLIS_POLICY_VALUE(LifespanPolicyValue);
CALLIS_POLICY_VALUE(IdUniquenessPolicyValue);
CALLIS_POLICY_VALUE(IdAssignmentPolicyValue);
CALLIS_POLICY_VALUE(ImplicitActivationPolicyValue);
CALLIS_POLICY_VALUE(ServantRetentionPolicyValue);
CALLIS_POLICY_VALUE(RequestProcessingPolicyValue);
#undef CALLIS_POLICY_VALUE

}  // namespace PortableServer::inline callis_orb
