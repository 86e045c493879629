// SPDX-License-Identifier: Apache-2.0
#include <services/streams/flows/rtp_source.h>
#include <algorithm>

namespace callis::streams {

namespace {
constexpr std::uint32_t kNone = 1u << 16;  // no sequence number
}

RtpSource::RtpSource(std::uint16_t first) { restart(first); }

void RtpSource::restart(std::uint16_t sequence) {
  base_ = highest_ = sequence;
  cycles_ = 0;
  next_after_jump_ = kNone;
  received_ = expected_before_ = received_before_ = 0;
}

bool RtpSource::take(std::uint16_t sequence) {
  const auto ahead = static_cast<std::uint16_t>(sequence - highest_);
  if (ahead < kMaxDropout) {
    if (sequence < highest_) cycles_ += 1u << 16;
    highest_ = sequence;
  } else if (ahead <= 65536 - kMaxMisorder) {
    if (sequence != next_after_jump_) {
      next_after_jump_ = static_cast<std::uint16_t>(sequence + 1);
      return false;
    }
    restart(sequence);  // two in a row: the source has begun anew
  }
  ++received_;
  return true;
}

void RtpSource::arrived(std::uint32_t arrival, std::uint32_t timestamp) {
  const std::uint32_t transit = arrival - timestamp;
  if (has_transit_) {
    const auto change = static_cast<std::int32_t>(transit - transit_);
    const std::uint32_t distance =
        change < 0 ? 0u - static_cast<std::uint32_t>(change) : static_cast<std::uint32_t>(change);
    jitter_ += distance - ((jitter_ + 8) >> 4);
  }
  has_transit_ = true;
  transit_ = transit;
}

std::uint8_t RtpSource::fraction_lost() {
  const std::uint64_t expected_now = expected();
  const auto expected_here = static_cast<std::int64_t>(expected_now - expected_before_);
  const auto lost_here = expected_here - static_cast<std::int64_t>(received_ - received_before_);
  expected_before_ = expected_now;
  received_before_ = received_;
  if (expected_here <= 0 || lost_here <= 0) return 0;
  return static_cast<std::uint8_t>(std::min<std::int64_t>(255, (lost_here << 8) / expected_here));
}

}  // namespace callis::streams
