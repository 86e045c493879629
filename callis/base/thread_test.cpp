// SPDX-License-Identifier: Apache-2.0
#include <callis/base/thread.h>
#include <gtest/gtest.h>
#include <atomic>
#include <future>
#include <string>

namespace callis {
namespace {

std::string own_name() {
  char name[16] = {};
  (void)::pthread_getname_np(::pthread_self(), name, sizeof name);
  return name;
}

TEST(Thread, HasItsNameFromTheBeginning) {
  std::string name;
  Thread thread;
  EXPECT_FALSE(thread.joinable());
  ASSERT_EQ(thread.start({"callis-test"}, [&name] { name = own_name(); }), 0);
  EXPECT_TRUE(thread.joinable());
  thread.join();
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(name, "callis-test");
}

TEST(Thread, CanBeMovedAndStartedAgain) {
  std::atomic<int> runs{0};
  const auto run = [&runs] { ++runs; };
  Thread thread;
  ASSERT_EQ(thread.start({"callis-test"}, run), 0);
  Thread other(std::move(thread));
  EXPECT_TRUE(other.joinable());
  other.join();
  ASSERT_EQ(thread.start({"callis-test"}, run), 0);
  thread.join();
  EXPECT_EQ(runs, 2);
}

TEST(Thread, RunsDetachedWithoutBeingJoined) {
  std::promise<std::string> named;
  {
    Thread thread;
    ASSERT_EQ(thread.start({"callis-test", true}, [&named] { named.set_value(own_name()); }), 0);
    EXPECT_FALSE(thread.joinable());
  }
  EXPECT_EQ(named.get_future().get(), "callis-test");
}

}  // namespace
}  // namespace callis
