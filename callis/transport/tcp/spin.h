// SPDX-License-Identifier: Apache-2.0
// Bounded spinning before a blocking receive. Private to the TCP transport and the ORB.
//
// A thread that blocks is woken some tens of microseconds after what it waits for has come, when another CPU has it
// ready; one that looks again and again has it at once. That pays where the peer answers soon and runs on another
// CPU, and nowhere else. So each stream learns: what was waited for in vain makes spinning rarer, down to once in
// kRarest receives, and what came in time more frequent again. In a process at most half of the CPUs spin. Between
// two looks a thread lets others of its CPU run, which may be the very ones that it waits for.
#pragma once
#include <callis/base/spin_policy.h>
#include <atomic>
#include <unistd.h>

namespace callis::transport::tcp {

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
