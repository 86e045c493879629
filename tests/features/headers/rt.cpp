// SPDX-License-Identifier: Apache-2.0
#include <callis/rt.h>
#include "promises.h"

int main() {
  return promises::run([](CORBA::ORB_ptr orb) {
    promises::resolves(orb, "RTORB");
    promises::resolves(orb, "RTCurrent");
    promises::resolves(orb, "PriorityMappingManager");
    promises::resolves(orb, "PriorityTransformManager");
    promises::resolves(orb, "NetworkPriorityMappingManager");
    const CORBA::Policy_var policy = orb->create_policy(RTCORBA::PRIVATE_CONNECTION_POLICY_TYPE, CORBA::Any());
    if (policy->policy_type() != RTCORBA::PRIVATE_CONNECTION_POLICY_TYPE) throw CORBA::INTERNAL();
  });
}
