// SPDX-License-Identifier: Apache-2.0
// Monotonic time behind an interface, so that tests drive it, and deadlines against it.
#pragma once
#include <chrono>

namespace callis {

using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::milliseconds;

class Clock {
 public:
  virtual TimePoint now() const = 0;
  // The process's steady clock; lives as long as the process.
  static const Clock& steady();
  // The steady clock as of the system's last timer tick: never ahead, behind by some milliseconds, and read
  // at a fraction of the cost.
  static TimePoint coarse() noexcept;

 protected:
  ~Clock() = default;
};

// A clock that moves when told to. One thread.
class ManualClock final : public Clock {
 public:
  TimePoint now() const override { return now_; }
  void advance(Duration d) { now_ += d; }

 private:
  TimePoint now_{};
};

// A moment by which something must be done, or never.
class Deadline {
 public:
  Deadline() = default;  // never
  static Deadline never() { return {}; }
  static Deadline at(TimePoint t) { Deadline d; d.at_ = t; return d; }
  // after <= 0 means never, as 0 does in Limits
  static Deadline in(Duration after, const Clock& clock = Clock::steady());

  bool is_never() const { return at_ == TimePoint::max(); }
  bool passed(const Clock& clock = Clock::steady()) const { return !is_never() && clock.now() >= at_; }
  // For poll(): -1 for never, 0 when passed, else milliseconds rounded up.
  int poll_ms(const Clock& clock = Clock::steady()) const;
  TimePoint time() const { return at_; }

 private:
  TimePoint at_ = TimePoint::max();
};

}  // namespace callis
