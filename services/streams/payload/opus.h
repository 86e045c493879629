// SPDX-License-Identifier: Apache-2.0
// Opus as RTP payload (RFC 7587: a packet is a payload), out of Ogg files (RFC 3533, RFC 7845).
#pragma once
#include <callis/base/bytes.h>
#include <cstdint>
#include <vector>

namespace callis::streams {

inline constexpr std::uint32_t kOpusClock = 48000;  // units a second of RTP timestamps

// How long a packet lasts, in units of kOpusClock (RFC 6716, 3.1). 0: it is malformed.
std::uint32_t opus_duration(ByteView packet);

// Cuts Opus packets out of an Ogg stream; its two header packets are passed over. One thread at a time.
class OggOpus final {
 public:
  void push(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  // False: there is none yet.
  bool next(std::vector<Byte>& packet);
  std::uint64_t malformed() const { return malformed_; }  // bytes that belong to no page

 private:
  bool read_page();

  static constexpr std::size_t kMostPacket = 61440;  // 120 ms at 510 kbit/s for each of 8 channels: above all that is
  std::vector<Byte> bytes_;
  std::vector<std::vector<Byte>> packets_;  // whole ones, in order
  std::size_t taken_ = 0;
  std::vector<Byte> unfinished_;
  std::uint64_t count_ = 0, malformed_ = 0;
};

}  // namespace callis::streams
