// SPDX-License-Identifier: Apache-2.0
// Whether to look for something before waiting for it.
#include <callis/base/spin_policy.h>
#include <gtest/gtest.h>

namespace callis {
namespace {

using Micros = SpinPolicy::Micros;

// Receives until the next that spins.
int until_due(SpinPolicy& p) {
  int n = 0;
  while (!p.due()) ++n;
  return n;
}

TEST(SpinPolicy, IsOffUnlessAskedForAndWithZero) {
  SpinPolicy none, zero;
  zero.set_longest(Micros(0));
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_FALSE(none.due());
    ASSERT_FALSE(zero.due());
  }
}

TEST(SpinPolicy, GoesOnWhileItIsWorthWhile) {
  SpinPolicy p;
  p.set_longest(Micros(50));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(p.due());
    p.came();
  }
}

TEST(SpinPolicy, BecomesRareWhereItIsInVain) {
  SpinPolicy p;
  p.set_longest(Micros(50));
  int before = 0;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(p.due());
    p.in_vain(false);
    const int n = until_due(p);
    EXPECT_GE(n, before);
    before = n;
    p.in_vain(false);
    (void)until_due(p);
  }
  EXPECT_EQ(before, SpinPolicy::kRarest);
}

TEST(SpinPolicy, IsRareAtOnceWhereOthersWantTheCpu) {
  SpinPolicy p;
  p.set_longest(Micros(50));
  p.in_vain(true);
  EXPECT_EQ(until_due(p), SpinPolicy::kRarest);
}

TEST(SpinPolicy, ComesBackWhenThePeerAnswersSoonAgain) {
  SpinPolicy p;
  p.set_longest(Micros(50));
  p.in_vain(true);
  (void)until_due(p);
  for (int i = 0; i < 20; ++i) p.came();
  p.in_vain(false);
  EXPECT_EQ(until_due(p), SpinPolicy::kFirstPause);
}

// Looks that take so long each, and find something at the last of so many.
struct Looking {
  bool until_found(int looks, Duration each) {
    return look_again(
        policy, Micros(2'000),
        [&, n = 0]() mutable {
          clock.advance(each);
          ++seen;
          return ++n == looks;
        },
        again, clock);
  }
  ManualClock clock;
  SpinPolicy policy;
  int seen = 0;
  bool again = true;
};

TEST(LookAgain, ReturnsAtOnceWhenItHasCome) {
  Looking a;
  a.policy.set_longest(Micros(5'000));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(a.policy.due());
    ASSERT_TRUE(a.until_found(5, Duration(1)));
  }
  EXPECT_EQ(a.seen, 500);
}

TEST(LookAgain, LeavesThePolicyAloneWhenItHadComeOrMayNotLookAgain) {
  Looking a;
  a.policy.set_longest(Micros(5'000));
  a.policy.in_vain(false);
  EXPECT_TRUE(a.until_found(1, Duration(4)));
  a.again = false;
  EXPECT_FALSE(a.until_found(2, Duration(4)));
  EXPECT_EQ(a.seen, 2);
  EXPECT_EQ(until_due(a.policy), SpinPolicy::kFirstPause);
}

TEST(LookAgain, EndsWithThePolicysTimeInVain) {
  Looking a;
  a.policy.set_longest(Micros(5'000));
  EXPECT_FALSE(a.until_found(100, Duration(1)));
  EXPECT_EQ(a.seen, 7);
  EXPECT_EQ(until_due(a.policy), SpinPolicy::kFirstPause);
}

TEST(LookAgain, EndsForLongWhereAnotherThreadHadTheCpu) {
  Looking a;
  a.policy.set_longest(Micros(5'000));
  EXPECT_FALSE(a.until_found(100, Duration(4)));
  EXPECT_EQ(a.seen, 2);
  EXPECT_EQ(until_due(a.policy), SpinPolicy::kRarest);
}

TEST(LookAgain, ReturnsWhatCameWhileAnotherThreadHadTheCpuAndCountsItAsInVain) {
  Looking a;
  a.policy.set_longest(Micros(5'000));
  EXPECT_TRUE(a.until_found(2, Duration(4)));
  EXPECT_EQ(until_due(a.policy), SpinPolicy::kFirstPause);
}

}  // namespace
}  // namespace callis
