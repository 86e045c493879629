// SPDX-License-Identifier: Apache-2.0
// Work: the cost to this process of a type that a peer describes, charged to the budget of the peer's message as the
// work is done. Reading the description and building the plan stop in the middle if the budget is used up. So the
// size of a message bounds its cost in memory and processor time (docs/design/engine.md).
//
// Two things are charged in the same currency:
//   - memory, byte by byte: taken before it is allocated, given back when it is freed. What is kept stays charged.
//   - steps, kStepBytes each: a step is what some ten nanoseconds go into, such as looking at a member once.
#pragma once
#include <callis/base/fixed_limits.h>
#include <callis/cdr/decoder.h>

namespace callis::marshal {

class Work {
 public:
  static constexpr std::size_t kStepBytes = FixedLimits::type_code_step_bytes;

  explicit Work(cdr::Budget& budget) : budget_(budget), take_(&take_from_budget) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // std::bad_alloc when the budget is used up, as when memory is: fault() tells them apart.
  void take(std::size_t bytes) { take_(*this, bytes); }
  void give(std::size_t bytes) { budget_.bytes_left += bytes; }
  void step(std::size_t n = 1) { take(n * kStepBytes); }
  cdr::Budget& budget() { return budget_; }
  // Why std::bad_alloc was thrown: Fault::BudgetExceeded or Fault::OutOfMemory.
  Fault fault() const { return fault_; }

 private:
  static void take_from_budget(Work& work, std::size_t bytes);

  cdr::Budget& budget_;
  void (*const take_)(Work&, std::size_t);  // linked where there is a Work only
  Fault fault_ = Fault::OutOfMemory;
};

}  // namespace callis::marshal
