// SPDX-License-Identifier: Apache-2.0
// omniORB's policy of calls to objects of the same process, which is callis's collocation policy.
#pragma once
#include <callis/poa/servant/demultiplexing.h>

namespace omniPolicy::inline callis_compat {

enum LocalShortcutPolicyValue { LOCAL_CALLS_STANDARD, LOCAL_CALLS_SHORTCUT };
inline constexpr CORBA::PolicyType LOCAL_SHORTCUT_POLICY_TYPE = callis::poa::kCollocationPolicyType;

// Makes a policy for create_POA(). The caller owns the policy.
inline CORBA::Policy_ptr create_local_shortcut_policy(LocalShortcutPolicyValue value) {
  using callis::poa::Collocation;
  return callis::poa::create_collocation_policy(value == LOCAL_CALLS_SHORTCUT ? Collocation::Direct
                                                                              : Collocation::ThroughAdapter);
}

}  // namespace omniPolicy::inline callis_compat
