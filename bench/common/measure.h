// SPDX-License-Identifier: Apache-2.0
// Timing of calls and floods, and the JSON lines that carry the results. No middleware in here.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

inline std::uint64_t now_ns() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

// A wrong value ends the program: a fast wrong answer is no result.
inline void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "bench: wrong value: %s\n", what);
  std::exit(1);
}

struct Report {
  const char* system;  // callis-interpreted, callis-compiled, omniorb ...

  void latency(const char* name, std::vector<std::uint64_t> ns) const {
    std::uint64_t sum = 0;
    for (auto n : ns) sum += n;
    std::sort(ns.begin(), ns.end());
    std::printf("{\"suite\":\"param_test\",\"system\":\"%s\",\"case\":\"%s\",\"calls\":%zu,\"calls_per_s\":%.0f,"
                "\"p50_us\":%.2f,\"p99_us\":%.2f}\n",
                system, name, ns.size(), static_cast<double>(ns.size()) * 1e9 / static_cast<double>(sum),
                static_cast<double>(ns[ns.size() / 2]) / 1e3,
                static_cast<double>(ns[ns.size() - 1 - ns.size() / 100]) / 1e3);
    std::fflush(stdout);
  }
  void throughput(const char* name, std::uint64_t bytes, std::uint64_t ns) const {
    std::printf("{\"suite\":\"ttcp\",\"system\":\"%s\",\"case\":\"%s\",\"mb\":%llu,\"gbit_s\":%.3f}\n", system, name,
                static_cast<unsigned long long>(bytes >> 20),
                static_cast<double>(bytes) * 8 / static_cast<double>(ns));
    std::fflush(stdout);
  }
};

// call() is timed, check() is not; both run calls times after a tenth as many warm-up calls.
template <class Call, class Check>
void latency(const Report& report, const char* name, int calls, Call&& call, Check&& check) {
  std::vector<std::uint64_t> ns;
  ns.reserve(static_cast<std::size_t>(calls));
  for (int i = -calls / 10; i < calls; ++i) {
    const std::uint64_t start = now_ns();
    call();
    const std::uint64_t end = now_ns();
    expect(check(), name);
    if (i >= 0) ns.push_back(end - start);
  }
  report.latency(name, std::move(ns));
}

// Asks until expected bytes have arrived intact: some ORBs serve one-ways beside the call that asks.
template <class Received>
void wait_for(std::uint64_t expected, const char* name, Received&& received) {
  const std::uint64_t limit = now_ns() + 30'000'000'000u;
  std::uint64_t got = 0;
  while ((got += received()) < expected) expect(now_ns() < limit, name);
  expect(got == expected, name);
}

// Floods total bytes in buffers of buffer_bytes, then asks how many arrived intact.
template <class Send, class Received>
void flood(const Report& report, const char* name, std::uint64_t total, std::uint64_t buffer_bytes, Send&& send,
           Received&& received) {
  const std::uint64_t warm = 16;
  for (std::uint64_t i = 0; i < warm; ++i) send();
  wait_for(warm * buffer_bytes, name, received);
  const std::uint64_t n = total / buffer_bytes;
  const std::uint64_t start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) send();
  wait_for(n * buffer_bytes, name, received);
  report.throughput(name, n * buffer_bytes, now_ns() - start);
}

}  // namespace bench
