// SPDX-License-Identifier: Apache-2.0
#include <callis/base/limits.h>
#include <callis/base/peer_memory.h>
#include <callis/cdr/decoder.h>
#include <algorithm>
#include <gtest/gtest.h>

namespace callis::cdr {
namespace {

constexpr std::size_t kMiB = 1u << 20;

class MessageBudgetTest : public ::testing::Test {
 protected:
  MessageBudgetTest() { PeerMemory::set_limit(8 * kMiB); }
  ~MessageBudgetTest() override {
    EXPECT_EQ(PeerMemory::held(), 0u);
    PeerMemory::set_limit(0);
  }
};

TEST_F(MessageBudgetTest, TakesNothingForWhatASmallMessageCosts) {
  MessageBudget budget(Limits{}, 1000);
  Decoder d(ByteView(), kNativeOrder, budget);
  EXPECT_TRUE(d.charge(MessageBudget::kFirst));
  EXPECT_EQ(PeerMemory::held(), 0u);
  EXPECT_TRUE(d.charge(1));
  EXPECT_EQ(PeerMemory::held(), MessageBudget::kFirst) << "as much again";
}

TEST_F(MessageBudgetTest, IsInAllWhatTheLimitsSay) {
  const Limits limits;
  for (std::size_t over : {std::size_t{0}, std::size_t{1}}) {
    MessageBudget budget(limits, 1000);
    Decoder d(ByteView(), kNativeOrder, budget);
    EXPECT_EQ(budget.all_left(), limits.decode_budget(1000));
    for (std::size_t left = limits.decode_budget(1000); left != 0;) {
      const std::size_t n = std::min<std::size_t>(left, 99'999);
      ASSERT_TRUE(d.charge(n));
      left -= n;
      ASSERT_EQ(budget.all_left(), left);
    }
    EXPECT_EQ(d.charge(over), over == 0);
    EXPECT_EQ(d.fault(), over == 0 ? Fault::None : Fault::BudgetExceeded);
    EXPECT_LE(PeerMemory::held(), limits.decode_budget(1000));
  }
}

TEST_F(MessageBudgetTest, IsOutOfMemoryWhenTheProcessHasNoMore) {
  ASSERT_TRUE(PeerMemory::take(7 * kMiB, 7 * kMiB));
  {
    MessageBudget budget(Limits{}, kMiB);
    Decoder d(ByteView(), kNativeOrder, budget);
    EXPECT_TRUE(d.charge(kMiB));
    EXPECT_FALSE(d.charge(kMiB));
    EXPECT_EQ(d.fault(), Fault::OutOfMemory);
  }
  EXPECT_EQ(PeerMemory::held(), 7 * kMiB);
  PeerMemory::give(7 * kMiB);
}

TEST_F(MessageBudgetTest, BoundsCountsToo) {
  MessageBudget budget(Limits{}, 16);
  const Byte much[] = {0xff, 0xff, 0xff, 0xff};
  Decoder d(much, kNativeOrder, budget);
  EXPECT_EQ(d.count(0, 8), 0u);
  EXPECT_EQ(d.fault(), Fault::BudgetExceeded);
  EXPECT_EQ(PeerMemory::held(), 0u) << "what cannot be had is not asked for";
}

}  // namespace
}  // namespace callis::cdr
