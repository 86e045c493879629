// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace callis::events::testing {

inline constexpr std::chrono::seconds kLong{20};  // no test that passes takes it

// A state that threads change and others wait for.
template <class T>
class Watched {
 public:
  template <class F>
  void change(F&& f) {
    const std::lock_guard lock(mutex_);
    f(value_);
    changed_.notify_all();
  }
  // False: it did not come to that.
  template <class F>
  bool wait(F&& f) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kLong, [&] { return f(value_); });
  }
  T value() {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  T value_{};
};

}  // namespace callis::events::testing
