// SPDX-License-Identifier: Apache-2.0
// What is asked of one peer waits for that peer alone; and a repository one of whose peers hangs.
#include <gtest/gtest.h>
#include <services/imr/errands.h>
#include <atomic>
#include <latch>

namespace callis::imr {
namespace {

TEST(Errands, to_one_follow_each_other_and_those_to_others_do_not_wait) {
  std::latch hangs(1), others(20), all(1);
  std::vector<int> order;
  Errands errands;
  errands.add("hangs", [&] { hangs.wait(); });
  for (int i = 0; i < 3; ++i) errands.add("hangs", [&, i] { order.push_back(i); });
  errands.add("hangs", [&] { all.count_down(); });
  for (int i = 0; i < 20; ++i) errands.add("other" + std::to_string(i), [&] { others.count_down(); });
  others.wait();
  EXPECT_TRUE(order.empty());
  hangs.count_down();
  all.wait();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(Errands, that_wait_are_not_done_after_the_end) {
  std::latch begun(1);
  std::atomic<bool> go{false};
  std::atomic<int> done{0};
  Errands errands;
  errands.add("one", [&] {
    begun.count_down();
    go.wait(false);
    ++done;
  });
  begun.wait();
  errands.add("one", [&] {
    ++done;  // it may have begun before the end
  });
  go = true;
  go.notify_all();
  errands.stop();
  EXPECT_GE(done, 1);
  const int before = done;
  errands.add("one", [&] { ++done; });
  EXPECT_EQ(done, before);
}

}  // namespace
}  // namespace callis::imr
