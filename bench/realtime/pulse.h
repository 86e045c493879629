// SPDX-License-Identifier: Apache-2.0
// What the clients of the real-time measurements share: a command line, periods by the clock, and what is said of
// latencies. No middleware in here.
//
//   high --calls N --native P [--priority C]     N calls, one a millisecond, by a thread of SCHED_FIFO P; --period 0:
//                                                one behind the other
//                                                --phase U: U microseconds behind each full millisecond of the clock,
//                                                for two that run in turn
//                                                --watch FILE --server PID --flood PID: also how long requests waited
//                                                for threads of lower priority, see watch.h
//   flood --clients N --native P [--priority C]  N threads that call as fast as they can, until SIGTERM
//
// --native 0: an ordinary thread. --priority: RTCORBA::Priority, where the ORB has it.
#pragma once
#include "watch.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <optional>
#include <thread>

namespace bench::realtime {

struct Arguments {
  std::string role, reference, watch;
  int calls = 1'000, clients = 1, native = 0, priority = -1;
  pid_t server = 0, flood = 0;
  std::uint64_t period_ns = 1'000'000, phase_ns = 0;
};

inline Arguments parse(int argc, char** argv) {
  Arguments a;
  if (argc < 2) throw std::invalid_argument("no role is named");
  a.role = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 >= argc) throw std::invalid_argument("a value is missing: " + std::string(name));
    if (name == "--reference") a.reference = argv[i + 1];
    else if (name == "--calls") a.calls = std::stoi(argv[i + 1]);
    else if (name == "--clients") a.clients = std::stoi(argv[i + 1]);
    else if (name == "--native") a.native = std::stoi(argv[i + 1]);
    else if (name == "--period") a.period_ns = std::stoull(argv[i + 1]) * 1'000;  // microseconds
    else if (name == "--phase") a.phase_ns = std::stoull(argv[i + 1]) * 1'000;
    else if (name == "--watch") a.watch = argv[i + 1];
    else if (name == "--server") a.server = std::stoi(argv[i + 1]);
    else if (name == "--flood") a.flood = std::stoi(argv[i + 1]);
    else if (name == "--priority") a.priority = std::stoi(argv[i + 1]);
    else throw std::invalid_argument("unknown option: " + std::string(name));
  }
  return a;
}

inline void run_at(int native) {
  if (native == 0) return;
  const sched_param param{native};
  expect(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0,
         "SCHED_FIFO is refused: CAP_SYS_NICE is needed");
}

inline void sleep_until(std::uint64_t ns) {
  const timespec t{static_cast<time_t>(ns / 1'000'000'000u), static_cast<long>(ns % 1'000'000'000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {}
}

// One call a period, each timed alone. call(n) throws when its result is wrong.
template <class Call>
void pulse(const Arguments& a, Call&& call) {
  std::vector<std::uint32_t> ns(static_cast<std::size_t>(a.calls));
  (void)mlockall(MCL_CURRENT | MCL_FUTURE);
  run_at(a.native);
  const int warm = std::min(200, a.calls);
  std::optional<Inversions> inversions;
  if (!a.watch.empty()) inversions.emplace(a.watch, a.server, a.flood);
  std::uint64_t next = now_ns() + a.period_ns;
  if (a.period_ns != 0) next += a.period_ns - next % a.period_ns + a.phase_ns;
  for (int i = -warm; i < a.calls; ++i, next += a.period_ns) {
    if (a.period_ns != 0) sleep_until(next);
    if (inversions) inversions->before();
    const std::uint64_t start = now_ns();
    call(static_cast<std::uint64_t>(i + warm));
    const std::uint64_t took = std::min<std::uint64_t>(now_ns() - start, UINT32_MAX);
    if (i >= 0) ns[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(took);
    if (inversions) inversions->after(i >= 0);
  }
  if (inversions) inversions->report();
  std::sort(ns.begin(), ns.end());
  const auto at = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ns.size())));
    return ns[std::clamp<std::size_t>(rank, 1, ns.size()) - 1] / 1e3;
  };
  result("pulse", "p50_us", at(0.5));
  result("pulse", "p99_us", at(0.99));
  result("pulse", "p999_us", at(0.999));
  result("pulse", "p9999_us", at(0.9999));
  result("pulse", "greatest_us", at(1));
}

// connect() runs in each thread and returns what makes call number n.
template <class Connect>
void flood(const Arguments& a, Connect&& connect) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::atomic<std::uint64_t> calls{0};
  std::atomic<int> ready{0};
  std::vector<std::thread> all;
  for (int i = 0; i < a.clients; ++i)
    all.emplace_back([&] {
      run_at(a.native);
      auto call = connect();
      call(0);
      ++ready;
      for (std::uint64_t n = 1;; ++n) {
        call(n);
        calls.fetch_add(1, std::memory_order_relaxed);
      }
    });
  while (ready < a.clients) sleep_until(now_ns() + 1'000'000);
  std::puts("ready");
  std::fflush(stdout);
  const std::uint64_t start = now_ns();
  int signal = 0;
  sigwait(&ends, &signal);
  result("flood", "calls_per_s", static_cast<double>(calls) * 1e9 / static_cast<double>(now_ns() - start));
  std::fflush(stdout);
  std::_Exit(0);
}

template <class Connect>
void run(const Arguments& a, Connect&& connect) {
  if (a.role == "high") {
    run_at(a.native);
    auto call = connect();
    pulse(a, call);
  } else if (a.role == "flood") {
    flood(a, connect);
  } else {
    throw std::invalid_argument("no such role: " + a.role);
  }
}

}  // namespace bench::realtime
