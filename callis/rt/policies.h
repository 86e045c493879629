// SPDX-License-Identifier: Apache-2.0
// RtPolicies: the real-time policies of an adapter or of a call, as values (Real-time CORBA 1.2; policy types 40 to
// 45).
#pragma once
#include <callis/idl/RTCORBA.h>
#include <callis/rt/threadpools.h>
#include <optional>
#include <vector>

namespace callis::rt {

struct Band {
  CORBA::Short low, high;
  bool contains(RTCORBA::Priority p) const { return p >= low && p <= high; }
  friend bool operator==(const Band&, const Band&) = default;
};

// A protocol of ServerProtocolPolicy or ClientProtocolPolicy. Sizes in bytes; 0: as the system gives.
struct ProtocolTerms {
  std::uint32_t profile = 0;        // tag of the profile: kInternetProfile, kUiopProfile, kMemoryProfile
  bool has_properties = false;      // otherwise the rest has its defaults
  std::int32_t send_buffer = 0;     // of sockets
  std::int32_t receive_buffer = 0;  // of sockets; of memory endpoints: their buffer
  bool keep_alive = false, dont_route = false, no_delay = true;  // of TCP
  friend bool operator==(const ProtocolTerms&, const ProtocolTerms&) = default;
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

// Whether it is one of the types 40 to 45.
constexpr bool is_rt_policy(CORBA::PolicyType type) {
  return type >= RTCORBA::PRIORITY_MODEL_POLICY_TYPE && type <= RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE;
}

// Those of the list that are real-time policies; nil and others are passed over. Of two of one type the last counts.
RtPolicies read_rt_policies(const CORBA::PolicyList& policies);

// The index of the first real-time policy of the list with which no adapter can be made, none where all is well: one
// of a type with another class, the second of its type, bands that do not fit the lanes, protocols that the ORB has
// no address of. core: of the ORB whose pools and addresses count; nullptr where nobody asks for them.
std::optional<CORBA::UShort> find_bad_policy(const CORBA::PolicyList& policies, orb::Core* core);

// What is wrong with bands: nullptr where nothing is. They are some, in ascending order, and do not overlap.
const char* fault_of(const std::vector<Band>& bands);
// Whether requests of that priority have a lane: that of the same priority; of pools without lanes any.
bool has_lane(const ThreadpoolTerms& pool, RTCORBA::Priority priority);
// Whether each band holds a lane of the pool, of pools with lanes.
bool bands_have_lanes(const std::vector<Band>& bands, const ThreadpoolTerms& pool);
// The band that holds it; nullptr for none.
const Band* find_band(const std::vector<Band>& bands, RTCORBA::Priority priority);

}  // namespace callis::rt
