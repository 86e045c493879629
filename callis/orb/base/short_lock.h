// SPDX-License-Identifier: Apache-2.0
// ShortLock: a lock in four bytes, for short sections that two threads rarely want at once. Taking a free lock is one
// atomic operation, letting go another. A thread that finds the lock taken sleeps. The lock is not recursive and not
// fair.
#pragma once
#include <atomic>
#include <cstdint>

namespace callis::orb {

class ShortLock final {
 public:
  ShortLock() = default;
  ShortLock(const ShortLock&) = delete;
  ShortLock& operator=(const ShortLock&) = delete;

  void lock() noexcept {
    std::uint32_t free = kFree;
    if (!state_.compare_exchange_strong(free, kTaken, std::memory_order_acquire)) [[unlikely]] wait_for_it();
  }
  void unlock() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kWanted) [[unlikely]] state_.notify_one();
  }

 private:
  static constexpr std::uint32_t kFree = 0, kTaken = 1, kWanted = 2;

  [[gnu::cold, gnu::noinline]] void wait_for_it() noexcept {
    while (state_.exchange(kWanted, std::memory_order_acquire) != kFree)
      state_.wait(kWanted, std::memory_order_relaxed);
  }

  std::atomic<std::uint32_t> state_{kFree};
};

}  // namespace callis::orb
