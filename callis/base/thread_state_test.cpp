// SPDX-License-Identifier: Apache-2.0
#include <callis/base/thread_state.h>
#include <gtest/gtest.h>
#include <atomic>
#include <future>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace callis {
namespace {

TEST(ThreadState, AThreadThatComputesIsRunnableAndOneThatWaitsIsNot) {
  std::promise<pid_t> started;
  std::promise<void> end;
  std::atomic<bool> computes{true};
  std::thread other([&] {
    (void)::pthread_setname_np(::pthread_self(), "a) S (b");
    started.set_value(::gettid());
    while (computes) {}
    end.get_future().wait();
  });
  const pid_t id = started.get_future().get();
  EXPECT_TRUE(is_runnable(id));
  computes = false;
  while (is_runnable(id)) std::this_thread::yield();  // until it waits
  end.set_value();
  other.join();
  while (is_runnable(id)) std::this_thread::yield();  // join() may return a moment before the system has ended it
  EXPECT_TRUE(is_runnable(::gettid()));
  EXPECT_FALSE(is_runnable(0));
}

}  // namespace
}  // namespace callis
