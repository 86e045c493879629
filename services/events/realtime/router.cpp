// SPDX-License-Identifier: Apache-2.0
// The consumers of an event are looked up under one lock, and each gets the event under a lock of its own.
#include <services/events/realtime/router.h>
#include <algorithm>
#include <shared_mutex>

namespace callis::events {

ConsumerNumber Router::add(Wants wants, std::shared_ptr<EventSetTaker> taker, services::HeldBytes kept) {
  const std::unique_lock lock(mutex_);
  const ConsumerNumber number = next_++;
  subscriptions_.set(number, wants);
  auto consumer = std::make_shared<Consumer>(std::move(wants), clock_.now(), std::move(taker), std::move(kept));
  if (consumer->correlation.next_timeout() != TimePoint::max()) timed_.emplace(number, consumer);
  consumers_.emplace(number, std::move(consumer));
  return number;
}

bool Router::change(ConsumerNumber number, Wants wants) {
  const std::unique_lock lock(mutex_);
  const auto known = consumers_.find(number);
  if (known == consumers_.end()) return false;
  subscriptions_.set(number, wants);
  const std::lock_guard one(known->second->mutex);
  Correlation& correlation = known->second->correlation;
  correlation = Correlation(std::move(wants), clock_.now(), correlation.take_kept());
  if (known->second->correlation.next_timeout() != TimePoint::max()) timed_.emplace(number, known->second);
  else timed_.erase(number);
  return true;
}

bool Router::remove(ConsumerNumber number) {
  std::shared_ptr<Consumer> consumer;
  {
    const std::unique_lock lock(mutex_);
    const auto known = consumers_.find(number);
    if (known == consumers_.end()) return false;
    consumer = known->second;
    consumers_.erase(known);
    timed_.erase(number);
    subscriptions_.remove(number);
  }
  const std::lock_guard lock(consumer->mutex);  // waits for a take() that runs
  consumer->removed = true;
  return true;
}

void Router::deliver(Consumer& consumer, std::vector<EventSet>& sets) {
  for (EventSet& set : sets) consumer.taker->take(std::move(set));
  sets.clear();
}

std::size_t Router::accept(const TypedEvent& event) {
  if (!may_be_sent(event.header)) return 0;
  Consumers those;
  {
    const std::shared_lock lock(mutex_);
    if (subscriptions_.nobody_wants(event.header)) return 0;
    std::vector<ConsumerNumber> numbers;
    subscriptions_.find(event.header, numbers);
    those.reserve(numbers.size());
    for (const ConsumerNumber number : numbers) those.push_back(consumers_.at(number));
  }
  std::vector<EventSet> sets;
  for (const auto& consumer : those) {
    const std::lock_guard lock(consumer->mutex);
    if (consumer->removed) continue;
    consumer->correlation.accept(event, clock_.now(), sets);
    deliver(*consumer, sets);
  }
  return those.size();
}

TimePoint Router::expire() {
  Consumers those;
  {
    const std::shared_lock lock(mutex_);
    those.reserve(timed_.size());
    for (const auto& [number, consumer] : timed_) those.push_back(consumer);
  }
  TimePoint next = TimePoint::max();
  std::vector<EventSet> sets;
  for (const auto& consumer : those) {
    const std::lock_guard lock(consumer->mutex);
    if (consumer->removed) continue;
    consumer->correlation.expire(clock_.now(), sets);
    deliver(*consumer, sets);
    next = std::min(next, consumer->correlation.next_timeout());
  }
  return next;
}

std::vector<Subscriptions::Interest> Router::interests(const std::vector<ConsumerNumber>& without) const {
  const std::shared_lock lock(mutex_);
  return subscriptions_.interests(without);
}

std::uint64_t Router::revision() const {
  const std::shared_lock lock(mutex_);
  return subscriptions_.revision();
}

std::size_t Router::consumers() const {
  const std::shared_lock lock(mutex_);
  return consumers_.size();
}

}  // namespace callis::events
