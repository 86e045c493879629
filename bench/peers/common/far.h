// SPDX-License-Identifier: Apache-2.0
// far: what costs round trips where a round trip is long. Every call is checked by those who make it.
#pragma once
#include <atomic>
#include <functional>
#include <thread>
#include "flood.h"
#include "latency.h"

namespace bench {

// What a client can do. All of it goes to one server.
struct FarCalls {
  std::function<void()> call;                              // two-way, of three shorts; also from many threads at once
  std::function<void(std::uint64_t bytes)> send;           // one-way
  std::function<Receipt(std::uint64_t expected)> barrier;  // waits for all that was sent
};

inline constexpr std::uint64_t kFarSmall = 1 << 10, kFarLarge = 256 << 10;
inline constexpr int kFarOneWays = 100, kFarThreads = 8, kFarPipelined = 16;

// Calls of so many threads at once: one connection may carry them all, or each may have its own.
inline void far_together(const Options& o, const FarCalls& far) {
  std::atomic<bool> failed = false;
  const auto each = [&](int times) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kFarThreads; ++t)
      threads.emplace_back([&] {
        try {
          for (int i = 0; i < times; ++i) far.call();
        } catch (...) {
          failed = true;
        }
      });
    for (auto& thread : threads) thread.join();
    expect(!failed, "a call of one of many threads");
  };
  each(2);
  const std::uint64_t start = now_ns();
  each(o.calls);
  result("together", "calls_per_s", o.calls * kFarThreads * 1e9 / static_cast<double>(now_ns() - start));
}

// Calls of one thread: all are sent before it waits for the first result. begin(i) sends, end(i) waits and checks.
template <class Begin, class End>
void far_pipelined(const Options& o, Begin&& begin, End&& end) {
  const auto all = [&] {
    for (int i = 0; i < kFarPipelined; ++i) begin(i);
    for (int i = 0; i < kFarPipelined; ++i) end(i);
  };
  if (wanted(o.operations, "pipelined")) latency("pipelined", 2, o.calls, all, [] { return true; });
}

inline void far(const Options& o, const FarCalls& far) {
  const auto timed = [&](const char* name, auto&& act) {
    if (wanted(o.operations, name)) latency(name, 2, o.calls, act, [] { return true; });
  };
  const auto flood = [&](int times, std::uint64_t bytes) {
    for (int i = 0; i < times; ++i) far.send(bytes);
    const std::uint64_t all = bytes * static_cast<std::uint64_t>(times);
    const Receipt r = far.barrier(all);
    expect(r.arrived == all && r.intact == all, "one-ways that arrived");
  };
  timed("call", far.call);
  timed("after-one-way", [&] {
    far.send(kFarSmall);
    far.call();
  });
  if (wanted(o.operations, "after-one-way")) far.barrier(kFarSmall * static_cast<std::uint64_t>(o.calls + 2));
  timed("one-ways", [&] { flood(kFarOneWays, kFarSmall); });
  timed("large", [&] { flood(1, kFarLarge); });
  if (wanted(o.operations, "together")) far_together(o, far);
}

}  // namespace bench
