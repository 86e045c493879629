// SPDX-License-Identifier: Apache-2.0
// Subscriber: a consumer as the router and the lanes see it: what waits for it, and a job in a lane for each of its
// priorities. Any thread; whoever offers sets never waits for the consumer.
//
//   take(set) ──→ Sets ──→ the lane's thread: Sink::deliver() ──→ Taken: the next one
//                   ↑                           ├──→ Refused: has not arrived; it is the next again, after a pause
//                   └───────────────────────────┘
//                                               ├──→ Unknown: may have arrived; it is lost, and there is a pause
//                                               └──→ Gone, or `failures` calls failed one after the other: dropped()
#pragma once
#include <services/common/stats.h>
#include <services/events/realtime/router.h>
#include <services/events/rtchannel/lane.h>
#include <services/events/rtchannel/sets.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace callis::rtevents {

// The counters of a whole service. They outlive all that adds to them.
struct Tally {
  services::Counters::Counter& received;   // events, by channels
  services::Counters::Counter& refused;    // events that no supplier may send, or not this supplier
  services::Counters::Counter& forwarded;  // events, from other channels by gateways
  services::Counters::Counter& delivered;  // sets
  services::Counters::Counter& discarded;  // sets, by queues that were full
  services::Counters::Counter& lost;       // sets, by calls of which nobody knows whether they arrived
  services::Counters::Counter& failed;     // calls
  services::Counters::Counter& dropped;    // consumers

  explicit Tally(services::Counters& counters);
};

// The consumer behind it. Calls of one priority come one at a time, in order; those of several may come at once.
class Sink {
 public:
  enum class Result : std::uint8_t { Taken, Refused, Unknown, Gone };
  virtual ~Sink() = default;
  // Ends in bounded time.
  virtual Result deliver(const events::EventSet& set) noexcept = 0;
  // Once, when the consumer is given up: why, in words. Not after Subscriber::end().
  virtual void dropped(const std::string& why) noexcept = 0;
};

struct SubscriberOptions {
  QueueBounds bounds;
  unsigned failures = 5;  // one after the other; then the consumer is dropped; 1 at least
  std::chrono::milliseconds first_pause{20}, longest_pause{1'000};  // after a failure; doubles with each
  std::string nothing_from;  // the id of a channel: what a gateway had from there is passed over; empty: nothing is
};

// The lanes of a service, from the highest priority.
using Lanes = std::vector<std::unique_ptr<Lane>>;
// The lane that dispatches sets of the priority: the nearest lane not above it, or else the lowest lane.
Lane& lane_for(const Lanes& lanes, std::int32_t priority);

class Subscriber final : public events::EventSetTaker, public std::enable_shared_from_this<Subscriber> {
 public:
  // lanes and tally outlive it.
  Subscriber(const Lanes& lanes, std::unique_ptr<Sink> sink, const SubscriberOptions& options, Tally& tally,
             services::HeldBytes kept = {})
      : lanes_(lanes), sink_(std::move(sink)), options_(options), tally_(tally),
        sets_(options.bounds, std::move(kept)) {}

  // Sets the priorities of the wanted groups. Called before the router knows the subscriber, and after changes.
  void set_priorities(std::span<const std::int32_t> of_groups);
  void take(events::EventSet&& set) noexcept override;

  // Lets go of waiting sets, and of sets that come meanwhile.
  void suspend();
  void resume();
  bool suspended() const;
  // Lets go of waiting sets. Does not wait for a running call; no other call begins.
  void end();

  std::size_t waiting() const;
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t discarded() const;

 private:
  class Line;
  using LinePtr = std::shared_ptr<Line>;
  LinePtr line_of(std::int32_t priority);
  Lane::Next run(Line& line) noexcept;
  Lane::Next failed(Line& line, Sets::Waiting&& set, bool arrived_perhaps);
  void give_up(const std::string& why);

  const Lanes& lanes_;
  const std::unique_ptr<Sink> sink_;
  const SubscriberOptions options_;
  Tally& tally_;
  std::atomic<std::uint64_t> delivered_{0};
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::int32_t> priorities_;
  std::vector<LinePtr> lines_;  // a line for each priority that the subscriber has had
  Sets sets_;
  unsigned failures_ = 0;
  bool suspended_ = false, ended_ = false, full_ = false;
};

}  // namespace callis::rtevents
