// SPDX-License-Identifier: Apache-2.0
// RtPolicies: the real-time policies of an adapter or of a call, as values (Real-time CORBA 1.2; policy types 40 to
// 45).
#pragma once
#include <callis/idl/RTCORBA.h>
#include <callis/rt/protocols/protocol_terms.h>
#include <optional>
#include <vector>

namespace callis::rt {

struct Band {
  CORBA::Short low, high;
  bool contains(RTCORBA::Priority p) const { return p >= low && p <= high; }
  friend bool operator==(const Band&, const Band&) = default;
};

struct RtPolicies {
  std::optional<RTCORBA::PriorityModel> model;
  RTCORBA::Priority server_priority = 0;  // of the model
  std::optional<std::uint32_t> threadpool;  // 0: the default pool, which are the ORB's usual threads
  std::vector<Band> bands;  // empty: none
  bool private_connection = false;
  // nullopt: no such policy; in order of preference.
  std::optional<std::vector<ProtocolTerms>> server_protocols, client_protocols;

  bool empty() const {
    return !model && !threadpool && bands.empty() && !private_connection && !server_protocols && !client_protocols;
  }
  friend bool operator==(const RtPolicies&, const RtPolicies&) = default;
};

// Returns whether the type is one of 40 to 45.
constexpr bool is_rt_policy(CORBA::PolicyType type) {
  return type >= RTCORBA::PRIORITY_MODEL_POLICY_TYPE && type <= RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE;
}

// Reads the real-time policies of the list; nil and others are passed over. The last of each type counts.
RtPolicies read_rt_policies(const CORBA::PolicyList& policies);
// Reads one more policy. Returns false, and reads nothing, if its class is not the one of its type.
bool read_rt_policy(CORBA::Policy& policy, RtPolicies& to);

// Returns a text about what is wrong with bands; nullptr if they are right. Bands are right if there are some, in
// ascending order, and none overlap.
const char* fault_of(const std::vector<Band>& bands);
// Returns the band that holds the priority; nullptr for none.
const Band* find_band(const std::vector<Band>& bands, RTCORBA::Priority priority);

}  // namespace callis::rt
