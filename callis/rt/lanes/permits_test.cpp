// SPDX-License-Identifier: Apache-2.0
// Permits: which are kept for whom, which are borrowed, and in what order they go to who waits.
#include <callis/rt/lanes/permits.h>
#include <gtest/gtest.h>
#include <array>
#include <atomic>
#include <thread>

namespace callis::rt {
namespace {

using Held = Permits::Held;

PermitTerms shared_by_all(std::uint32_t n, bool waits = false) {
  PermitTerms t;
  t.shared = n;
  t.waits = waits;
  return t;
}

TEST(Permits, OfAPoolWithoutLanesAreKeptForEachHigherPriority) {
  Permits permits(shared_by_all(3));
  Permits::Class &high = permits.add(30, 0, 0), &low = permits.add(10, 0, 0), &middle = permits.add(20, 0, 0);
  std::array<Held, 6> held;
  EXPECT_TRUE(permits.enter(low, held[0]));
  EXPECT_FALSE(permits.enter(low, held[1]));
  EXPECT_TRUE(permits.enter(middle, held[1]));
  EXPECT_FALSE(permits.enter(middle, held[2]));
  EXPECT_TRUE(permits.enter(high, held[2]));
  EXPECT_FALSE(permits.enter(high, held[3]));
  EXPECT_EQ(permits.running(), 3u);
  EXPECT_FALSE(permits.leave(held[2]));
  EXPECT_FALSE(permits.enter(low, held[3]));
  EXPECT_FALSE(permits.enter(middle, held[3]));
  EXPECT_TRUE(permits.enter(high, held[3]));
  for (const std::size_t i : {0u, 1u, 3u}) permits.leave(held[i]);
  EXPECT_EQ(permits.running(), 0u);
}

TEST(Permits, OfOnePriorityAloneAreAllItsOwn) {
  Permits permits(shared_by_all(3));
  Permits::Class& only = permits.add(10, 0, 0);
  std::array<Held, 4> held;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(permits.enter(only, held[i]));
  EXPECT_FALSE(permits.enter(only, held[3]));
  for (std::size_t i = 0; i < 3; ++i) permits.leave(held[i]);
}

TEST(Permits, TheOnlyOneServesEveryPriority) {
  Permits permits(shared_by_all(1));
  Permits::Class &low = permits.add(1, 0, 0), &high = permits.add(2, 0, 0);
  Held held, other;
  EXPECT_TRUE(permits.enter(low, held));
  EXPECT_FALSE(permits.enter(high, other));
  permits.leave(held);
  EXPECT_TRUE(permits.enter(high, other));
  EXPECT_FALSE(permits.enter(low, held));
  permits.leave(other);
}

TEST(Permits, OfALowerLaneAreBorrowedWhereThatIsAllowed) {
  PermitTerms terms;
  terms.lanes = terms.borrowing = true;
  terms.waits = false;
  Permits permits(terms);
  Permits::Class &low = permits.add(1, 0, 2), &high = permits.add(2, 0, 1);
  std::array<Held, 4> held;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(permits.enter(high, held[i])) << i;
  EXPECT_FALSE(permits.enter(high, held[3]));
  EXPECT_FALSE(permits.enter(low, held[3]));
  permits.leave(held[2]);  // a borrowed one
  EXPECT_TRUE(permits.enter(low, held[3]));
  EXPECT_FALSE(permits.enter(high, held[2]));
  permits.leave(held[0]);  // the lane's own
  EXPECT_TRUE(permits.enter(high, held[0]));
  for (const std::size_t i : {0u, 1u, 3u}) permits.leave(held[i]);
}

TEST(Permits, OfAHigherLaneAreNotBorrowed) {
  PermitTerms terms;
  terms.lanes = terms.borrowing = true;
  terms.waits = false;
  Permits permits(terms);
  Permits::Class& low = permits.add(1, 0, 1);
  permits.add(2, 0, 5);
  Held held, other;
  EXPECT_TRUE(permits.enter(low, held));
  EXPECT_FALSE(permits.enter(low, other));
  permits.leave(held);
}

TEST(Permits, OfLanesWithoutBorrowingAreTheirOwn) {
  PermitTerms terms;
  terms.lanes = true;
  terms.waits = false;
  Permits permits(terms);
  Permits::Class& low = permits.add(1, 0, 1);
  Permits::Class& high = permits.add(2, 0, 1);
  Held held, other;
  EXPECT_TRUE(permits.enter(high, held));
  EXPECT_FALSE(permits.enter(high, other));
  EXPECT_TRUE(permits.enter(low, other));
  permits.leave(held);
  permits.leave(other);
}

TEST(Permits, GoToTheHighestPriorityThatWaits) {
  Permits permits(shared_by_all(1, true));
  Permits::Class &low = permits.add(1, 0, 0), &high = permits.add(2, 0, 0);
  Held mine;
  ASSERT_TRUE(permits.enter(low, mine));
  std::atomic<int> next{0}, low_was{0}, high_was{0};
  const auto wait = [&](Permits::Class& of, std::atomic<int>& was, std::uint32_t after) {
    while (permits.waiting() != after) std::this_thread::yield();
    Held held;
    EXPECT_TRUE(permits.enter(of, held));
    was = ++next;
    permits.leave(held);
  };
  std::thread first(wait, std::ref(low), std::ref(low_was), 0u), second(wait, std::ref(high), std::ref(high_was), 1u);
  while (permits.waiting() != 2) std::this_thread::yield();
  permits.leave(mine);
  first.join();
  second.join();
  EXPECT_EQ(high_was, 1);
  EXPECT_EQ(low_was, 2);
  EXPECT_EQ(permits.inversions(), 0u);
}

TEST(Permits, AreRefusedBeyondTheRequestsThatMayWait) {
  PermitTerms terms = shared_by_all(1, true);
  terms.most_waiting = 1;
  Permits permits(terms);
  Permits::Class& only = permits.add(1, 0, 0);
  Held mine, refused;
  ASSERT_TRUE(permits.enter(only, mine));
  std::thread other([&] {
    Held held;
    EXPECT_TRUE(permits.enter(only, held));
    permits.leave(held);
  });
  while (permits.waiting() != 1) std::this_thread::yield();
  EXPECT_FALSE(permits.enter(only, refused));
  permits.leave(mine);
  other.join();
}

TEST(Permits, AreRefusedBeyondTheBytesThatMayWait) {
  PermitTerms terms = shared_by_all(1, true);
  terms.most_bytes = 100;
  Permits permits(terms);
  Permits::Class& only = permits.add(1, 0, 0);
  Held mine, refused;
  ASSERT_TRUE(permits.enter(only, mine, 1'000));  // does not wait
  EXPECT_FALSE(permits.enter(only, refused, 101));
  std::thread other([&] {
    Held held;
    EXPECT_TRUE(permits.enter(only, held, 60));
    permits.leave(held);
  });
  while (permits.waiting() != 1) std::this_thread::yield();
  EXPECT_FALSE(permits.enter(only, refused, 41));
  permits.leave(mine);
  other.join();
}

// Skipped unless the process may have threads of SCHED_FIFO.
TEST(Permits, WhoHoldsOneRunsAtThePriorityOfWhoWaits) {
  int policy = 0;
  sched_param before{};
  ASSERT_EQ(::pthread_getschedparam(::pthread_self(), &policy, &before), 0);
  const sched_param low_param{1};
  if (::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &low_param) != 0)
    GTEST_SKIP() << "SCHED_FIFO is refused: it needs CAP_SYS_NICE or RLIMIT_RTPRIO";
  Permits permits(shared_by_all(1, true));
  Permits::Class &low = permits.add(1, 1, 0), &high = permits.add(2, 2, 0);
  Held mine;
  ASSERT_TRUE(permits.enter(low, mine));
  std::thread other([&] {
    Held held;
    EXPECT_TRUE(permits.enter(high, held));
    permits.leave(held);
  });
  while (permits.waiting() != 1) ::sched_yield();
  sched_param now{};
  int now_policy = 0;
  EXPECT_EQ(::pthread_getschedparam(::pthread_self(), &now_policy, &now), 0);
  EXPECT_EQ(now.sched_priority, 2);
  EXPECT_TRUE(permits.leave(mine));
  other.join();
  ASSERT_EQ(::pthread_setschedparam(::pthread_self(), policy, &before), 0);
}

}  // namespace
}  // namespace callis::rt
