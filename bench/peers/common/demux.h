// SPDX-License-Identifier: Apache-2.0
// demux: calls without arguments of the first and of the last of 100 operations, to objects in random order.
#pragma once
#include <random>
#include <set>
#include "latency.h"

namespace bench {

inline constexpr int kLastOperation = 99;

// call(object) for one of the objects; calls_made() and objects_reached(): what the server has counted since it was
// last asked. Every object is called once beforehand, so that client and server know it.
template<class Call, class Calls, class Objects>
void demux(const Options& o, const std::string& which, Call&& call, Calls&& calls_made, Objects&& objects_reached) {
  const auto objects = static_cast<std::uint32_t>(o.objects);
  for (std::uint32_t i = 0; i < objects; ++i) call(i);
  expect(calls_made() == objects && objects_reached() == objects, "calls that arrived before the clock ran");
  const int warm = warm_calls(o);
  std::mt19937 random(1);
  std::vector<std::uint32_t> targets(static_cast<std::size_t>(std::max(warm, o.calls)));
  for (auto& target : targets) target = static_cast<std::uint32_t>(random()) % objects;
  std::size_t next = 0;
  int made = warm;  // of the part that is checked next
  latency(
      "objects" + std::to_string(objects) + "/" + which, warm, o.calls, [&] { call(targets[next++]); },
      [&] {
        const auto end = targets.begin() + made;
        const std::set<std::uint32_t> distinct(targets.begin(), end);
        const bool right = calls_made() == static_cast<std::uint64_t>(made) && objects_reached() == distinct.size();
        next = 0;
        made = o.calls;
        return right;
      });
}

}  // namespace bench
