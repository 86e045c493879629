// SPDX-License-Identifier: Apache-2.0
// Synchronous calls, timed one by one.
#pragma once
#include <algorithm>
#include <cmath>
#include "program.h"

namespace bench {

inline constexpr int kWarmCalls = 2'000;

inline int timed_calls(const Options& o, const std::string& name) {
  return std::max(1, name == "test_struct_sequence" ? o.calls / 10 : o.calls);
}
// 2,000; fewer when fewer than 20,000 calls are asked for.
inline int warm_calls(const Options& o) { return std::clamp(o.calls / 10, 1, kWarmCalls); }

inline void report_latencies(const std::string& name, std::vector<std::uint32_t>& ns, std::uint64_t total_ns) {
  std::sort(ns.begin(), ns.end());
  const auto at = [&](double share) {  // the least sample that `share` of all samples do not exceed
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ns.size())));
    return ns[std::clamp<std::size_t>(rank, 1, ns.size()) - 1] / 1e3;
  };
  result(name, "p50_us", at(0.5));
  result(name, "p99_us", at(0.99));
  result(name, "p999_us", at(0.999));
  result(name, "calls_per_s", static_cast<double>(ns.size()) * 1e9 / static_cast<double>(total_ns));
}

// Calls call() so often as warm-up and so often with the clock on. call() is timed, with what it frees of the last
// results. check() is not: it says of each call whether the results were right, and spoils them, so that it cannot
// find those of an earlier call.
template <class Call, class Check>
void latency(const std::string& name, int warm, int calls, Call&& call, Check&& check) {
  std::vector<std::uint32_t> ns;
  ns.reserve(static_cast<std::size_t>(calls));
  std::uint64_t total = 0;
  for (int i = -warm; i < calls; ++i) {
    const std::uint64_t start = now_ns();
    call();
    const std::uint64_t took = now_ns() - start;
    expect(check(), name);
    if (i < 0) continue;
    ns.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(took, UINT32_MAX)));
    total += took;
  }
  report_latencies(name, ns, total);
}

// An operation of Param_Test, if it is asked for.
template <class Call, class Check>
void param_test(const Options& o, const std::string& name, Call&& call, Check&& check) {
  if (wanted(o.operations, name)) latency(name, warm_calls(o), timed_calls(o, name), call, check);
}

}  // namespace bench
