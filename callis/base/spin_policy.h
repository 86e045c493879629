// SPDX-License-Identifier: Apache-2.0
// Whether to look for something again and again before waiting for it: what was in vain makes that rarer, down to
// once in kRarest, and what came in time more frequent again. One thread at a time uses a policy.
#pragma once
#include <callis/base/clock.h>
#include <sched.h>
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace callis {

class SpinPolicy {
 public:
  using Micros = std::chrono::microseconds;
  static constexpr std::int64_t kFirstPause = 16, kRarest = 4096;

  // 0: never.
  void set_longest(Micros longest) {
    longest_ = longest;
    left_out_ = longest.count() == 0 ? INT64_MAX : 0;
  }
  // Whether to spin before this receive.
  bool due() {
    if (left_out_ == 0) [[unlikely]] return true;
    --left_out_;
    return false;
  }
  Micros longest() const { return longest_; }
  void came() { pause_ /= 2; }
  // preempted: another thread wanted the CPU.
  void in_vain(bool preempted) {
    pause_ = preempted ? kRarest : std::clamp(4 * pause_, kFirstPause, kRarest);
    left_out_ = pause_;
  }

 private:
  Micros longest_{0};
  std::int64_t left_out_ = INT64_MAX;  // receives until the next that spins
  std::int64_t pause_ = 0;
};

// Looks for something. If it has not come, looks again and again for as long as the policy has it, and tells the
// policy what came of that. Returns what the last look has found.
//
//   see        whether it has come, or can come no more
//   preempted  when more than this has passed between two looks, another thread wanted the CPU. That ends the
//              looking, and counts as in vain though it has come meanwhile: a thread that sleeps would have had it
//   again      false: looks once, and leaves the policy alone
//
// Other threads of the CPU run between two looks, for one of them may bring it.
template <class See>
bool look_again(SpinPolicy& policy, SpinPolicy::Micros preempted, See&& see, bool again = true,
                const Clock& clock = Clock::steady()) {
  TimePoint last{}, end{};
  for (bool first = true;; first = false) {
    const bool found = see();
    if (first && (found || !again)) return found;
    const TimePoint now = clock.now();
    if (first) {
      end = now + policy.longest();
    } else {
      const bool late = now - last > preempted;
      if (late || (!found && now > end)) {
        policy.in_vain(late && !found);
        return found;
      }
      if (found) {
        policy.came();
        return true;
      }
    }
    last = now;
    ::sched_yield();
  }
}

}  // namespace callis
