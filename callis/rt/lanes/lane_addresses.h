// SPDX-License-Identifier: Apache-2.0
// The addresses of the lanes of an object's thread pool: a component of callis's own in references to objects whose
// clients choose the lane, by CLIENT_PROPAGATED. Other ORBs call the profile's address, and are forwarded.
//
//   component CALLIS_LANES, an encapsulation:  sequence of { short priority; string host; unsigned short port }
//
// Lanes have the host of the profile. Clients do not believe an address at another host, so that a reference leads
// only where its profile leads.
#pragma once
#include <callis/ior/iiop_profile.h>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace callis::rt {

inline constexpr std::uint32_t kLanesComponent = 0x43414C01;
inline constexpr std::size_t kMostLanes = 64;  // of one pool, and of one component

struct LaneAddress {
  std::int16_t priority = 0;
  ior::Address address;
  friend bool operator==(const LaneAddress&, const LaneAddress&) = default;
};

ior::TaggedComponent lanes_component(std::span<const LaneAddress> lanes, ByteOrder order = kNativeOrder);
// Returns none if the data is malformed, or has more than kMostLanes. Bytes behind the list are ignored.
std::optional<std::vector<LaneAddress>> parse_lanes(ByteView data);

// Returns the index of the lane for a request of that priority: the lane of the same priority, else the nearest lower
// one, else the lowest of all. The nearest higher lane would run the request before requests of its own priority.
// priorities: ascending, not empty.
std::size_t lane_for(std::span<const std::int16_t> priorities, std::int16_t priority);

}  // namespace callis::rt
