// SPDX-License-Identifier: Apache-2.0
// Priority inheritance: a job waits at most once for each lock that can block it (Sha, Rajkumar and Lehoczky 1990).
#include <services/scheduling/blocking.h>
#include <services/scheduling/checked.h>
#include <services/scheduling/levels.h>
#include <algorithm>
#include <map>

namespace callis::scheduling {

namespace {

// The lanes at which an operation runs: its own, and those of the callers that it runs inside of.
struct Reach {
  std::uint32_t lowest = kNoLevel, highest = 0;
  bool any() const { return lowest != kNoLevel; }
  void add(std::uint32_t low, std::uint32_t high) {
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
};

struct User {
  Reach reach;
  std::int64_t longest = 0;
};

std::vector<Reach> reaches(const Model& model, const std::vector<Index>& order,
                           const std::vector<std::uint32_t>& lanes) {
  std::vector<Reach> out(lanes.size());
  std::vector<std::vector<Index>> inside(lanes.size());
  for (const Dependency& d : model.dependencies())
    if (d.kind == CallKind::TwoWay) inside[d.caller].push_back(d.called);
  for (const Index i : order) {
    if (lanes[i] != kNoLevel) out[i].add(lanes[i], lanes[i]);
    if (!out[i].any()) continue;
    for (const Index called : inside[i]) out[called].add(out[i].lowest, out[i].highest);
  }
  return out;
}

}  // namespace

std::vector<Time> blocking_of_lanes(const Model& model, const std::vector<Index>& order,
                                    const std::vector<std::uint32_t>& lanes, std::size_t lane_count) {
  const std::vector<Reach> reach = reaches(model, order, lanes);
  std::map<std::string_view, std::vector<User>> users;
  std::int64_t all = 0;
  for (Index i = 0; i < model.infos().size(); ++i) {
    for (const Lock& lock : model.infos()[i].locks) {
      all = plus(all, lock.longest.count());
      if (reach[i].any()) users[lock.name].push_back({reach[i], lock.longest.count()});
    }
  }
  if (all == kNever)
    throw Refused(Refused::Kind::BadValue, "the times of all locks add up to 36 years or more: one of them is wrong");
  // What each lane has more than the lane below.
  std::vector<std::int64_t> more(lane_count + 1, 0);
  for (auto& [name, of] : users) {
    std::sort(of.begin(), of.end(), [](const User& a, const User& b) { return a.reach.lowest < b.reach.lowest; });
    std::uint32_t ceiling = 0;
    for (const User& user : of) ceiling = std::max(ceiling, user.reach.highest);
    std::int64_t longest = 0;
    for (const User& user : of) {
      if (user.reach.lowest >= ceiling || user.longest <= longest) continue;
      more[user.reach.lowest + 1] += user.longest - longest;
      longest = user.longest;
    }
    more[ceiling + 1] -= longest;
  }
  std::vector<Time> out(lane_count);
  std::int64_t sum = 0;
  for (std::size_t lane = 0; lane < lane_count; ++lane) out[lane] = Time(sum += more[lane]);
  return out;
}

}  // namespace callis::scheduling
