// SPDX-License-Identifier: Apache-2.0
// The way of each set to a consumer, and the handling of each failure.
#include <callis/base/text.h>
#include <services/events/rtchannel/subscriber.h>
#include <services/events/rtchannel/wire.h>
#include <algorithm>

namespace callis::rtevents {

Tally::Tally(services::Counters& counters)
    : received(counters.counter("rt_received")), refused(counters.counter("rt_refused")),
      forwarded(counters.counter("rt_forwarded")), delivered(counters.counter("rt_delivered")),
      discarded(counters.counter("rt_discarded")), lost(counters.counter("rt_lost")),
      failed(counters.counter("rt_failed")), dropped(counters.counter("rt_dropped")) {}

Lane& lane_for(const Lanes& lanes, std::int32_t priority) {
  for (const auto& lane : lanes) {
    if (lane->priority() <= priority) return *lane;
  }
  return *lanes.back();
}

// The sets of one priority.
class Subscriber::Line final : public Lane::Job {
 public:
  Line(std::shared_ptr<Subscriber> of, Lane& lane, std::int32_t priority)
      : Lane::Job(priority), lane_(lane), of_(std::move(of)) {}
  Lane::Next run() noexcept override {
    const std::shared_ptr<Subscriber> of = of_.lock();
    return of ? of->run(*this) : Lane::Next{};
  }
  Lane& lane() { return lane_; }

 private:
  Lane& lane_;
  const std::weak_ptr<Subscriber> of_;
};

void Subscriber::set_priorities(std::span<const std::int32_t> of_groups) {
  const std::lock_guard lock(mutex_);
  priorities_.assign(of_groups.begin(), of_groups.end());
}

Subscriber::LinePtr Subscriber::line_of(std::int32_t priority) {
  for (const LinePtr& line : lines_) {
    if (line->urgency() == priority) return line;
  }
  lines_.push_back(std::make_shared<Line>(shared_from_this(), lane_for(lanes_, priority), priority));
  return lines_.back();
}

void Subscriber::take(events::EventSet&& set) noexcept {
  LinePtr line;
  if (!options_.nothing_from.empty() && is_from(set, options_.nothing_from)) return;
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || full_ || suspended_) return;
    const std::int32_t priority = set.group < priorities_.size() ? priorities_[set.group] : 0;
    const std::size_t bytes = bytes_of(set);
    const std::uint64_t before = sets_.discarded();
    full_ = sets_.offer(std::move(set), bytes, priority) == Sets::Offered::Full;
    if (sets_.discarded() != before) tally_.discarded += static_cast<std::int64_t>(sets_.discarded() - before);
    line = line_of(priority);
  }
  line->lane().wake(line);
}

void Subscriber::suspend() {
  const std::lock_guard lock(mutex_);
  suspended_ = true;
  sets_.clear();
}

void Subscriber::resume() {
  const std::lock_guard lock(mutex_);
  suspended_ = false;
}

bool Subscriber::suspended() const {
  const std::lock_guard lock(mutex_);
  return suspended_;
}

void Subscriber::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  sets_.clear();
}

std::size_t Subscriber::waiting() const {
  const std::lock_guard lock(mutex_);
  return sets_.size();
}

std::uint64_t Subscriber::discarded() const {
  const std::lock_guard lock(mutex_);
  return sets_.discarded();
}

void Subscriber::give_up(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    sets_.clear();
  }
  sink_->dropped(why);
  ++tally_.dropped;
}

Lane::Next Subscriber::failed(Line& line, Sets::Waiting&& set, bool arrived_perhaps) {
  ++tally_.failed;
  if (arrived_perhaps) ++tally_.lost;
  unsigned failures = 0;
  {
    const std::lock_guard lock(mutex_);
    failures = ++failures_;
    if (failures < options_.failures && !arrived_perhaps && !ended_ && !suspended_)
      sets_.put_back(std::move(set), line.urgency());
  }
  if (failures >= options_.failures) {
    give_up(concat({Decimal(failures), failures == 1 ? " call failed" : " calls failed one after the other"}));
    return {};
  }
  const auto pause = options_.first_pause * (std::int64_t{1} << std::min(failures - 1, 20u));
  return {Lane::Next::At, Lane::Clock::now() + std::min<std::chrono::milliseconds>(pause, options_.longest_pause)};
}

// One set, so that what is more urgent in the lane comes before the next one.
Lane::Next Subscriber::run(Line& line) noexcept {
  std::optional<Sets::Waiting> next;
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    full = full_;
    if (!full) next = sets_.take(line.urgency());
  }
  if (full) give_up("its queue was full");
  if (!next) return {};
  switch (sink_->deliver(next->set)) {
    case Sink::Result::Taken: break;
    case Sink::Result::Refused: return failed(line, std::move(*next), false);
    case Sink::Result::Unknown: return failed(line, std::move(*next), true);
    case Sink::Result::Gone: give_up("it has disconnected, or does not exist any more"); return {};
  }
  ++tally_.delivered;
  ++delivered_;
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  return {Lane::Next::Again, {}};
}

}  // namespace callis::rtevents
