// SPDX-License-Identifier: Apache-2.0
// Demand: the execution time that a set of streams asks for within a window that begins when all of them are released
// as often as their jitters allow (the critical instant): the sum of cost * ceil((window + jitter) / period).
//
// Streams of one period are kept together, so that a question takes time in proportion to the different periods and
// not to the streams. All sums end at kNever (checked.h).
#pragma once
#include <services/scheduling/checked.h>
#include <unordered_map>

namespace callis::scheduling {

class Demand {
 public:
  // period: 1 or more; cost: of all executions in a period.
  void add(std::int64_t period, std::int64_t jitter, std::int64_t cost);
  // To be called between add() and of().
  void settle();
  // window: 1 or more.
  std::int64_t of(std::int64_t window) const;
  // What one question costs.
  std::size_t periods() const { return groups_.size(); }

 private:
  struct Part {
    std::int64_t jitter = 0;  // less than the period
    std::int64_t cost = 0;
    std::int64_t above = 0;  // the cost of this and of all that follow, which have more jitter
    bool operator<(const Part& o) const { return jitter < o.jitter; }
  };
  struct Group {
    std::int64_t period = 1;
    std::int64_t cost = 0;    // of all
    std::int64_t before = 0;  // cost of the whole periods of jitter
    std::vector<Part> parts;  // by jitter; those without are not here
    std::size_t sorted = 0;
  };

  std::vector<Group> groups_;
  std::unordered_map<std::int64_t, std::size_t> by_period_;
};

}  // namespace callis::scheduling
