// SPDX-License-Identifier: Apache-2.0
// Readers count themselves in state_. All decisions about turns are made under mutex_, also the flag kClosed. So the
// flag does not change while a thread holds mutex_.
#include <services/common/fair_shared_mutex.h>

namespace callis::services {

void FairSharedMutex::lock() {
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = next_writer_++;
  state_.fetch_or(kClosed, std::memory_order_acq_rel);
  writers_may_.wait(lock, [&] { return serving_writer_ == mine && no_readers() && !writing_; });
  writing_ = true;
}

// Lets in all waiting readers at once, before the next writer.
void FairSharedMutex::unlock() {
  const std::lock_guard lock(mutex_);
  writing_ = false;
  ++serving_writer_;
  ++turn_;
  state_.fetch_add(waiting_readers_, std::memory_order_acq_rel);
  waiting_readers_ = 0;
  readers_may_.notify_all();
  if (!writers_wait()) {
    state_.fetch_and(~kClosed, std::memory_order_acq_rel);
  } else if (no_readers()) {
    writers_may_.notify_all();
  }
}

// A reader that finds the lock closed has been counted already: it steps back.
void FairSharedMutex::wait_for_turn() {
  std::unique_lock lock(mutex_);
  if (!(state_.load(std::memory_order_acquire) & kClosed)) return;  // opened meanwhile: it is in
  state_.fetch_sub(1, std::memory_order_acq_rel);
  if (no_readers()) writers_may_.notify_all();
  ++waiting_readers_;
  const std::uint64_t before = turn_;
  readers_may_.wait(lock, [&] { return turn_ != before; });  // unlock() has counted this reader
}

// A writer has closed the lock, and found this reader in it: it waits under mutex_, or is about to.
void FairSharedMutex::wake_writer() {
  const std::lock_guard lock(mutex_);
  writers_may_.notify_all();
}

}  // namespace callis::services
