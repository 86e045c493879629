// SPDX-License-Identifier: Apache-2.0
// What a receiver knows of one source of RTP: its sequence, its losses, its jitter. RFC 3550, A.1, A.3 and A.8.
#pragma once
#include <cstdint>

namespace callis::streams {

class RtpSource final {
 public:
  // The source's first packet.
  explicit RtpSource(std::uint16_t first);

  // Counts a packet. False: it is out of sequence and does not count, as one that is far away from all others; the
  // next in its row then starts a new sequence.
  bool take(std::uint16_t sequence);
  // `arrival` and `timestamp` in units of the clock rate.
  void arrived(std::uint32_t arrival, std::uint32_t timestamp);

  std::uint32_t highest() const { return cycles_ + highest_; }  // extended by how often it wrapped
  std::uint64_t received() const { return received_; }
  std::uint64_t expected() const { return std::uint64_t{highest()} - base_ + 1; }
  // Duplicates make it negative.
  std::int64_t lost() const { return static_cast<std::int64_t>(expected()) - static_cast<std::int64_t>(received_); }
  std::uint32_t jitter() const { return jitter_ >> 4; }  // units of the clock rate
  // Of what was expected since the last call, in 256ths.
  std::uint8_t fraction_lost();

 private:
  void restart(std::uint16_t sequence);

  static constexpr std::uint16_t kMaxDropout = 3000, kMaxMisorder = 100;
  std::uint16_t highest_ = 0;
  std::uint32_t cycles_ = 0, base_ = 0, next_after_jump_ = 0;
  std::uint64_t received_ = 0, expected_before_ = 0, received_before_ = 0;
  std::uint32_t transit_ = 0, jitter_ = 0;
  bool has_transit_ = false;
};

}  // namespace callis::streams
