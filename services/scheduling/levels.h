// SPDX-License-Identifier: Apache-2.0
// assign_levels(): who goes before whom. Level 0 is the lowest.
#pragma once
#include <services/scheduling/streams.h>

namespace callis::scheduling {

// RateMonotonic: the shorter the period, the higher (Liu and Layland 1973). DeadlineMonotonic: the shorter the
// deadline (Leung and Whitehead 1982); the better one where deadlines are shorter than periods.
enum class Policy : std::uint8_t { RateMonotonic, DeadlineMonotonic };
// Shared: operations of the same rate (or deadline) and the same importance have one level, as in the papers. Each:
// every operation has its own; equal ones are ordered by importance, then callers first, then as they were
// registered.
enum class Sharing : std::uint8_t { Shared, Each };

struct Levels {
  std::uint32_t count = 0;
  // Of each RT_Info; background operations are at a level of their own, the lowest, where there are any. kNoLevel:
  // what only runs inside others, and And and Or without an execution time.
  std::vector<std::uint32_t> of;
};
inline constexpr std::uint32_t kNoLevel = std::numeric_limits<std::uint32_t>::max();

Levels assign_levels(const Model& model, const Streams& streams, Policy policy, Sharing sharing);

// The deadline of a stream: of its RT_Info, or else its period.
Time deadline_of(const Model& model, const Stream& stream);

}  // namespace callis::scheduling
