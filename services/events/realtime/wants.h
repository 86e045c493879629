// SPDX-License-Identifier: Apache-2.0
// The wants of a consumer of the real-time event channel: groups of terms, each an AND or an OR.
//
//   (source 3, type 7) OR (any source, type 9)             each such event by itself
//   (source 1, type 7) AND (source 2, type 7)              one of each, together
//   ... AND every 100 ms                                   at most so often
//   ... OR within 500 ms                                   a timeout, when nothing came for so long
#pragma once
#include <services/events/realtime/typed_event.h>
#include <string>
#include <vector>

namespace callis::events {

struct Term {
  enum class Kind : std::uint8_t {
    Event,     // an event of this source and type comes
    Interval,  // each time that the period ends, counted from the subscription
    Deadline,  // the group has delivered nothing for so long; it delivers a timeout then, with what it has
  };
  Kind kind = Kind::Event;
  SourceId source = kAnySource;            // of Event; kAnySource: all
  EventType type = kAnyType;             // of Event; kAnyType: all
  std::chrono::milliseconds period{0};   // of Interval and Deadline
  std::uint32_t reach = 1;               // of Event: through how many gateways, one behind the other, it is asked for

  bool matches(const Header& header) const {
    return kind == Kind::Event && (source == kAnySource || source == header.source) &&
           (type == kAnyType || type == header.type);
  }
};

struct Group {
  enum class Operator : std::uint8_t { Or, And };
  Operator operation = Operator::Or;
  std::vector<Term> terms;
};

struct Wants {
  std::vector<Group> groups;
};

struct WantsLimits {
  std::size_t groups = 64, terms = 64;                     // of a consumer; of a group
  std::chrono::milliseconds shortest{1};                   // periods
  std::chrono::milliseconds longest{24 * 3'600'000};
};

// The reason for refusing the wants, in words that name the group and term; empty if they are not refused. A channel
// refuses a consumer without groups, and groups without events and intervals (a deadline alone waits for nothing). It
// also refuses two deadlines in a group, and wants beyond the limits.
std::string why_refused(const Wants& wants, const WantsLimits& limits = {});

}  // namespace callis::events
