// SPDX-License-Identifier: Apache-2.0
// Moments as the Time Service has them: units of 100 ns since 15 October 1582, 00:00 UTC.
#pragma once
#include <chrono>
#include <cstdint>

namespace callis::logs {

using TimeT = std::uint64_t;
inline constexpr TimeT kTicksOfSecond = 10'000'000;
inline constexpr TimeT kUnixEpoch = 0x01B21DD213814000;  // 1 January 1970

TimeT now();

}  // namespace callis::logs
