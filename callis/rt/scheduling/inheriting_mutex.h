// SPDX-License-Identifier: Apache-2.0
// InheritingMutex: a lock whose holder runs at the priority of the most urgent thread that waits for it (POSIX
// PTHREAD_PRIO_INHERIT), and Condition, to wait with. Use with std::lock_guard and std::unique_lock.
#pragma once
#include <callis/base/clock.h>
#include <pthread.h>
#include <mutex>

namespace callis::rt::scheduling {

class InheritingMutex final {
 public:
  InheritingMutex() noexcept;
  ~InheritingMutex() { ::pthread_mutex_destroy(&mutex_); }
  InheritingMutex(const InheritingMutex&) = delete;
  InheritingMutex& operator=(const InheritingMutex&) = delete;

  void lock() noexcept { ::pthread_mutex_lock(&mutex_); }
  void unlock() noexcept { ::pthread_mutex_unlock(&mutex_); }
  bool try_lock() noexcept { return ::pthread_mutex_trylock(&mutex_) == 0; }

 private:
  friend class Condition;
  pthread_mutex_t mutex_;
};

class Condition final {
 public:
  Condition() noexcept;
  ~Condition() { ::pthread_cond_destroy(&condition_); }
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  void notify() noexcept { ::pthread_cond_signal(&condition_); }
  // Until it is notified, or for no reason.
  void wait(std::unique_lock<InheritingMutex>& lock) noexcept;
  // False: the deadline has passed.
  bool wait(std::unique_lock<InheritingMutex>& lock, TimePoint until) noexcept;

 private:
  pthread_cond_t condition_;
};

}  // namespace callis::rt::scheduling
