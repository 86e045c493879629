// SPDX-License-Identifier: Apache-2.0
// Router: brings a channel's events to its consumers, as each of them wants. Any thread, many at once; consumers that
// want an event are looked up together, and served one after the other, each under a lock of its own.
#pragma once
#include <services/common/fair_shared_mutex.h>
#include <services/events/realtime/correlation.h>
#include <services/events/realtime/subscriptions.h>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace callis::events {

// Where a consumer's events go: a queue. It calls neither the router nor a peer, and does not wait.
class EventSetTaker {
 public:
  virtual ~EventSetTaker() = default;
  // One at a time, in their order.
  virtual void take(EventSet&& set) noexcept = 0;
};

class Router {
 public:
  // The clock outlives it.
  explicit Router(const Clock& clock) : clock_(clock) {}

  // `wants` is one that why_refused() does not refuse. kept: as of Correlation.
  ConsumerNumber add(Wants wants, std::shared_ptr<EventSetTaker> taker, services::HeldBytes kept = {});
  // The consumer gets what this says from now on; what its groups have collected is forgotten. False: there is no
  // such consumer.
  bool change(ConsumerNumber consumer, Wants wants);
  // When it returns, the taker is not called any more. False: there is no such consumer.
  bool remove(ConsumerNumber consumer);

  // To all who want it; how many that are. One that may not be sent (may_be_sent()) reaches nobody.
  std::size_t accept(const TypedEvent& event);
  // Tells consumers of intervals and deadlines that have passed; when it is to be called next, unless a consumer is
  // added before: TimePoint::max(), never.
  TimePoint expire();

  // The wants of all consumers together, and the number that shows their changes (Subscriptions).
  std::vector<Subscriptions::Interest> interests(const std::vector<ConsumerNumber>& without = {}) const;
  std::uint64_t revision() const;
  std::size_t consumers() const;

 private:
  struct Consumer {
    Consumer(Wants wants, TimePoint now, std::shared_ptr<EventSetTaker> its, services::HeldBytes kept)
        : taker(std::move(its)), correlation(std::move(wants), now, std::move(kept)) {}
    const std::shared_ptr<EventSetTaker> taker;
    std::mutex mutex;  // guards what follows, and calls of the taker
    Correlation correlation;
    bool removed = false;
  };
  using Consumers = std::vector<std::shared_ptr<Consumer>>;

  static void deliver(Consumer& consumer, std::vector<EventSet>& sets);

  const Clock& clock_;
  mutable services::FairSharedMutex mutex_;  // guards what follows; not held while takers are called
  Subscriptions subscriptions_;
  std::unordered_map<ConsumerNumber, std::shared_ptr<Consumer>> consumers_;
  std::unordered_map<ConsumerNumber, std::shared_ptr<Consumer>> timed_;  // those with intervals or deadlines
  ConsumerNumber next_ = 1;
};

}  // namespace callis::events
