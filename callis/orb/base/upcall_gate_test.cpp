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

// --- Places of threads

TEST(UpcallGate, counts_a_place_as_an_upcall_until_it_is_given_back) {
  UpcallGate gate(1024);
  ASSERT_TRUE(gate.take_place());
  for (int i = 0; i < 1023; ++i) gate.begin();
  std::thread last([&] { gate.begin(); });
  while (gate.waiting() != 1) std::this_thread::yield();
  gate.give_place_back();
  last.join();
}

TEST(UpcallGate, gives_an_eighth_of_the_bound_to_threads) {
  UpcallGate gate(1024);
  for (int i = 0; i < 128; ++i) ASSERT_TRUE(gate.take_place());
  EXPECT_FALSE(gate.take_place());
  gate.give_place_back();
  EXPECT_TRUE(gate.take_place());
}

TEST(UpcallGate, has_no_places_where_each_upcall_matters_or_none_is_left) {
  UpcallGate few(1023);
  EXPECT_FALSE(few.take_place());
  UpcallGate full(1024);
  for (int i = 0; i < 1024; ++i) full.begin();
  EXPECT_FALSE(full.take_place());
  full.end();
  EXPECT_TRUE(full.take_place());
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
