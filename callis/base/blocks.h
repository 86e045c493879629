// SPDX-License-Identifier: Apache-2.0
// Blocks of memory as malloc gives them, with a cache a thread for small ones.
//
// What an ORB allocates for an application is mostly many short strings at once, freed together soon after:
// more blocks of one size than malloc keeps at hand for a thread. These functions keep up to
// kBlockCacheBytes a thread, as lists of blocks of at most kCachedBlockBytes by size, so that such a block costs
// a few instructions. What is not kept goes to malloc and free; a block may be freed by any thread.
//
// A block is malloc's, with no header of its own: what is written before and behind a block is found by the same tools.
// Under sanitizers nothing is kept. What a thread keeps is freed when it ends. Any thread; nothing throws.
#pragma once
#include <cstddef>

namespace callis {

inline constexpr std::size_t kBlockCacheBytes = 128u << 10;
inline constexpr std::size_t kCachedBlockBytes = 512;

// At least n bytes, aligned as malloc aligns; nullptr when memory is exhausted. n may be 0.
void* block_allocate(std::size_t n) noexcept;
// nullptr is left alone. Also takes what malloc returned.
void block_free(void* block) noexcept;

// Bytes that may be used of a block, at least what was asked for.
std::size_t block_room(void* block) noexcept;

// Bytes that this thread keeps; for tests.
std::size_t block_cache_bytes() noexcept;

}  // namespace callis
