// SPDX-License-Identifier: Apache-2.0
// The wall clock in TimeBase's units, and the types of the policies that name a moment on this clock (CORBA 3.0.3,
// 22.2.4).
#pragma once
#include <callis/base/clock.h>
#include <callis/ior/policy_values.h>
#include <chrono>
#include <ratio>

namespace callis::orb {

inline constexpr std::uint32_t kRequestStartType = 27, kRequestEndType = 28,
                               kReplyStartType = 29, kReplyEndType = 30;

using UtcUnits = std::chrono::duration<std::uint64_t, std::ratio<1, 10'000'000>>;

inline ior::Moment utc_now() {
  constexpr ior::Moment kUnixEpoch = 0x01B21DD213814000;  // 1 January 1970
  return kUnixEpoch +
         std::chrono::duration_cast<UtcUnits>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The moment on the steady clock, or a little later, but never earlier; TimePoint::max() beyond the clock's end.
inline TimePoint not_before(ior::Moment moment) {
  const ior::Moment utc = utc_now();  // before the other clock is read
  const TimePoint now = Clock::steady().now();
  if (moment <= utc) return now;
  const auto most = static_cast<ior::Moment>(std::chrono::duration_cast<UtcUnits>(TimePoint::max() - now).count());
  if (moment - utc >= most) return TimePoint::max();
  return now + std::chrono::duration_cast<TimePoint::duration>(UtcUnits(moment - utc));
}

}  // namespace callis::orb
