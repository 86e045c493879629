// SPDX-License-Identifier: Apache-2.0
// analyse(): the longest time in which each stream answers, on one processor with fixed priorities and preemption.
//
// The response time is that of Joseph and Pandya (1986), for deadlines beyond the period by Lehoczky's busy periods
// (1990), with jitter and blocking as Audsley, Burns, Tindell and Wellings have it (1993):
//
//     w(q) = B + (q + 1) C + sum over all others of equal or higher lanes of C' * ceil((w(q) + J') / T')
//     R    = max over q of w(q) - q T + J, as long as the next release lies within w(q)
//
// B, the blocking, is what `blocking` of the RT_Info says, and for each lock that its lane or a higher one uses the
// longest time for which a lower lane holds it (priority inheritance, Sha, Rajkumar and Lehoczky 1990). Streams of
// one lane go in the order of their release, and are taken as if each went last.
//
// What is called one-way, at a lane not above its caller's, is released while its caller keeps the processor busy, so
// its time is counted from the release of its caller. At a lane above it is released with a jitter: its caller's
// response time (holistic analysis, Tindell and Clark 1994); that is repeated until nothing changes.
//
// Exact for independent periodic streams with lanes of their own, no jitter and no blocking: it says yes if and only
// if no deadline is missed when all are released together. Otherwise it is safe: where it says yes, no deadline is
// missed.
//
// Not in it: the time of the ORB and of messages (add it to execution times), other processors, and operations that
// wait for anything but locks.
#pragma once
#include <services/scheduling/levels.h>
#include <optional>

namespace callis::scheduling {

enum class Verdict : std::uint8_t {
  Meets,       // R <= D
  Exceeds,     // R > D
  Overloaded,  // its lane and those above ask for more than the whole processor; there is no R
  Unproved,    // not found out within Bounds::steps, or because of another one that has no R
};
std::string_view word_of(Verdict verdict);  // "meets", "exceeds", "overloaded", "unproved"

struct StreamResult {
  std::uint32_t lane = kNoLevel;  // of what runs inside others: the lowest of these
  Time execution{0};              // of one call
  Time jitter{0};
  Time blocking{0};
  Time deadline{0};
  std::optional<Time> response;  // from the release of the chain; nothing: no bound is known
  Verdict verdict = Verdict::Unproved;
};

struct Analysis {
  std::vector<StreamResult> streams;  // as Streams::streams
  std::uint64_t steps = 0;            // evaluations of a ceiling: what the analysis cost
  std::uint32_t rounds = 0;           // of the holistic repetition
};

// lanes: of each RT_Info, or kNoLevel, as Levels::of, 0 the lowest.
Analysis analyse(const Model& model, const Streams& streams, const std::vector<std::uint32_t>& lanes);

}  // namespace callis::scheduling
