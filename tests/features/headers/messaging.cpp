// SPDX-License-Identifier: Apache-2.0
#include <callis/messaging.h>
#include "promises.h"

int main() {
  return promises::run([](CORBA::ORB_ptr orb) {
    CORBA::Any any;
    any <<= TimeBase::TimeT{10'000};
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = orb->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, any);
    any <<= BiDirPolicy::BidirectionalPolicyValue{BiDirPolicy::BOTH};
    policies[1] = orb->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, any);
    const CORBA::Object_var object = orb->resolve_initial_references("ORBPolicyManager");
    const CORBA::PolicyManager_var manager = CORBA::PolicyManager::_narrow(object.in());
    manager->set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  });
}
