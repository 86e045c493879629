// SPDX-License-Identifier: Apache-2.0
// Blocks of memory as malloc gives them, with a cache a thread for small ones.
//
// What an ORB allocates for an application is mostly many short strings at once, freed together soon after:
// more blocks of one size than malloc keeps at hand for a thread. These functions keep up to
// kBlockCacheBytes a thread, as lists of blocks of at most kCachedBlockBytes by size, so that such a block costs
// a few instructions. What is not kept goes to malloc and free; a block may be freed by any thread.
//
// A block is malloc's, with no header of its own: what is written before and behind a block is found by the same
// tools. Under sanitizers nothing is kept. What a thread keeps is freed when it ends. Any thread; nothing throws.
#pragma once
#include <algorithm>
#include <cstddef>
#include <malloc.h>

namespace callis {

inline constexpr std::size_t kBlockCacheBytes = 128u << 10;
inline constexpr std::size_t kCachedBlockBytes = 512;

namespace blocks {

// Class c, from 1, has blocks of at least 16 c + 8 usable bytes: the sizes that glibc makes. Any other malloc may
// round otherwise; a block is then in the greatest class that it is large enough for.
inline constexpr std::size_t kStep = 16, kOverhead = 8;
inline constexpr std::size_t kClasses = kCachedBlockBytes / kStep + 1;
constexpr std::size_t class_for(std::size_t n) {
  return (std::max(n, kOverhead + 1) + kStep - kOverhead - 1) / kStep;
}
constexpr std::size_t class_of(std::size_t usable) { return (usable - kOverhead) / kStep; }
constexpr std::size_t class_bytes(std::size_t c) { return c * kStep + kOverhead; }
static_assert(class_bytes(class_for(24)) >= 24 && class_bytes(class_for(25)) >= 25);
static_assert(class_for(kCachedBlockBytes) < kClasses && class_of(class_bytes(7)) == 7);

struct Free {
  Free* next;
};

struct Cache {
  Free* lists[kClasses] = {};
  std::size_t room = 0;  // bytes that may still be kept
};
// That of all threads that have none, before their first use and when they end. Never written to: it keeps nothing.
extern constinit Cache no_cache;
// On the heap, since memory of threads is scarce where a program loads callis as a plugin.
extern constinit thread_local Cache* t_cache __attribute__((tls_model("initial-exec")));

// Where the cache has nothing, or does not keep it.
void* allocate(std::size_t n) noexcept;
void free(void* block) noexcept;

}  // namespace blocks

// At least n bytes, aligned as malloc aligns; nullptr when memory is exhausted. n may be 0.
inline void* block_allocate(std::size_t n) noexcept {
  if (n > kCachedBlockBytes) [[unlikely]] return blocks::allocate(n);
  const std::size_t c = blocks::class_for(n);
  blocks::Cache& cache = *blocks::t_cache;
  blocks::Free* const f = cache.lists[c];
  if (!f) [[unlikely]] return blocks::allocate(n);
  cache.lists[c] = f->next;
  cache.room += blocks::class_bytes(c);
  return f;
}
// nullptr is left alone. Also takes what malloc returned.
inline void block_free(void* block) noexcept {
  if (!block) return;
  const std::size_t c = blocks::class_of(::malloc_usable_size(block));
  blocks::Cache& cache = *blocks::t_cache;
  if (c - 1 >= blocks::kClasses - 1 || cache.room < blocks::class_bytes(c)) [[unlikely]] return blocks::free(block);
  auto* const f = static_cast<blocks::Free*>(block);
  f->next = cache.lists[c];
  cache.lists[c] = f;
  cache.room -= blocks::class_bytes(c);
}

// Bytes that may be used of a block, at least what was asked for.
inline std::size_t block_room(void* block) noexcept { return ::malloc_usable_size(block); }

// Bytes that this thread keeps; for tests.
std::size_t block_cache_bytes() noexcept;

}  // namespace callis
