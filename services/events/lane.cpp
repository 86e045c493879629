// SPDX-License-Identifier: Apache-2.0
// What a lane does with each event, and after each failure.
#include <callis/base/text.h>
#include <services/events/lane.h>
#include <algorithm>

namespace callis::events {

namespace {

// After so much a lane leaves its thread to another.
constexpr int kMostAtOnce = 32;
constexpr std::chrono::milliseconds kLongestAtOnce{5};

}  // namespace

void Lane::offer(const Event& event) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || full_) return;
    const std::uint64_t before = queue_.discarded();
    full_ = queue_.offer(event) == Queue::Offered::Full;
    if (queue_.discarded() != before) tally_.discarded += static_cast<std::int64_t>(queue_.discarded() - before);
    if (busy_) return;  // who is at it goes on until the queue is empty
    if (queue_.size() == 0 && !full_) return;
    busy_ = true;
  }
  pool_.wake(shared_from_this());
}

std::size_t Lane::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::uint64_t Lane::discarded() const {
  const std::lock_guard lock(mutex_);
  return queue_.discarded();
}

void Lane::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  queue_.clear();
}

Pool::Next Lane::give_up(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return {};
    ended_ = true;
    queue_.clear();
  }
  sink_->dropped(why);
  ++tally_.dropped;
  return {};
}

Pool::Next Lane::failed(bool arrived_perhaps, Queue::Waiting&& event) {
  ++tally_.failed;
  if (arrived_perhaps) ++tally_.lost;
  if (++failures_ >= options_.failures)
    return give_up(
        concat({Decimal(failures_), failures_ == 1 ? " call failed" : " calls failed one after the other"}));
  if (!arrived_perhaps) {
    const std::lock_guard lock(mutex_);
    if (!ended_) queue_.put_back(std::move(event));
  }
  const auto pause = options_.first_pause * (std::int64_t{1} << std::min(failures_ - 1, 20u));
  return {Pool::Next::At, Pool::Clock::now() + std::min<std::chrono::milliseconds>(pause, options_.longest_pause)};
}

Pool::Next Lane::run() noexcept {
  const Pool::Time end = Pool::Clock::now() + kLongestAtOnce;
  for (int i = 0; i < kMostAtOnce; ++i) {
    std::optional<Queue::Waiting> next;
    bool full = false;
    {
      const std::lock_guard lock(mutex_);
      full = full_;
      if (!full) next = queue_.take();
      if (!full && !next) {
        busy_ = false;
        return {};
      }
    }
    if (full) return give_up("its queue was full");
    switch (sink_->deliver(next->event)) {
      case Sink::Result::Taken:
        failures_ = 0;
        ++tally_.delivered;
        break;
      case Sink::Result::Refused: return failed(false, std::move(*next));
      case Sink::Result::Unknown: return failed(true, std::move(*next));
      case Sink::Result::Gone: return give_up("it has disconnected, or does not exist any more");
    }
    if (Pool::Clock::now() >= end) break;
  }
  return {Pool::Next::Again, {}};
}

}  // namespace callis::events
