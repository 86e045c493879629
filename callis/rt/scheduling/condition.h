// SPDX-License-Identifier: Apache-2.0
// Condition: to wait with a MutexWithInheritance, also until a moment. Use with std::unique_lock.
#pragma once
#include <callis/base/clock.h>
#include <callis/rt/base/mutex_with_inheritance.h>
#include <pthread.h>
#include <mutex>

namespace callis::rt::scheduling {

class Condition final {
 public:
  Condition() noexcept;
  ~Condition() { ::pthread_cond_destroy(&condition_); }
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  void notify() noexcept { ::pthread_cond_signal(&condition_); }
  // Waits until the condition is notified, or returns earlier for no reason.
  void wait(std::unique_lock<MutexWithInheritance>& lock) noexcept;
  // Returns false if the deadline has passed.
  bool wait(std::unique_lock<MutexWithInheritance>& lock, TimePoint until) noexcept;

 private:
  pthread_cond_t condition_;
};

}  // namespace callis::rt::scheduling
