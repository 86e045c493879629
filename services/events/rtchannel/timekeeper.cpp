// SPDX-License-Identifier: Apache-2.0
#include <services/events/rtchannel/timekeeper.h>
#include <system_error>
#include <utility>

namespace callis::rtevents {

Timekeeper::Timekeeper(std::function<TimePoint()> expire, std::function<void()> begin)
    : expire_(std::move(expire)), begin_(std::move(begin)) {
  const int error = thread_.start({"callis-rt-time"}, [this] { keep_time(); });
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "events: the thread of timeouts cannot be started");
}

void Timekeeper::look_again() {
  const std::lock_guard lock(mutex_);
  look_again_ = true;
  changed_.notify_one();
}

void Timekeeper::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true)) return;
    changed_.notify_one();
  }
  thread_.join();
}

void Timekeeper::keep_time() {
  if (begin_) begin_();
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    look_again_ = false;
    lock.unlock();
    const TimePoint next = expire_();
    lock.lock();
    const auto changed = [this] { return look_again_ || stopped_; };
    if (next == TimePoint::max()) changed_.wait(lock, changed);
    else changed_.wait_until(lock, next, changed);
  }
}

}  // namespace callis::rtevents
