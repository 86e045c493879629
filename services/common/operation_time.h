// SPDX-License-Identifier: Apache-2.0
// OperationTime: bounds how long one operation of a service may work, in all. An operation makes an OperationTime
// when it begins. Everything that works or waits for the operation gets the same OperationTime: constraints,
// federated queries, factories, dynamic properties, feeding. So many short waits do not add up to a long wait.
//
//   OperationTime time(20s);
//   for (const Offer& offer : all) {
//     time.step();                           // throws when the time is over; looks at the clock now and then
//     ...
//   }
//   const callis::ThreadDeadline limit(time.left());   // a call to somebody else takes what is left
//
// Only the thread that made it calls functions; other threads may ask left() and over().
#pragma once
#include <callis/corba.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace callis::services {

class OperationTime final {
 public:
  using Clock = std::chrono::steady_clock;

  // option: which sets the limit, for the text of the exception; outlives this.
  explicit OperationTime(Clock::duration limit, const char* option = nullptr)
      : limit_(limit), option_(option), end_(Clock::now() + limit) {}
  OperationTime(const OperationTime&) = delete;
  OperationTime& operator=(const OperationTime&) = delete;

  // 0 when the time is over.
  Clock::duration left() const {
    const Clock::duration left = end_ - Clock::now();
    return left > Clock::duration::zero() ? left : Clock::duration::zero();
  }
  // Returns the time for the next of so many calls that may not be answered: at most `most`, and at most its part of
  // the time that is left. So the later calls are made, too.
  Clock::duration part(Clock::duration most, std::size_t calls) const {
    return std::min(most, left() / static_cast<Clock::rep>(std::max<std::size_t>(calls, 1)));
  }
  bool over() const { return Clock::now() >= end_; }

  // Throws NO_RESOURCES when the time is over. `completed` says whether the operation has changed something by then.
  void check(CORBA::CompletionStatus completed = CORBA::COMPLETED_NO) const {
    if (!over()) return;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(limit_).count();
    throw CORBA::NO_RESOURCES(0, completed,
                              "the operation takes longer than the service allows, " + std::to_string(ms) + " ms" +
                                  (option_ ? std::string(" (") + option_ + ")" : std::string()));
  }
  // check(), every kSteps steps.
  void step(CORBA::CompletionStatus completed = CORBA::COMPLETED_NO) {
    if (++steps_ % kSteps == 0) check(completed);
  }
  static constexpr std::uint32_t kSteps = 1024;

 private:
  const Clock::duration limit_;
  const char* const option_;
  const Clock::time_point end_;
  std::uint32_t steps_ = 0;
};

}  // namespace callis::services
