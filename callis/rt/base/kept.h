// SPDX-License-Identifier: Apache-2.0
// Kept<T>: an object that programs may replace while threads use it. The replaced objects live as long as the Kept.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace callis::rt {

// Any thread may call. now() takes no lock.
template <class T>
class Kept final {
 public:
  explicit Kept(std::unique_ptr<T> first = nullptr) { set(std::move(first)); }

  T* now() const noexcept { return now_.load(std::memory_order_acquire); }
  // After set(nullptr) there is no object.
  void set(std::unique_ptr<T> next) {
    const std::lock_guard lock(mutex_);
    T* const one = next.get();
    if (one) all_.push_back(std::move(next));
    now_.store(one, std::memory_order_release);
  }

 private:
  std::atomic<T*> now_{nullptr};
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> all_;
};

}  // namespace callis::rt
