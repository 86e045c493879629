// SPDX-License-Identifier: Apache-2.0
// Values that are replaced while threads use them: none is deleted under a user, and few are kept.
#include <callis/rt/base/replaceable.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace callis::rt {
namespace {

std::atomic<int> alive{0};

struct Counted {
  Counted() { ++alive; }
  ~Counted() {
    number = -1;
    --alive;
    if (at_end) at_end();
  }
  int number = 0;
  std::function<void()> at_end;
};

std::unique_ptr<Counted> counted(int number) {
  auto made = std::make_unique<Counted>();
  made->number = number;
  return made;
}

TEST(Replaceable, keeps_no_more_however_often_it_changes) {
  Replaceable<Counted> one(counted(0));
  int most = 0;
  for (int i = 1; i <= 10'000; ++i) {
    one.set(counted(i));
    EXPECT_EQ(one.use()->number, i);
    most = std::max(most, alive.load());
  }
  EXPECT_EQ(most, 2) << "the first, and that of now";
}

TEST(Replaceable, keeps_the_first_and_what_is_in_use) {
  Replaceable<Counted> one(counted(1));
  const auto of_first = one.use();
  {
    one.set(counted(2));
    const auto of_second = one.use();
    for (int i = 3; i < 10; ++i) one.set(counted(i));
    EXPECT_EQ(of_second->number, 2);
    EXPECT_EQ(one.use()->number, 9);
  }
  EXPECT_EQ(of_first->number, 1);
  one.set(counted(10));
  EXPECT_EQ(alive, 2);
  one.set(nullptr);
  EXPECT_FALSE(one.use());
  EXPECT_EQ(one.now(), nullptr);
  EXPECT_EQ(alive, 1);
}

TEST(Replaceable, may_be_empty_at_first) {
  Replaceable<Counted> one;
  EXPECT_FALSE(one.use());
  one.set(counted(1));
  EXPECT_EQ(one.use()->number, 1);
}

TEST(Replaceable, value_that_is_deleted_may_set_another) {
  Replaceable<Counted> one;
  one.set(counted(1));
  one.now()->at_end = [&] { one.set(counted(3)); };
  one.set(counted(2));
  EXPECT_EQ(one.use()->number, 3);
}

// Many changes, many users.
TEST(Replaceable, deletes_nothing_under_its_users) {
  Replaceable<Counted> one(counted(0));
  std::atomic<bool> done{false};
  std::latch begun(3);
  std::vector<std::jthread> users;
  for (int i = 0; i < 3; ++i)
    users.emplace_back([&] {
      begun.count_down();
      while (!done) {
        const auto use = one.use();
        const int number = use->number;
        if (number < 0 || use->number != number) {
          ADD_FAILURE() << "deleted under its user";
          return;
        }
      }
    });
  begun.wait();
  for (int i = 1; i <= 20'000; ++i) one.set(counted(i));
  done = true;
  users.clear();
  one.set(counted(1));
  EXPECT_EQ(alive, 2);
}

// Each Use begins before the one before it ends, so that there is always one.
TEST(Replaceable, deletes_what_was_replaced_though_there_is_always_a_user) {
  Replaceable<Counted> one(counted(0));
  one.set(counted(1));
  auto before = std::make_unique<Replaceable<Counted>::Use>(one);
  int most = 0;
  for (int i = 2; i <= 1000; ++i) {
    one.set(counted(i));
    auto next = std::make_unique<Replaceable<Counted>::Use>(one);
    before = std::move(next);
    most = std::max(most, alive.load());
  }
  EXPECT_LE(most, 6);
}

}  // namespace
}  // namespace callis::rt
