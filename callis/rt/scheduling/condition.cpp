// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/scheduling/condition.h>
#include <cerrno>
#include <ctime>

namespace callis::rt::scheduling {

Condition::Condition() noexcept {
  pthread_condattr_t attributes;
  ::pthread_condattr_init(&attributes);
  ::pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);  // as std::chrono::steady_clock
  ::pthread_cond_init(&condition_, &attributes);
  ::pthread_condattr_destroy(&attributes);
}

void Condition::wait(std::unique_lock<MutexWithInheritance>& lock) noexcept {
  ::pthread_cond_wait(&condition_, lock.mutex()->native_handle());
}

bool Condition::wait(std::unique_lock<MutexWithInheritance>& lock, TimePoint until) noexcept {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(until.time_since_epoch()).count();
  timespec moment{};
  moment.tv_sec = static_cast<std::time_t>(since / 1'000'000'000);
  moment.tv_nsec = static_cast<long>(since % 1'000'000'000);
  return ::pthread_cond_timedwait(&condition_, lock.mutex()->native_handle(), &moment) != ETIMEDOUT;
}

}  // namespace callis::rt::scheduling
