// SPDX-License-Identifier: Apache-2.0
// The network priorities of an ORB: the mappings that -ORBNetworkPriorityMapping selects, and the one in use.
#pragma once
#include <callis/rt/base/replaceable.h>
#include <callis/rt/priorities/mappings.h>
#include <callis/rt/priorities/network_priority.h>
#include <callis/rt/priorities/priorities.h>
#include <cstdint>

namespace callis::rt {

using CodePoint = std::uint8_t;  // 0 to 63 (RFC 2474)

// In the order of the option's words.
//
//   Classes  0, CS2, CS3, CS4, CS5, EF (RFC 2474, 3246), spread evenly over the native priorities, so that what is
//            more urgent here is not less so at a router. CS1 (RFC 3662: less than best effort) and the network's
//            own, CS6 and CS7, are left out
//   Linear   as TAO's: 0, CS1 to CS7, AF11 to AF43, EF, spread evenly over the CORBA priorities, 0 to 32767
enum class NetworkMappingKind : std::uint8_t { Classes, Linear };

// mapper, range: of native priorities; the mapper outlives the result.
std::unique_ptr<RTCORBA::NetworkPriorityMapping> make_network_mapping(NetworkMappingKind kind,
                                                                      const PriorityMapper& mapper,
                                                                      NativeRange range);

// The mapping of an ORB. Any thread; the mapping can be replaced while others use it.
class NetworkPriorityMapper final {
 public:
  explicit NetworkPriorityMapper(std::unique_ptr<RTCORBA::NetworkPriorityMapping> first)
      : mapping_(std::move(first)) {}

  // Returns none if the mapping has none, throws, or returns a number that is no code point.
  std::optional<CodePoint> code_point(RTCORBA::Priority priority) const noexcept;

  RTCORBA::NetworkPriorityMapping* mapping() const { return mapping_.now(); }
  void set(std::unique_ptr<RTCORBA::NetworkPriorityMapping> mapping) { mapping_.set(std::move(mapping)); }

 private:
  Replaceable<RTCORBA::NetworkPriorityMapping> mapping_;
};

}  // namespace callis::rt
