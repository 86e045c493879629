// SPDX-License-Identifier: Apache-2.0
#include <callis/base/arena.h>
#include <cstring>
#include <gtest/gtest.h>

namespace callis {
namespace {

bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % Arena::kAlignment == 0; }

TEST(Arena, GivesAlignedMemoryThatDoesNotOverlap) {
  Arena a;
  Byte* last = nullptr;
  for (std::size_t n = 1; n < 3000; n = n * 2 + 1) {
    Byte* const p = static_cast<Byte*>(a.allocate(n));
    ASSERT_TRUE(p);
    EXPECT_TRUE(aligned(p));
    std::memset(p, static_cast<int>(n & 0x7f), n);
    if (last) {
      EXPECT_EQ(last[0], static_cast<Byte>((n / 2) & 0x7f));
    }
    last = p;
  }
}

TEST(Arena, UsesItsBlockAgainAfterReset) {
  Arena a;
  void* const first = a.allocate(100);
  a.reset();
  EXPECT_EQ(a.allocate(200), first);
}

TEST(Arena, GrowsBeyondItsBlocks) {
  Arena a;
  for (int i = 0; i < 1000; ++i) {
    void* const p = a.allocate(1000);
    ASSERT_TRUE(p);
    EXPECT_TRUE(aligned(p));
    std::memset(p, 1, 1000);
  }
  a.reset();
  void* const p = a.allocate(10'000'000);
  ASSERT_TRUE(p);
  std::memset(p, 1, 10'000'000);
  a.reset();  // too large to keep
  EXPECT_TRUE(a.allocate(1));
}

TEST(Arena, TheLastBytesOfABlockAreNotPassed) {
  Arena a;
  Byte* const p = static_cast<Byte*>(a.allocate(Arena::kFirstBlock - 8));
  Byte* const q = static_cast<Byte*>(a.allocate(16));
  EXPECT_TRUE(q + 16 <= p || q >= p + Arena::kFirstBlock);
}

TEST(Arena, RefusesWhatCannotBe) {
  Arena a;
  EXPECT_EQ(a.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(a.allocate(SIZE_MAX - 8), nullptr);
  EXPECT_TRUE(a.allocate(8));
}

}  // namespace
}  // namespace callis
