// SPDX-License-Identifier: Apache-2.0
// Correlation: decides for one consumer which of a channel's events reach it, and which of them together. It holds
// one event for each term at most, so that it is bounded by what the consumer asked for. One thread at a time.
//
//   accept(event) ─┐   Or:   an event that a term matches ─────→ EventSet{event}
//                  ├─→ And:  terms fill up; the last one ──────→ EventSet{one for each term, in their order}
//   expire() ──────┘   either: a deadline passes ──────────────→ EventSet{what there is, timeout}, late
#pragma once
#include <callis/base/clock.h>
#include <services/common/held_bytes.h>
#include <services/events/realtime/wants.h>
#include <cstddef>
#include <vector>

namespace callis::events {

// The events that a consumer gets at once.
struct EventSet {
  std::vector<TypedEvent> events;
  std::size_t group = 0;  // whose it is, from 0
  bool late = false;      // a deadline passed before the group was complete
};

class Correlation {
 public:
  // `wants` is one that why_refused() does not refuse. Periods are counted from `now`.
  // kept: pays for the events that places hold. Where there is no room an event is passed over.
  Correlation(Wants wants, TimePoint now, services::HeldBytes kept = {});
  // For the one that comes in place of this.
  services::HeldBytes take_kept() { return std::move(kept_); }

  // Adds to `out` what the consumer gets for this event. `now`: a steady clock's, which never goes back.
  void accept(const TypedEvent& event, TimePoint now, std::vector<EventSet>& out);
  // Adds what it gets because time has passed. An interval whose end was missed several times counts once.
  void expire(TimePoint now, std::vector<EventSet>& out);
  // When expire() is to be called next; TimePoint::max(): never, unless an event comes first.
  TimePoint next_timeout() const;

 private:
  struct Place {            // a term's
    bool filled = false;    // of an And
    TypedEvent event;       // the newest, when it is filled
    TimePoint due = TimePoint::max();  // of Interval and Deadline
  };
  struct State {
    Group group;
    std::vector<Place> places;  // one for each term
  };

  void fill(Place& place, TypedEvent&& event);
  void empty(Place& place);
  void deliver(std::size_t group, TimePoint now, bool late, std::vector<EventSet>& out);
  void deliver_alone(std::size_t group, const TypedEvent& event, TimePoint now, std::vector<EventSet>& out);
  void start_again(State& state, TimePoint now);
  static bool complete(const State& state);

  std::vector<State> groups_;
  services::HeldBytes kept_;
  std::size_t bytes_ = 0;  // of the events in places
};

}  // namespace callis::events
