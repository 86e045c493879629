// SPDX-License-Identifier: Apache-2.0
// Places of terms fill with events and timeouts; what is complete, or late, is delivered.
#include <services/events/realtime/correlation.h>
#include <algorithm>
#include <utility>

namespace callis::events {
namespace {

TypedEvent timeout() {
  TypedEvent event;
  event.header = {.source = kAnySource, .type = kTimeout, .ttl = 0,
                  .created = std::chrono::system_clock::now().time_since_epoch()};
  return event;
}

// The first end of a period after `now`, so that periods do not drift when expire() comes late.
TimePoint next_end(TimePoint due, std::chrono::milliseconds period, TimePoint now) {
  return due + period * ((now - due) / period + 1);
}

}  // namespace

void Correlation::fill(Place& place, TypedEvent&& event) {
  constexpr std::size_t kOverhead = 256;  // what holds an event
  event.bytes += kOverhead;               // of this copy, which bytes_ counts
  const std::size_t others = bytes_ - (place.filled ? place.event.bytes : 0);
  if (!kept_.reach(others + event.bytes)) return;
  bytes_ = others + event.bytes;
  place.filled = true;
  place.event = std::move(event);
}

void Correlation::empty(Place& place) {
  if (place.filled) bytes_ -= place.event.bytes;
  place.filled = false;
  place.event = {};
}

Correlation::Correlation(Wants wants, TimePoint now, services::HeldBytes kept) : kept_(std::move(kept)) {
  groups_.reserve(wants.groups.size());
  for (Group& group : wants.groups) {
    State state{std::move(group), {}};
    state.places.resize(state.group.terms.size());
    for (std::size_t i = 0; i < state.places.size(); ++i) {
      const Term& term = state.group.terms[i];
      if (term.kind != Term::Kind::Event) state.places[i].due = now + term.period;
    }
    groups_.push_back(std::move(state));
  }
}

bool Correlation::complete(const State& state) {
  for (std::size_t i = 0; i < state.places.size(); ++i) {
    if (state.group.terms[i].kind != Term::Kind::Deadline && !state.places[i].filled) return false;
  }
  return true;
}

void Correlation::start_again(State& state, TimePoint now) {
  for (std::size_t i = 0; i < state.places.size(); ++i) {
    Place& place = state.places[i];
    empty(place);
    if (state.group.terms[i].kind == Term::Kind::Deadline) place.due = now + state.group.terms[i].period;
  }
}

void Correlation::deliver(std::size_t group, TimePoint now, bool late, std::vector<EventSet>& out) {
  EventSet set{{}, group, late};
  for (Place& place : groups_[group].places) {
    if (place.filled) set.events.push_back(place.event);  // start_again() empties the place
  }
  if (late) set.events.push_back(timeout());
  out.push_back(std::move(set));
  start_again(groups_[group], now);
  kept_.settle(bytes_);
}

void Correlation::deliver_alone(std::size_t group, const TypedEvent& event, TimePoint now,
                                std::vector<EventSet>& out) {
  out.push_back({{event}, group, false});
  start_again(groups_[group], now);
}

void Correlation::accept(const TypedEvent& event, TimePoint now, std::vector<EventSet>& out) {
  expire(now, out);  // a deadline that has passed is told before what came after it
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    State& state = groups_[g];
    bool matched = false;
    for (std::size_t i = 0; i < state.places.size(); ++i) {
      if (!state.group.terms[i].matches(event.header)) continue;
      matched = true;
      if (state.group.operation == Group::Operator::Or) break;
      fill(state.places[i], TypedEvent(event));
    }
    if (!matched) continue;
    if (state.group.operation == Group::Operator::Or) {
      deliver_alone(g, event, now, out);
    } else if (complete(state)) {
      deliver(g, now, false, out);
    }
  }
}

void Correlation::expire(TimePoint now, std::vector<EventSet>& out) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    State& state = groups_[g];
    for (std::size_t i = 0; i < state.places.size(); ++i) {  // intervals first: they may complete what is due
      Place& place = state.places[i];
      const Term& term = state.group.terms[i];
      if (term.kind != Term::Kind::Interval || now < place.due) continue;
      place.due = next_end(place.due, term.period, now);
      if (state.group.operation == Group::Operator::Or) {
        deliver_alone(g, timeout(), now, out);
        continue;
      }
      fill(place, timeout());
      if (complete(state)) deliver(g, now, false, out);
    }
    for (std::size_t i = 0; i < state.places.size(); ++i) {
      if (state.group.terms[i].kind == Term::Kind::Deadline && now >= state.places[i].due) deliver(g, now, true, out);
    }
  }
}

TimePoint Correlation::next_timeout() const {
  TimePoint next = TimePoint::max();
  for (const State& state : groups_) {
    for (const Place& place : state.places) next = std::min(next, place.due);
  }
  return next;
}

}  // namespace callis::events
