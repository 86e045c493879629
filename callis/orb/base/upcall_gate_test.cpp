// SPDX-License-Identifier: Apache-2.0
// How many upcalls run at once, and that whoever waits for a place gets it.
#include <gtest/gtest.h>
#include <callis/orb/base/upcall_gate.h>
#include <thread>
#include <vector>

namespace callis::orb {
namespace {

TEST(UpcallGate, lets_so_many_in_and_others_wait_for_one_that_ends) {
  UpcallGate gate(2);
  gate.begin();
  gate.begin();
  EXPECT_EQ(gate.waiting(), 0u);
  std::thread third([&] { gate.begin(); });
  while (gate.waiting() != 1) std::this_thread::yield();
  gate.end();
  third.join();
  EXPECT_EQ(gate.waiting(), 0u);
}

TEST(UpcallGate, lets_another_in_at_once_that_an_upcall_waits_for) {
  UpcallGate gate(1);
  gate.begin();
  gate.begin_another();
  std::thread next([&] { gate.begin(); });
  while (gate.waiting() != 1) std::this_thread::yield();
  gate.end();
  EXPECT_EQ(gate.waiting(), 1u) << "one more than may run has ended";
  gate.end();
  next.join();
}

// A wake-up that is lost leaves a thread waiting for ever. Each thread has something to do between two upcalls, so
// that ends meet waits at every step.
TEST(UpcallGate, loses_no_wake_up) {
  constexpr unsigned kThreads = 4, kUpcalls = 20'000, kMost = 2;
  UpcallGate gate(kMost);
  std::atomic<unsigned> running{0}, too_many{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::atomic<unsigned> spent{0};
      for (unsigned i = 0; i < kUpcalls; ++i) {
        gate.begin();
        too_many += ++running > kMost;
        --running;
        gate.end();
        for (unsigned n = (i * (t + 3)) % 17; n != 0; --n) ++spent;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(too_many, 0u);
  EXPECT_EQ(gate.waiting(), 0u);
}

}  // namespace
}  // namespace callis::orb
