// SPDX-License-Identifier: Apache-2.0
// Sums and products of times that end at kNever instead of overflowing: kNever is more than any time that can be
// given, and whatever is added to it or multiplied with it stays there.
#pragma once
#include <services/scheduling/rt_info.h>
#include <algorithm>

namespace callis::scheduling {

// 2^60 ns: 36 years. Twice as much fits.
inline constexpr std::int64_t kNever = std::int64_t{1} << 60;

// Both 0 to kNever.
constexpr std::int64_t plus(std::int64_t a, std::int64_t b) { return std::min(a + b, kNever); }
constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kNever : std::min(out, kNever);
}
// a / b, rounded up; b: 1 or more.
constexpr std::int64_t parts(std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; }

}  // namespace callis::scheduling
