// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <services/common/fair_shared_mutex.h>
#include <atomic>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace callis::services {
namespace {

TEST(FairSharedMutex, LetsReadersInTogether) {
  FairSharedMutex mutex;
  const std::shared_lock one(mutex);
  std::thread([&] { const std::shared_lock two(mutex); }).join();
}

// Readers come without end, and at least one is always inside. A writer gets its turn; std::shared_mutex gave none.
TEST(FairSharedMutex, GivesAWriterItsTurnAmongReadersWithoutEnd) {
  FairSharedMutex mutex;
  std::atomic<bool> stop{false};
  std::atomic<int> inside{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&] {
      while (!stop) {
        const std::shared_lock lock(mutex);
        ++inside;
        // Stays until another has come, unless a writer waits, which keeps others out.
        for (int spins = 0; spins < 100 && inside < 2 && !stop; ++spins) std::this_thread::yield();
        --inside;
      }
    });
  for (int i = 0; i < 100; ++i) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(inside, 0);
  }
  stop = true;
  for (std::thread& t : readers) t.join();
}

// The other side: writers that come without end let a reader in after one turn.
TEST(FairSharedMutex, GivesAReaderItsTurnAmongWritersWithoutEnd) {
  FairSharedMutex mutex;
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      while (!stop) const std::lock_guard lock(mutex);
    });
  for (int i = 0; i < 100; ++i) const std::shared_lock lock(mutex);
  stop = true;
  for (std::thread& t : writers) t.join();
}

TEST(FairSharedMutex, KeepsWritersAndReadersApart) {
  FairSharedMutex mutex;
  int value = 0;  // not atomic: TSan and the sum tell
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&] {
      for (int n = 0; n < 5'000; ++n) {
        const std::lock_guard lock(mutex);
        ++value;
      }
    });
    all.emplace_back([&] {
      int last = 0;
      for (int n = 0; n < 5'000; ++n) {
        const std::shared_lock lock(mutex);
        EXPECT_LE(last, value);
        last = value;
      }
    });
  }
  for (std::thread& t : all) t.join();
  EXPECT_EQ(value, 20'000);
}

}  // namespace
}  // namespace callis::services
