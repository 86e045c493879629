// SPDX-License-Identifier: Apache-2.0
// The way of each event of a named consumer, and the wait for its call.
#include <callis/base/text.h>
#include <services/events/named_lane.h>
#include <algorithm>

namespace callis::events {

namespace {

constexpr std::size_t kCopies = 2;  // the journal's, and the event that is made of it

}  // namespace

void NamedLane::come(Journal::DeliveryPtr delivery) {
  std::chrono::milliseconds pause{0};
  {
    const std::lock_guard lock(mutex_);
    if (!ended_ && kept_.reach(kCopies * delivery->bytes().size())) {
      waiting_.push_back(std::move(delivery));
      delivery = nullptr;
    } else if (!ended_) {
      pause = options_.longest_pause;
    }
  }
  if (delivery) delivery->give_back(pause);
  else pool_.wake(shared_from_this());
}

void NamedLane::end() {
  std::deque<Journal::DeliveryPtr> all;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    all.swap(waiting_);
  }
  for (const auto& d : all) d->give_back({});
}

Pool::Next NamedLane::give_up(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return {};
  }
  end();
  sink_->dropped(why);
  ++tally_.dropped;
  return {};
}

// A call that is over is judged; otherwise the next event is pushed.
Pool::Next NamedLane::run() noexcept {
  Journal::DeliveryPtr over, next;
  {
    const std::lock_guard lock(mutex_);
    if (under_way_ && !is_over()) return {};
    if (under_way_) {
      over = std::move(under_way_);
      under_way_ = nullptr;
    } else if (!waiting_.empty()) {
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
  }
  // No other thread looks at progress_, nor at the sink, while nothing is under way.
  if (over) return judged(progress_ == Sink::Progress::Over ? sink_->result() : sink_->finish(), *over);
  if (next) return push(std::move(next));
  return {};
}

Pool::Next NamedLane::push(Journal::DeliveryPtr delivery) {
  constexpr std::size_t kMostBytes = 16u << 10;  // as of a Lane
  const std::optional<Event> event = read_(delivery->bytes());
  if (!event) {  // what another program has put there: it never becomes one
    delivery->acknowledge();
    return {Pool::Next::Again, {}};
  }
  Sink::Begun begun = Sink::Begun::NotNow;
  if (options_.replies && can_send_ && failures_ == 0 && event->bytes <= kMostBytes)
    begun = sink_->begin(*event, true);
  can_send_ = can_send_ && begun != Sink::Begun::Never;
  switch (begun) {
    case Sink::Begun::Sent: return has_sent(delivery) ? Pool::Next{} : judged(sink_->finish(), *delivery);
    case Sink::Begun::Over: return judged(sink_->result(), *delivery);
    case Sink::Begun::NotNow:
    case Sink::Begun::Never: break;
  }
  return judged(sink_->deliver(*event), *delivery);
}

// False: this thread has to wait for the reply.
bool NamedLane::has_sent(const Journal::DeliveryPtr& delivery) {
  const std::lock_guard lock(mutex_);
  if (place_ < 0) place_ = options_.replies->enter(shared_from_this());
  if (place_ < 0) return false;
  under_way_ = delivery;
  progress_ = Sink::Progress::Pending;
  (void)options_.replies->arm(place_, sink_->descriptor());  // else round() looks
  return true;
}

// Of what is under way; waits for what comes where it is not.
bool NamedLane::is_over() {
  if (progress_ == Sink::Progress::Pending) progress_ = sink_->look();
  if (progress_ != Sink::Progress::Pending) return true;
  if (place_ >= 0) (void)options_.replies->arm(place_, sink_->descriptor());
  return false;
}

void NamedLane::came() noexcept {
  const std::lock_guard lock(mutex_);
  if (under_way_ && is_over()) pool_.wake(shared_from_this());
}

// Also ends calls whose deadline has passed.
bool NamedLane::round() noexcept {
  const std::lock_guard lock(mutex_);
  if (under_way_) {
    if (is_over()) pool_.wake(shared_from_this());
    return true;
  }
  place_ = -1;
  return false;
}

void NamedLane::ended() noexcept {
  const std::lock_guard lock(mutex_);
  place_ = -1;
  if (!under_way_) return;
  sink_->drop();
  under_way_->give_back({});
  under_way_ = nullptr;
}

Pool::Next NamedLane::judged(Sink::Result result, Journal::Delivery& delivery) {
  if (result == Sink::Result::Taken) {
    delivery.acknowledge();
    failures_ = 0;
    ++tally_.delivered;
    return {Pool::Next::Again, {}};
  }
  ++tally_.failed;
  ++failures_;
  const auto pause =
      std::min<std::chrono::milliseconds>(options_.first_pause * (std::int64_t{1} << std::min(failures_ - 1, 20u)),
                                          options_.longest_pause);
  delivery.give_back(pause);
  if (result == Sink::Result::Gone) return give_up("it has disconnected, or does not exist any more");
  if (failures_ < options_.failures) return {Pool::Next::Again, {}};
  return give_up(concat({Decimal(failures_), failures_ == 1 ? " call failed" : " calls failed one after the other"}));
}

}  // namespace callis::events
