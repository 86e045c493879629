// SPDX-License-Identifier: Apache-2.0
// Times as people write them: "25ms", "1.5 us", "2s", "40Hz" (a period of 25 ms); a number without a unit is
// nanoseconds.
#pragma once
#include <services/scheduling/rt_info.h>
#include <optional>
#include <string>
#include <string_view>

namespace callis::scheduling {

// Exact: what is no whole number of nanoseconds is refused, but for Hz, whose period is rounded down. Nothing for
// what is no time, or longer than kLongestTime. Units: ns, us, ms, s, min, Hz.
std::optional<Time> parse_time(std::string_view text);
// The same time, in the largest unit in which it has at most three decimals: "25ms", "1.5us". "endless": kNever.
std::string time_text(Time time);

}  // namespace callis::scheduling
