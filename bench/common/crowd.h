// SPDX-License-Identifier: Apache-2.0
// Many client processes at once, each with its own connection. No middleware in here.
#pragma once
#include "measure.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <new>
#include <stdexcept>

namespace bench {

// What the processes of a crowd share.
struct Crowd {
  static constexpr int kMost = 1024;
  struct alignas(64) Count {
    std::atomic<std::uint64_t> calls{0};
  };
  std::atomic<int> ready{0};
  std::atomic<bool> go{false}, stop{false};
  Count counts[kMost];

  static Crowd& shared() {
    void* p = mmap(nullptr, sizeof(Crowd), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::runtime_error("no memory to share");
    return *new (p) Crowd;
  }
};

// In a process of its own: connects, warms up, waits for the others, calls until it is told to stop.
template <class Connect>
void take_part(Crowd& crowd, int number, Connect& connect) noexcept {
  try {
    auto call = connect();
    for (int i = 0; i < 100; ++i) call();
    crowd.ready++;
    while (!crowd.go) usleep(500);
    auto& calls = crowd.counts[number].calls;
    for (std::uint64_t n = 1; !crowd.stop; ++n) {
      call();
      calls.store(n, std::memory_order_relaxed);
    }
    _exit(0);
  } catch (...) {
    _exit(1);
  }
}

// calls/s of `clients` processes together, over so many seconds. connect() runs in each of them and gives back what makes
// one call, checks its result and throws when it is wrong. No thread may run when this is called.
template <class Connect>
void crowd(int clients, double seconds, Connect connect) {
  if (clients > Crowd::kMost) throw std::runtime_error("too many clients");
  Crowd& shared = Crowd::shared();
  std::fflush(stdout);
  for (int i = 0; i < clients; ++i) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process to be had");
    if (child == 0) take_part(shared, i, connect);
  }
  while (shared.ready < clients) {
    if (waitpid(-1, nullptr, WNOHANG) > 0) throw std::runtime_error("a client failed before all were ready");
    usleep(1000);
  }
  shared.go = true;
  usleep(100'000);
  const auto total = [&] {
    std::uint64_t sum = 0;
    for (int i = 0; i < clients; ++i) sum += shared.counts[i].calls.load(std::memory_order_relaxed);
    return sum;
  };
  const std::uint64_t before = total(), begin = now_ns();
  usleep(static_cast<useconds_t>(seconds * 1e6));
  const std::uint64_t calls = total() - before, took = now_ns() - begin;
  shared.stop = true;
  int failed = 0;
  for (int status = 0; wait(&status) > 0;) failed += status != 0;
  if (failed > 0) throw std::runtime_error(std::to_string(failed) + " of the clients failed");
  result("clients" + std::to_string(clients), "calls_per_s", static_cast<double>(calls) * 1e9 / static_cast<double>(took));
}

}  // namespace bench
