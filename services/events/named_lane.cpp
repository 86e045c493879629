// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/events/named_lane.h>
#include <algorithm>

namespace callis::events {

void NamedLane::come(Journal::DeliveryPtr delivery) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      waiting_.push_back(std::move(delivery));
      delivery = nullptr;
    }
  }
  if (delivery) delivery->give_back({});
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

Pool::Next NamedLane::run() noexcept {
  Journal::DeliveryPtr delivery;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return {};
    delivery = std::move(waiting_.front());
    waiting_.pop_front();
  }
  const std::optional<Event> event = read_(delivery->bytes());
  if (!event) {  // what another program has put there: it never becomes one
    delivery->acknowledge();
    return {Pool::Next::Again, {}};
  }
  const Sink::Result result = sink_->deliver(*event);
  if (result == Sink::Result::Taken) {
    delivery->acknowledge();
    failures_ = 0;
    ++tally_.delivered;
    return {Pool::Next::Again, {}};
  }
  ++tally_.failed;
  ++failures_;
  const auto pause =
      std::min<std::chrono::milliseconds>(options_.first_pause * (std::int64_t{1} << std::min(failures_ - 1, 20u)),
                                          options_.longest_pause);
  delivery->give_back(pause);
  if (result == Sink::Result::Gone) return give_up("it has disconnected, or does not exist any more");
  if (failures_ < options_.failures) return {Pool::Next::Again, {}};
  return give_up(concat({Decimal(failures_), failures_ == 1 ? " call failed" : " calls failed one after the other"}));
}

}  // namespace callis::events
