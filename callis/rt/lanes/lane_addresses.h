// SPDX-License-Identifier: Apache-2.0
// Where the lanes of an object's thread pool are called: a component of callis's own in references to objects whose
// clients choose the lane, by CLIENT_PROPAGATED. Other ORBs call the profile's address, and are forwarded.
//
//   component CALLIS_LANES, an encapsulation:  sequence of { short priority; string host; unsigned short port }
//
// Lanes stand at the host of the profile: an address at any other one is not believed, so that a reference leads
// nowhere that its profile does not.
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
// None where the data is malformed, or has more than kMostLanes. Bytes behind the list are ignored.
std::optional<std::vector<LaneAddress>> parse_lanes(ByteView data);

// The rule by which a request of that priority finds its lane: the one of that priority; else the nearest of lower
// priority, as no request may run before those of its own; else the lowest that there is. priorities: ascending, at
// least one. The index.
std::size_t lane_for(std::span<const std::int16_t> priorities, std::int16_t priority);

}  // namespace callis::rt
