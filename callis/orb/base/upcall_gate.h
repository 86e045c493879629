// SPDX-License-Identifier: Apache-2.0
// UpcallGate: bounds the number of upcalls that run at once. A thread that serves for long takes a place. The place
// counts as one upcall, whether its thread runs an upcall or waits; the single upcalls are not counted. Any thread
// may use the gate.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace callis::orb {

class UpcallGate final {
 public:
  explicit UpcallGate(std::uint32_t max_upcalls) : max_(max_upcalls), places_(max_upcalls / kShare) {}

  // Takes a place for the calling thread, until give_place_back(). Returns false if there is no place: then the
  // thread's upcalls are counted. At most an eighth of the bound are places, so that idle threads do not keep others
  // from making upcalls. If the bound is so low that each upcall matters, there are no places.
  bool take_place() {
    if (max_ < kFewUpcalls) return false;
    std::uint32_t n = taken_.load(std::memory_order_relaxed);
    do {
      if (n >= places_) return false;
    } while (!taken_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed));
    if (try_begin()) return true;
    taken_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  void give_place_back() {
    taken_.fetch_sub(1, std::memory_order_relaxed);
    end();
  }

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

  static constexpr std::uint32_t kShare = 8, kFewUpcalls = 1024;

  const std::uint32_t max_, places_;
  std::atomic<std::uint32_t> taken_{0};  // places
  std::atomic<std::uint32_t> running_{0};
  std::atomic<std::uint32_t> waiting_{0};
  std::mutex mutex_;
  std::condition_variable ended_;  // with mutex_
};

}  // namespace callis::orb
