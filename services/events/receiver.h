// SPDX-License-Identifier: Apache-2.0
// Receiver: where a hub's events go, one for each consumer. Any thread.
#pragma once
#include <services/common/stats.h>
#include <services/events/event.h>

namespace callis::events {

// The counters that receivers add to, of a whole service. They outlive it.
struct Tally {
  services::Counters::Counter& received;    // by channels
  services::Counters::Counter& delivered;   // to consumers
  services::Counters::Counter& discarded;   // by queues that were full
  services::Counters::Counter& lost;        // by calls of which nobody knows whether they arrived
  services::Counters::Counter& failed;      // calls
  services::Counters::Counter& dropped;     // consumers and suppliers that failed too often, or whose queue was full

  explicit Tally(services::Counters& counters)
      : received(counters.counter("received")), delivered(counters.counter("delivered")),
        discarded(counters.counter("discarded")), lost(counters.counter("lost")), failed(counters.counter("failed")),
        dropped(counters.counter("dropped")) {}
};

class Receiver {
 public:
  virtual ~Receiver() = default;
  // Keeps the event, or what its policy says. Never waits for a peer.
  virtual void offer(const Event& event) = 0;
  virtual std::size_t waiting() const = 0;
  virtual std::uint64_t discarded() const = 0;
};

}  // namespace callis::events
