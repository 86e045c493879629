// SPDX-License-Identifier: Apache-2.0
// Discipline: what a scheduler decides by. A scheduler of one's own is a class derived from it, for make_scheduler()
// of <callis/rt_scheduling.h>; the four that are supplied are such classes, too.
//
// A discipline is constant: any thread, several at once. urgency() is called under the scheduler's lock. It must not
// wait, throw, or call the scheduler.
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

// How far a segment has come.
struct Progress {
  Ticks now = 0;
  Ticks executed = 0;  // by the distributable thread, in all processes, since its first segment began
};

// Which of two segments runs first: the one whose numbers are greater, the first that differs decides. Among equals
// the one that has been ready for longer.
struct Urgency {
  std::array<std::int64_t, 3> numbers{INT64_MIN, INT64_MIN, INT64_MIN};
  friend auto operator<=>(const Urgency&, const Urgency&) = default;
};

class Discipline {
 public:
  virtual ~Discipline() = default;

  // scheduling_discipline_name. Peers are believed when theirs has the same: at most 63 characters, static storage.
  virtual const char* name() const = 0;
  // A copy of what the policy says; nullptr: it is none of this discipline. policy is not nil. CORBA::BAD_PARAM: of
  // this discipline, but with a value that means nothing.
  virtual ParameterPtr parameter_of(CORBA::Policy_ptr policy) const = 0;
  // A new policy with those values.
  virtual CORBA::Policy_ptr policy_of(const ParameterPtr& parameter) const = 0;
  // Of segments that were given none.
  virtual ParameterPtr usual() const = 0;
  // Of a spawned thread that was given no parameter but a priority; nullptr: priorities say nothing here.
  virtual ParameterPtr of_priority(CORBA::Short) const { return nullptr; }
  virtual Urgency urgency(const Parameter& parameter, const Progress& progress) const = 0;

  // In the service context of requests: at most kMostParameterBytes.
  static constexpr std::size_t kMostParameterBytes = 1024;
  virtual void write(const Parameter& parameter, cdr::Encoder& to) const = 0;
  // From the peer. nullptr: a value that means nothing. Faults may stay in the decoder.
  virtual ParameterPtr read(cdr::Decoder& from) const = 0;
};

}  // namespace callis::rt::scheduling
