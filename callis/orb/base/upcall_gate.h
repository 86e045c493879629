// SPDX-License-Identifier: Apache-2.0
// UpcallGate: bounds how many upcalls run at once. Any thread.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace callis::orb {

class UpcallGate final {
 public:
  explicit UpcallGate(std::uint32_t max_upcalls) : max_(max_upcalls) {}

  // Waits while max_upcalls are running.
  void begin() {
    if (!try_begin()) [[unlikely]] wait_to_begin();
  }
  // Counts an upcall without waiting, because another upcall, which has begun, waits for this one.
  void begin_another() { running_.fetch_add(1, std::memory_order_seq_cst); }
  void end() {
    running_.fetch_sub(1, std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_seq_cst) != 0) [[unlikely]] wake_one();
  }

  // Upcalls that wait for others to end.
  std::uint32_t waiting() const { return waiting_.load(std::memory_order_seq_cst); }

 private:
  bool try_begin() {
    // Sequentially consistent: wait_to_begin() writes waiting_ and then reads running_ here; end() writes running_
    // and then reads waiting_. So one of the two sees the other, and no wake-up is lost.
    std::uint32_t n = running_.load(std::memory_order_seq_cst);
    while (n < max_)
      if (running_.compare_exchange_weak(n, n + 1, std::memory_order_seq_cst)) return true;
    return false;
  }
  void wait_to_begin();
  void wake_one();

  const std::uint32_t max_;
  std::atomic<std::uint32_t> running_{0};
  std::atomic<std::uint32_t> waiting_{0};
  std::mutex mutex_;
  std::condition_variable ended_;  // with mutex_
};

}  // namespace callis::orb
