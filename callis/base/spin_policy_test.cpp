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

}  // namespace
}  // namespace callis
