// SPDX-License-Identifier: Apache-2.0
#include <services/common/fair_shared_mutex.h>

namespace callis::services {

void FairSharedMutex::lock() {
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = next_writer_++;
  writers_may_.wait(lock, [&] { return serving_writer_ == mine && reading_ == 0 && !writing_; });
  writing_ = true;
}

// The readers that wait are let in all at once, before the next writer.
void FairSharedMutex::unlock() {
  const std::lock_guard lock(mutex_);
  writing_ = false;
  ++serving_writer_;
  ++turn_;
  reading_ += waiting_readers_;
  waiting_readers_ = 0;
  readers_may_.notify_all();
  if (reading_ == 0 && writers_wait()) writers_may_.notify_all();
}

void FairSharedMutex::lock_shared() {
  std::unique_lock lock(mutex_);
  if (!writing_ && !writers_wait()) {
    ++reading_;
    return;
  }
  ++waiting_readers_;
  const std::uint64_t before = turn_;
  readers_may_.wait(lock, [&] { return turn_ != before; });  // unlock() has counted it among those that read
}

void FairSharedMutex::unlock_shared() {
  const std::lock_guard lock(mutex_);
  if (--reading_ == 0 && writers_wait()) writers_may_.notify_all();
}

}  // namespace callis::services
