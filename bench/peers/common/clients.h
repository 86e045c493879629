// SPDX-License-Identifier: Apache-2.0
// scale: many client processes, each with its own connection, that call a server for some seconds.
#pragma once
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include "program.h"

namespace bench {

struct Clients {
  struct alignas(64) Counter {
    std::atomic<std::uint64_t> calls;
  };
  static constexpr int kMost = 256;
  std::atomic<int> ready, failed;
  std::atomic<bool> go, stop;
  Counter counters[kMost];
};

// connect() runs in the child and returns what makes call number n, checks its result and throws if that is wrong.
template <class Connect>
[[noreturn]] void run_client(Clients& all, int number, Connect& connect) {
  try {
    auto call = connect();
    std::uint64_t n = 0;
    while (n < 200) call(n++);
    ++all.ready;
    while (!all.go) usleep(1'000);
    auto& calls = all.counters[number].calls;
    for (std::uint64_t made = 0; !all.stop; calls.store(++made, std::memory_order_relaxed)) call(n++);
    _exit(0);
  } catch (const std::exception& e) {
    std::cerr << "bench: client " << number << ": " << e.what() << std::endl;
  } catch (...) {
    std::cerr << "bench: client " << number << " failed" << std::endl;
  }
  ++all.failed;
  ++all.ready;
  _exit(1);
}

template <class Connect>
void scale(const Options& o, Connect&& connect) {
  expect(o.clients > 0 && o.clients <= Clients::kMost, "number of clients");
  void* memory = mmap(nullptr, sizeof(Clients), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  expect(memory != MAP_FAILED, "shared memory");
  Clients& all = *new (memory) Clients{};
  std::vector<pid_t> children;
  std::fflush(stdout);
  for (int i = 0; i < o.clients; ++i) {
    const pid_t child = fork();
    expect(child >= 0, "fork");
    if (child == 0) run_client(all, i, connect);
    children.push_back(child);
  }
  while (all.ready < o.clients) usleep(1'000);
  all.go = true;
  const std::uint64_t start = now_ns();
  usleep(static_cast<useconds_t>(o.seconds * 1e6));
  std::uint64_t calls = 0;
  for (const auto& counter : all.counters) calls += counter.calls;
  const std::uint64_t ns = now_ns() - start;
  all.stop = true;
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  expect(all.failed == 0, "a client failed");
  expect(calls > 0, "no call in the time given");
  result("clients" + std::to_string(o.clients), "calls_per_s",
         static_cast<double>(calls) * 1e9 / static_cast<double>(ns));
}

}  // namespace bench
