// SPDX-License-Identifier: Apache-2.0
// Whether to look for something again and again before waiting for it: what was in vain makes that rarer, down to
// once in kRarest, and what came in time more frequent again. One thread at a time uses a policy.
#pragma once
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

}  // namespace callis
