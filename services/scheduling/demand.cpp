// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/demand.h>

namespace callis::scheduling {

void Demand::add(std::int64_t period, std::int64_t jitter, std::int64_t cost) {
  const auto [found, fresh] = by_period_.emplace(period, groups_.size());
  if (fresh) groups_.push_back({period, 0, 0, {}, 0});
  Group& group = groups_[found->second];
  group.cost = plus(group.cost, cost);
  group.before = plus(group.before, times(cost, jitter / period));
  if (jitter % period != 0) group.parts.push_back({jitter % period, cost, 0});
}

void Demand::settle() {
  for (Group& group : groups_) {
    if (group.sorted == group.parts.size()) continue;
    const auto fresh = group.parts.begin() + static_cast<std::ptrdiff_t>(group.sorted);
    std::sort(fresh, group.parts.end());
    std::inplace_merge(group.parts.begin(), fresh, group.parts.end());
    group.sorted = group.parts.size();
    std::int64_t sum = 0;
    for (std::size_t i = group.parts.size(); i-- > 0;) group.parts[i].above = sum = plus(sum, group.parts[i].cost);
  }
}

std::int64_t Demand::of(std::int64_t window) const {
  std::int64_t sum = 0;
  for (const Group& group : groups_) {
    const std::int64_t whole = window / group.period, rest = window % group.period;
    sum = plus(sum, plus(group.before, times(group.cost, whole + (rest > 0 ? 1 : 0))));
    if (group.parts.empty()) continue;
    // One more release of each whose jitter goes beyond what the last period has left.
    const std::int64_t left = rest > 0 ? group.period - rest : 0;
    const auto more = std::upper_bound(group.parts.begin(), group.parts.end(), Part{left, 0, 0});
    if (more != group.parts.end()) sum = plus(sum, more->above);
  }
  return sum;
}

}  // namespace callis::scheduling
