// SPDX-License-Identifier: Apache-2.0
// LaneGrowth: the dynamic threads of a lane (RT-CORBA 1.2, 2.8). When all threads execute requests, another thread is
// made, until there are as many as there may be. They stay until the lane ends.
//
//   thread of the lane ── begins() ──→ all are busy ──→ "callis-grow" wakes, makes a thread, looks again
//
// "callis-grow" has the lane's native priority and does nothing else. So no request waits for a thread to be made,
// and no thread is made at the priority of another lane. It ends when there are as many threads as there may be.
#pragma once
#include <callis/base/thread.h>
#include <semaphore.h>
#include <atomic>
#include <cstdint>
#include <functional>

namespace callis::rt {

class LaneGrowth final {
 public:
  // now: how many threads there are; most: how many there may be, not less than now. "callis-grow" calls make() to
  // make one more. If make() returns false, it is not called again.
  LaneGrowth(std::uint32_t now, std::uint32_t most, std::function<bool()> make);
  ~LaneGrowth();  // as wait()
  LaneGrowth(const LaneGrowth&) = delete;
  LaneGrowth& operator=(const LaneGrowth&) = delete;

  // Starts "callis-grow", if there may be more threads. Returns 0, or an errno.
  [[nodiscard]] int start(const pthread_attr_t* attributes);

  // A thread of the lane begins a request, and ends it. Neither function takes a lock. There is at most one system
  // call, which does not wait.
  void begins() noexcept {
    if (busy_.fetch_add(1, std::memory_order_seq_cst) + 1 >= threads()) wake();
  }
  void ends() noexcept { busy_.fetch_sub(1, std::memory_order_relaxed); }

  std::uint32_t threads() const noexcept { return threads_.load(std::memory_order_seq_cst); }

  // No thread is made any more. Does not wait.
  void stop() noexcept;
  // After stop(): until "callis-grow" has ended.
  void wait() noexcept;

 private:
  void wake() noexcept;
  void run();
  bool is_wanted() const noexcept;

  const std::uint32_t most_;
  const std::function<bool()> make_;
  std::atomic<std::uint32_t> busy_{0};
  std::atomic<std::uint32_t> threads_;
  std::atomic<bool> ended_{false};  // nobody is to wake it
  std::atomic<bool> woken_{false};
  sem_t wanted_;
  Thread thread_;
};

}  // namespace callis::rt
