// SPDX-License-Identifier: Apache-2.0
// Timing of calls, floods and crowds of clients, and the JSON lines that carry the results: the same for all systems.
// No middleware in here.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace bench {

inline std::uint64_t now_ns() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

// A wrong value ends the program: a fast wrong answer is no result.
inline void expect(bool right, const std::string& what) {
  if (right) return;
  std::fprintf(stderr, "bench: wrong value: %s\n", what.c_str());
  std::exit(1);
}

inline void result(const std::string& name, const char* metric, double value) {
  std::printf("{\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g}\n", name.c_str(), metric, value);
  std::fflush(stdout);
}

// The sample below which a part of the sorted samples lies.
inline double quantile_us(const std::vector<std::uint64_t>& ns, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(ns.size()));
  return static_cast<double>(ns[std::min(at, ns.size() - 1)]) / 1e3;
}

// call() is timed, check() is not; both run `calls` times after a tenth as many that warm up, and 100 at least.
// What call() frees of the last results is in its time.
template <class Call, class Check>
void latency(const std::string& name, std::uint64_t calls, Call&& call, Check&& check) {
  std::vector<std::uint64_t> ns;
  ns.reserve(calls);
  std::uint64_t sum = 0;
  for (std::uint64_t warm = std::max<std::uint64_t>(calls / 10, 100), i = 0; i < warm + calls; ++i) {
    const std::uint64_t start = now_ns();
    call();
    const std::uint64_t took = now_ns() - start;
    expect(check(), name);
    if (i < warm) continue;
    ns.push_back(took);
    sum += took;
  }
  std::sort(ns.begin(), ns.end());
  result(name, "p50_us", quantile_us(ns, 0.5));
  result(name, "p99_us", quantile_us(ns, 0.99));
  result(name, "p999_us", quantile_us(ns, 0.999));
  result(name, "calls_per_s", static_cast<double>(calls) * 1e9 / static_cast<double>(sum));
}

// What a receiver has to say of a flood: bytes that arrived intact, and the nanoseconds by its own clock from the first
// buffer to the moment it is asked.
struct Arrived {
  std::uint64_t bytes, ns;
};

// Asks until the expected bytes have arrived intact: some systems serve one-way calls beside the call that asks.
template <class Received>
Arrived wait_for(std::uint64_t expected, const std::string& name, Received&& received) {
  const std::uint64_t limit = now_ns() + 30'000'000'000u;
  Arrived got = received();
  while (got.bytes < expected) {
    expect(now_ns() < limit, name + ": bytes are lost");
    got = received();
  }
  expect(got.bytes == expected, name + ": more bytes than were sent");
  return got;
}

// Floods about `total` bytes in buffers of buffer_bytes, after a quarter of it, at most 4 MB, that warms up.
//   start()     the receiver forgets what has arrived
//   send()      one buffer
//   received()  Arrived since start(); whatever the sender has held back goes first
template <class Start, class Send, class Received>
void flood(const std::string& name, std::uint64_t total, std::uint64_t buffer_bytes, Start&& start, Send&& send,
           Received&& received) {
  const auto run = [&](std::uint64_t buffers) {
    start();
    const std::uint64_t begin = now_ns();
    for (std::uint64_t i = 0; i < buffers; ++i) send();
    const Arrived got = wait_for(buffers * buffer_bytes, name, received);
    return std::pair{now_ns() - begin, got.ns};
  };
  run(std::max<std::uint64_t>(std::min<std::uint64_t>(total / 4, 4u << 20) / buffer_bytes, 4));
  const std::uint64_t buffers = std::max<std::uint64_t>(total / buffer_bytes, 4);
  const auto [sender_ns, receiver_ns] = run(buffers);
  const auto rate = [&](std::uint64_t n, std::uint64_t ns) {
    return static_cast<double>(n * buffer_bytes) * 8 / static_cast<double>(ns);
  };
  result(name, "gbit_s", rate(buffers, sender_ns));
  // The receiver's clock starts when the first buffer is there, so that one is not among those it has timed.
  if (receiver_ns > 0) result(name, "receiver_gbit_s", rate(buffers - 1, receiver_ns));
}

}  // namespace bench
