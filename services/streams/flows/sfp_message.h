// SPDX-License-Identifier: Apache-2.0
// Messages of SFP 1.0, the Simple Flow Protocol, as bytes. A&V Streams 1.0, 2.4 (module flowProtocol): CDR, the
// first member of each message being its magic number. Written in little endian, read in both orders.
#pragma once
#include <callis/base/bytes.h>
#include <array>
#include <optional>
#include <variant>
#include <vector>

namespace callis::streams {

inline constexpr std::size_t kMostSfpSources = 255;

// message_type of a frame's header.
enum class SfpType : std::uint8_t {
  Start,
  EndOfStream,
  SimpleFrame,
  SequencedFrame,
  Frame,
  SpecialFrame,
  StartReply,
  Credit,
  Fragment
};

struct SfpStart {
  std::uint8_t major = 1, minor = 0;
};
struct SfpStartReply {
  bool refused = false;
};
struct SfpCredit {
  std::uint32_t number = 0;
};
struct SfpFrame {
  SfpType type = SfpType::SimpleFrame;      // EndOfStream, SimpleFrame, SequencedFrame, Frame or SpecialFrame
  bool more = false;                        // fragments follow
  std::uint32_t sequence = 0;               // SequencedFrame, Frame
  std::uint32_t timestamp = 0, source = 0;  // Frame: its time, and who keeps time
  std::vector<std::uint32_t> sources;       // Frame
  std::uint32_t context = 0;                // SpecialFrame
  ByteView data;
};
struct SfpFragment {
  bool more = false;
  std::uint32_t number = 0;  // 1, 2 ...: the header's piece is before the first
  std::uint32_t sequence = 0, source = 0;
  ByteView data;
};
using SfpMessage = std::variant<SfpStart, SfpStartReply, SfpCredit, SfpFrame, SfpFragment>;

// A datagram. Nothing: it is malformed.
std::optional<SfpMessage> parse_sfp(ByteView datagram);
// How long the message is that `bytes` begin with: 0: more bytes are needed to say. Nothing: it is none, or longer
// than `most`.
std::optional<std::size_t> sfp_size(ByteView bytes, std::size_t most);

// The bytes in front of `data`.
std::vector<Byte> sfp_head(const SfpFrame& frame);
std::array<Byte, 24> sfp_head(const SfpFragment& fragment);
std::array<Byte, 7> sfp_bytes(const SfpStart& start);
std::array<Byte, 5> sfp_bytes(const SfpStartReply& reply);
std::array<Byte, 8> sfp_bytes(const SfpCredit& credit);

}  // namespace callis::streams
