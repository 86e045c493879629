// SPDX-License-Identifier: Apache-2.0
// The wall clock as TimeBase has it, and the types of the policies that name a moment on it (CORBA 3.0.3, 22.2.4).
#pragma once
#include <callis/ior/policy_values.h>
#include <chrono>
#include <ratio>

namespace callis::orb {

inline constexpr std::uint32_t kRequestEndType = 28, kReplyEndType = 30;

using UtcUnits = std::chrono::duration<std::uint64_t, std::ratio<1, 10'000'000>>;

inline ior::Moment utc_now() {
  constexpr ior::Moment kUnixEpoch = 0x01B21DD213814000;  // 1 January 1970
  return kUnixEpoch +
         std::chrono::duration_cast<UtcUnits>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace callis::orb
