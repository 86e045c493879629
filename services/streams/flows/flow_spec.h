// SPDX-License-Identifier: Apache-2.0
// Flow specs: the strings that describe the flows of a stream. A&V Streams 1.0, 2.2.4.
//
//   forward   flow\direction\format\flowProtocol\address      video\in\MIME:video/H264\RTP\RTP/UDP=10.0.0.1:5004
//   reverse   flow\address\flowProtocol                       video\RTP/UDP=10.0.0.2:6004\RTP
//
// Fields behind the name may be empty or left out. `in` is from the A party to the B party, as IDL's `in` is from
// client to server; `out` is from B to A. Both kinds come from peers: everything that is not as here is refused.
#pragma once
#include <services/streams/flows/address.h>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callis::streams {

inline constexpr std::size_t kMostFlows = 64;         // of a stream
inline constexpr std::size_t kMostEntryBytes = 1024;  // of one string
inline constexpr std::size_t kMostNameBytes = 64;     // of a flow's name
inline constexpr std::size_t kMostFieldBytes = 256;   // of each other field

enum class Direction : std::uint8_t { In, Out };  // from A to B; from B to A

// The protocol of frames within the carrier: empty (none), "RTP", or "SFP1.0" with "credit=N" behind a colon.
struct FlowProtocol {
  enum class Kind : std::uint8_t { None, Rtp, Sfp } kind = Kind::None;
  std::uint32_t credit = 0;  // of SFP: frames; 0: no credit

  bool operator==(const FlowProtocol&) const = default;
  std::string text() const;
};
// Throws FlowFailed.
FlowProtocol parse_flow_protocol(std::string_view text);

struct FlowEntry {
  std::string flow;
  std::optional<Direction> direction;  // forward entries
  std::string format;                  // forward entries; empty: any
  FlowProtocol protocol;
  std::optional<FlowAddress> address;

  bool operator==(const FlowEntry&) const = default;
  std::string forward_text() const;
  std::string reverse_text() const;
};

// Throw FlowFailed; its text has the place in the entry.
FlowEntry parse_forward(std::string_view entry);
FlowEntry parse_reverse(std::string_view entry);
// The name alone, of entries of either kind. Throws FlowFailed.
std::string flow_name(std::string_view entry);

}  // namespace callis::streams
