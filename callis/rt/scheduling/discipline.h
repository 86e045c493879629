// SPDX-License-Identifier: Apache-2.0
// Discipline: the rule by which a scheduler decides. A program makes a scheduler of its own by a derived class, for
// make_scheduler() of <callis/rt_scheduling.h>. The four supplied disciplines are such classes, too.
//
// A discipline is constant: any threads may call, several at once. urgency() is called under the scheduler's lock. It
// must not wait, throw, or call the scheduler.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/corba.h>
#include <array>
#include <compare>
#include <cstdint>
#include <memory>

namespace callis::rt::scheduling {

// Time in the units of TimeBase::TimeT, 100 ns: a span, or a moment since 15 October 1582, 0:00 UTC.
using Ticks = std::int64_t;

// The last moment, and the longest span, that parameters may have: in the year 16196.
inline constexpr Ticks kMostTicks = Ticks{1} << 62;

// A scheduling parameter as the scheduler keeps it: it never changes. Disciplines derive from it.
class Parameter {
 public:
  virtual ~Parameter() = default;
};
using ParameterPtr = std::shared_ptr<const Parameter>;

// Says how far a segment has come.
struct Progress {
  Ticks now = 0;
  Ticks executed = 0;  // by the distributable thread, in all processes, since its first segment began
};

// Decides which of two segments runs first: the segment with the greater numbers, where the first difference counts.
// Among equals the segment that has been ready for longer runs first.
struct Urgency {
  std::array<std::int64_t, 3> numbers{INT64_MIN, INT64_MIN, INT64_MIN};
  friend auto operator<=>(const Urgency&, const Urgency&) = default;
};

class Discipline {
 public:
  virtual ~Discipline() = default;

  // Returns the scheduling_discipline_name: at most 63 characters, in static storage. The ORB believes only peers
  // whose discipline has the same name.
  virtual const char* name() const = 0;
  // Returns a copy of the policy's value, or nullptr if the policy belongs to another discipline. policy is not nil.
  // Throws CORBA::BAD_PARAM if the policy is of this discipline, but its value means nothing.
  virtual ParameterPtr parameter_of(CORBA::Policy_ptr policy) const = 0;
  // Returns a new policy with these values.
  virtual CORBA::Policy_ptr policy_of(const ParameterPtr& parameter) const = 0;
  // Returns the parameter of segments that were given none.
  virtual ParameterPtr usual() const = 0;
  // Returns the parameter of a spawned thread that was given only a priority; nullptr if this discipline has no use
  // for priorities.
  virtual ParameterPtr of_priority(CORBA::Short) const { return nullptr; }
  virtual Urgency urgency(const Parameter& parameter, const Progress& progress) const = 0;

  // Writes the parameter into the service context of requests: at most kMostParameterBytes.
  static constexpr std::size_t kMostParameterBytes = 1024;
  virtual void write(const Parameter& parameter, cdr::Encoder& to) const = 0;
  // Reads a parameter, from the peer. Returns nullptr if the value means nothing. Faults may stay in the decoder.
  virtual ParameterPtr read(cdr::Decoder& from) const = 0;
};

}  // namespace callis::rt::scheduling
