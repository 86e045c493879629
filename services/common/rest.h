// SPDX-License-Identifier: Apache-2.0
// Rest: where a service's housekeeper sleeps. The thread wakes up when the next thing is due, after tell(), and at
// the end, but never to look around. Any thread may call.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace callis::services {

class Rest final {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Sleeps until that moment (Time::max(): however long), tell() or end(). Returns false at the end. A tell() since
  // the last call ends the next sleep at once, so nothing is missed.
  bool until(Time due) {
    std::unique_lock lock(mutex_);
    const auto wanted = [this] { return told_ || ended_; };
    if (due == Time::max()) changed_.wait(lock, wanted);
    else changed_.wait_until(lock, due, wanted);
    told_ = false;
    ++wakeups_;
    return !ended_;
  }
  void tell() {
    const std::lock_guard lock(mutex_);
    told_ = true;
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  // How often until() has returned; tests ask.
  std::uint64_t wakeups() const {
    const std::lock_guard lock(mutex_);
    return wakeups_;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::uint64_t wakeups_ = 0;
  bool told_ = false, ended_ = false;
};

}  // namespace callis::services
