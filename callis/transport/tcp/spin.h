// SPDX-License-Identifier: Apache-2.0
// Bounded spinning before a blocking receive. Private to the TCP transport and the ORB.
//
// A thread that blocks is woken some tens of microseconds after what it waits for has come, when another CPU has it
// ready; one that looks again and again has it at once. That pays where the peer answers soon and runs on another
// CPU, and nowhere else. So each stream learns: what was waited for in vain makes spinning rarer, down to once in
// kRarest receives, and what came in time more frequent again. In a process at most half of the CPUs spin. Between
// two looks a thread lets others of its CPU run, which may be the very ones that it waits for.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <unistd.h>

namespace callis::transport::tcp {

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

// One of the threads of this process that may spin now, or none.
class SpinPermit {
 public:
  SpinPermit() : held_(count().fetch_add(1, std::memory_order_relaxed) < most()) {}
  ~SpinPermit() { count().fetch_sub(1, std::memory_order_relaxed); }
  SpinPermit(const SpinPermit&) = delete;
  SpinPermit& operator=(const SpinPermit&) = delete;
  explicit operator bool() const { return held_; }

 private:
  static std::atomic<long>& count() {
    static constinit std::atomic<long> n{0};
    return n;
  }
  static long most() {
    static const long n = ::sysconf(_SC_NPROCESSORS_ONLN) / 2;
    return n;
  }
  const bool held_;
};

}  // namespace callis::transport::tcp
