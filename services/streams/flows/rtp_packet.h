// SPDX-License-Identifier: Apache-2.0
// RTP packets as bytes. RFC 3550, 5.1 and 5.3.1.
#pragma once
#include <callis/base/bytes.h>
#include <array>
#include <optional>

namespace callis::streams {

inline constexpr std::size_t kRtpHeaderBytes = 12;  // without CSRCs and extension

struct RtpPacket {
  bool marker = false;
  std::uint8_t payload_type = 0;
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;
  std::uint32_t ssrc = 0;
  std::uint8_t csrc_count = 0;
  std::array<std::uint32_t, 15> csrc{};
  bool has_extension = false;
  std::uint16_t extension_profile = 0;
  ByteView extension;  // whole words
  ByteView payload;    // without padding
};

// Views into `datagram`. Nothing: it is no RTP packet (A.1): too short for its header, its CSRCs, its extension or
// its padding, or of another version.
std::optional<RtpPacket> parse_rtp(ByteView datagram);

// The header without CSRCs, extension and padding.
std::array<Byte, kRtpHeaderBytes> rtp_header(const RtpPacket& of);

}  // namespace callis::streams
