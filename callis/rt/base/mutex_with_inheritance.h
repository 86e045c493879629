// SPDX-License-Identifier: Apache-2.0
// MutexWithInheritance: a mutex whose owner runs at the priority of the most urgent thread that waits for it
// (PTHREAD_PRIO_INHERIT). It is not recursive. A lane of high priority waits for a lane of low priority only for the
// few instructions under the lock.
#pragma once
#include <pthread.h>

namespace callis::rt {

class MutexWithInheritance final {
 public:
  MutexWithInheritance() noexcept {
    pthread_mutexattr_t attributes;
    (void)::pthread_mutexattr_init(&attributes);
    (void)::pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    (void)::pthread_mutex_init(&mutex_, &attributes);
    (void)::pthread_mutexattr_destroy(&attributes);
  }
  ~MutexWithInheritance() { (void)::pthread_mutex_destroy(&mutex_); }
  MutexWithInheritance(const MutexWithInheritance&) = delete;
  MutexWithInheritance& operator=(const MutexWithInheritance&) = delete;

  void lock() noexcept { (void)::pthread_mutex_lock(&mutex_); }
  bool try_lock() noexcept { return ::pthread_mutex_trylock(&mutex_) == 0; }
  void unlock() noexcept { (void)::pthread_mutex_unlock(&mutex_); }
  pthread_mutex_t* native_handle() noexcept { return &mutex_; }

 private:
  pthread_mutex_t mutex_;
};

}  // namespace callis::rt
