// SPDX-License-Identifier: Apache-2.0
// A lock for many readers or one writer that prefers neither: the lock of all services' models.
//
// std::shared_mutex lets readers in while others read, so readers that come without end keep a writer waiting for
// ever. Here readers and writers take turns (phase-fair locks: Brandenburg and Anderson, "Spin-Based Reader-Writer
// Synchronization for Multiprocessor Real-Time Systems", 2010). A new reader waits for one writer, if a writer waits.
// A new writer waits for the readers that are in, or that the writer before lets in. So each waits for at most one
// turn of the other side, and for earlier writers.
//
// A reader with long work must unlock between pieces of the work: a turn lasts as long as its longest reader.
//
// The class meets the requirements of SharedMutex but for try_lock: std::unique_lock, std::shared_lock and
// std::lock_guard take it. The lock is not recursive: if a reader locks again while a writer waits, both wait for
// ever. Writers are served in the order in which they came.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace callis::services {

class FairSharedMutex final {
 public:
  FairSharedMutex() = default;
  FairSharedMutex(const FairSharedMutex&) = delete;
  FairSharedMutex& operator=(const FairSharedMutex&) = delete;

  void lock();
  void unlock();
  // Costs one atomic addition if no writer is in or waits.
  void lock_shared() {
    if (state_.fetch_add(1, std::memory_order_acquire) & kClosed) wait_for_turn();
  }
  void unlock_shared() {
    if (state_.fetch_sub(1, std::memory_order_release) == (kClosed | 1)) wake_writer();
  }

 private:
  static constexpr std::uint64_t kClosed = std::uint64_t{1} << 32;  // a writer is in, or waits; below it: readers

  bool writers_wait() const { return next_writer_ != serving_writer_; }
  bool no_readers() const { return state_.load(std::memory_order_acquire) % kClosed == 0; }
  void wait_for_turn();
  void wake_writer();

  std::atomic<std::uint64_t> state_{0};
  std::mutex mutex_;  // guards kClosed and what follows
  std::condition_variable readers_may_, writers_may_;
  std::uint32_t waiting_readers_ = 0;  // readers that wait for the writer's turn to end
  std::uint64_t next_writer_ = 0;      // the next writer's number
  std::uint64_t serving_writer_ = 0;   // the writer that is in, or the first that waits; next_writer_: there is none
  std::uint64_t turn_ = 0;             // writers' turns that have ended
  bool writing_ = false;
};

}  // namespace callis::services
