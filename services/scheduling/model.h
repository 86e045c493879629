// SPDX-License-Identifier: Apache-2.0
// Model: the RT_Infos and their dependencies, checked as they come. What it has is always whole: a name is there
// once, a dependency leads from one RT_Info to another. Cycles are found by propagate() (streams.h).
//
// One thread at a time. Refuses by throwing Refused, with nothing changed.
#pragma once
#include <services/scheduling/refused.h>
#include <services/scheduling/rt_info.h>
#include <unordered_map>

namespace callis::scheduling {

class Model {
 public:
  explicit Model(const Bounds& bounds = {}) : bounds_(bounds) {}

  // Duplicate, BadValue, TooMany.
  Index add(RtInfo info);
  // In place of what it is; the name may not change.
  void change(Index at, RtInfo info);
  // BadValue: calls itself, no calls, a two-way call of an And or Or. The same pair again adds to the calls.
  void add(const Dependency& dependency);
  // Without it, and without what leads to it and from it. The numbers of those behind it become one less.
  void remove(Index at);
  void clear();

  // kNobody: there is none.
  Index find(std::string_view entry_point) const;
  // Unknown, with the nearest name that there is.
  Index at(std::string_view entry_point) const;

  const std::vector<RtInfo>& infos() const { return infos_; }
  const std::vector<Dependency>& dependencies() const { return dependencies_; }
  const Bounds& bounds() const { return bounds_; }

 private:
  void check(const RtInfo& info) const;

  Bounds bounds_;
  std::vector<RtInfo> infos_;
  std::vector<Dependency> dependencies_;
  std::unordered_map<std::string, Index> by_name_;
  std::unordered_map<std::uint64_t, std::size_t> by_pair_;  // caller, called and kind: where it is in dependencies_
  std::size_t locks_ = 0;
};

// A name from outside, for a message: printable, cut, in quotes.
std::string quoted(std::string_view name);

}  // namespace callis::scheduling
