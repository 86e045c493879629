// SPDX-License-Identifier: Apache-2.0
// demux: calls without arguments of the first and of the last of 100 operations, to objects in random order.
#pragma once
#include "latency.h"
#include <random>
#include <set>

namespace bench {

inline constexpr int kLastOperation = 99;

// call(object) for one of the objects; calls_made() and objects_reached(): what the server has counted since it was
// last asked. Every object is called once beforehand, so that client and server know it.
template <class Call, class Calls, class Objects>
class Demux {
 public:
  Demux(const Options& o, Call call, Calls calls_made, Objects objects_reached)
      : objects_(static_cast<std::uint32_t>(o.objects)),
        calls_(o.calls),
        warm_(warm_calls(o)),
        call_(std::move(call)),
        calls_made_(std::move(calls_made)),
        objects_reached_(std::move(objects_reached)) {}

  void run(const std::string& which) {
    std::vector<std::uint32_t> every(objects_);
    for (std::uint32_t i = 0; i < objects_; ++i) every[i] = i;
    make(every);
    make(random_objects(warm_, 1));
    std::vector<std::uint32_t> ns = make(random_objects(calls_, 2));
    std::uint64_t total = 0;
    for (const auto sample : ns) total += sample;
    report_latencies("objects" + std::to_string(objects_) + "/" + which, ns, total);
  }

 private:
  std::vector<std::uint32_t> random_objects(int calls, unsigned seed) const {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> all(static_cast<std::size_t>(calls));
    for (auto& object : all) object = static_cast<std::uint32_t>(random()) % objects_;
    return all;
  }

  // Nanoseconds of the calls, all of which must have reached their objects.
  std::vector<std::uint32_t> make(const std::vector<std::uint32_t>& targets) {
    std::vector<std::uint32_t> ns;
    ns.reserve(targets.size());
    for (const std::uint32_t target : targets) {
      const std::uint64_t start = now_ns();
      call_(target);
      ns.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(now_ns() - start, UINT32_MAX)));
    }
    expect(calls_made_() == targets.size(), "number of calls of the operation");
    expect(objects_reached_() == std::set<std::uint32_t>(targets.begin(), targets.end()).size(), "objects called");
    return ns;
  }

  std::uint32_t objects_;
  int calls_, warm_;
  Call call_;
  Calls calls_made_;
  Objects objects_reached_;
};

}  // namespace bench
