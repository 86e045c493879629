// SPDX-License-Identifier: Apache-2.0
// The objects of the real-time policies, and how ORB::create_policy() makes them.
#pragma once
#include <callis/orb/base/policy_management.h>
#include <callis/rt/policies/policies.h>

namespace callis::rt {

// Each for the caller to own; BAD_PARAM, with words, for bad values.
RTCORBA::PriorityModelPolicy_ptr make_priority_model(RTCORBA::PriorityModel model, RTCORBA::Priority priority);
RTCORBA::ThreadpoolPolicy_ptr make_threadpool(RTCORBA::ThreadpoolId id);
RTCORBA::ServerProtocolPolicy_ptr make_server_protocols(const RTCORBA::ProtocolList& protocols);
RTCORBA::ClientProtocolPolicy_ptr make_client_protocols(const RTCORBA::ProtocolList& protocols);
RTCORBA::PrivateConnectionPolicy_ptr make_private_connection();
RTCORBA::PriorityBandedConnectionPolicy_ptr make_bands(const RTCORBA::PriorityBands& bands);

// An orb::PolicyFactory, for the types of is_rt_policy(). CORBA::PolicyError: BAD_POLICY_TYPE for a value of another
// type, BAD_POLICY_VALUE.
CORBA::Policy_ptr make_policy(CORBA::PolicyType type, const CORBA::Any& value);

}  // namespace callis::rt
