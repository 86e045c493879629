// SPDX-License-Identifier: Apache-2.0
// Small blocks of memory: reuse, alignment, threads.
#include <callis/base/blocks.h>
#include <gtest/gtest.h>
#include <cstring>
#include <algorithm>
#include <set>
#include <thread>
#include <vector>

namespace callis {
namespace {

// What sanitizers see is plain malloc.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCached = false;
#else
constexpr bool kCached = true;
#endif

TEST(Blocks, AreKeptForTheNextOfTheirSize) {
  std::thread([] {
    block_free(block_allocate(100));  // the first block that a thread frees is not kept
    void* const p = block_allocate(100);
    block_free(p);
    EXPECT_EQ(block_cache_bytes() != 0, kCached);
    void* const q = block_allocate(100);
    if (kCached) {
      EXPECT_EQ(q, p);
    }
    block_free(q);
  }).join();
}

TEST(Blocks, HaveRoomForWhatIsAskedAndAreApart) {
  std::vector<std::pair<char*, std::size_t>> all;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t n = 0; n < 2 * kCachedBlockBytes; n += 7) {
      auto* p = static_cast<char*>(block_allocate(n));
      ASSERT_NE(p, nullptr);
      std::memset(p, static_cast<int>(n % 251), n);
      all.emplace_back(p, n);
    }
    for (const auto& [p, n] : all)
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(p[i], static_cast<char>(n % 251)) << n;
    for (const auto& [p, n] : all) block_free(p);
    all.clear();
  }
}

TEST(Blocks, NullIsNotFreed) { block_free(nullptr); }

TEST(Blocks, AreAlignedAsMallocAligns) {
  for (std::size_t n = 0; n < 300; ++n) {
    void* p = block_allocate(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignof(std::max_align_t), 0u);
    block_free(p);
  }
}

TEST(Blocks, OfOneSizeAreUsedAgainHoweverManyWereFreed) {
  if (!kCached) GTEST_SKIP() << "no cache under sanitizers";
  std::set<void*> first, again;
  for (int i = 0; i < 300; ++i) first.insert(block_allocate(129));
  // malloc may have made the first of them larger, of what was left of another block.
  std::set<void*> of_class;
  for (void* p : first)
    if (blocks::class_of(block_room(p)) == blocks::class_for(129)) of_class.insert(p);
  EXPECT_GE(of_class.size(), 290u);
  for (void* p : first) block_free(p);
  for (int i = 0; i < 300; ++i) again.insert(block_allocate(129));
  EXPECT_TRUE(std::ranges::includes(again, of_class));
  for (void* p : again) block_free(p);
}

TEST(Blocks, AreNotKeptWithoutBound) {
  std::thread([] {
    std::vector<void*> all;
    for (std::size_t i = 0; i < 4 * kBlockCacheBytes / 100; ++i) all.push_back(block_allocate(100));
    for (void* p : all) {
      block_free(p);
      ASSERT_LE(block_cache_bytes(), kBlockCacheBytes);
    }
    void* large = block_allocate(kCachedBlockBytes * 4);
    const std::size_t before = block_cache_bytes();
    block_free(large);
    EXPECT_EQ(block_cache_bytes(), before);
  }).join();
}

TEST(Blocks, MayBeFreedByAnotherThread) {
  std::vector<void*> all;
  for (int i = 0; i < 1000; ++i) all.push_back(block_allocate(50));
  std::thread([&] {
    for (void* p : all) block_free(p);
    EXPECT_EQ(block_cache_bytes() != 0, kCached) << "they are that thread's now";
  }).join();
}

struct FreesLate {
  void* block = nullptr;
  ~FreesLate() { block_free(block); }
};

// The order in which a thread's objects end is theirs; leaks would be seen by the leak checker.
TEST(Blocks, MayBeFreedWhileTheThreadEnds) {
  std::thread([] {
    thread_local FreesLate before;  // destroyed after the cache
    before.block = block_allocate(64);
    block_free(block_allocate(64));
    thread_local FreesLate after;  // destroyed before the cache
    after.block = block_allocate(64);
  }).join();
}

}  // namespace
}  // namespace callis
