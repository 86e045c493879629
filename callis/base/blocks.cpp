// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocks.h>
#include <algorithm>
#include <cstdlib>
#include <malloc.h>

namespace callis {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CALLIS_NO_BLOCK_CACHE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CALLIS_NO_BLOCK_CACHE
#endif
#endif

std::size_t block_room(void* block) noexcept { return ::malloc_usable_size(block); }

#ifdef CALLIS_NO_BLOCK_CACHE

void* block_allocate(std::size_t n) noexcept { return std::malloc(n); }
void block_free(void* block) noexcept { std::free(block); }
std::size_t block_cache_bytes() noexcept { return 0; }

#else

namespace {

// Class c, from 1, has blocks of at least 16 c + 8 usable bytes: the sizes that glibc makes. Any other malloc may
// round otherwise; a block is then in the greatest class that it is large enough for.
constexpr std::size_t kStep = 16, kOverhead = 8;
constexpr std::size_t kClasses = kCachedBlockBytes / kStep + 1;
constexpr std::size_t class_for(std::size_t n) { return (std::max(n, kOverhead + 1) + kStep - kOverhead - 1) / kStep; }
constexpr std::size_t class_of(std::size_t usable) { return (usable - kOverhead) / kStep; }
constexpr std::size_t class_bytes(std::size_t c) { return c * kStep + kOverhead; }
static_assert(class_bytes(class_for(24)) >= 24 && class_bytes(class_for(25)) >= 25 && class_for(kCachedBlockBytes) < kClasses);
static_assert(class_of(class_bytes(7)) == 7);

struct Free {
  Free* next;
};

// Without constructor and destructor, so that it is there from the thread's first instruction to its last.
struct Cache {
  Free* lists[kClasses];
  std::size_t room;  // bytes that may still be kept; 0 also before the first use and once the thread ends
  enum { kUnused, kInUse, kEnded } state;
};
constinit thread_local Cache t_cache __attribute__((tls_model("initial-exec"))){};

// Destroyed when the thread ends; made by the first block that a thread frees.
struct Drain {
  bool made = true;
  ~Drain() {
    t_cache.state = Cache::kEnded;
    t_cache.room = 0;
    for (Free*& list : t_cache.lists)
      while (Free* const f = list) {
        list = f->next;
        std::free(f);
      }
  }
};

// The cache is full, not in use yet, or no longer.
[[gnu::cold, gnu::noinline]] void free_uncached(void* block) noexcept {
  if (t_cache.state == Cache::kUnused) {
    thread_local Drain drain;
    t_cache.room = drain.made ? kBlockCacheBytes : 0;
    t_cache.state = Cache::kInUse;
  }
  std::free(block);
}

// Where the cache has nothing.
[[gnu::cold, gnu::noinline]] void* new_block(std::size_t n) noexcept {
  return std::malloc(n > kCachedBlockBytes ? n : class_bytes(class_for(n)));
}

}  // namespace

void* block_allocate(std::size_t n) noexcept {
  if (n > kCachedBlockBytes) [[unlikely]] return new_block(n);
  const std::size_t c = class_for(n);
  Cache& cache = t_cache;
  Free* const f = cache.lists[c];
  if (!f) [[unlikely]] return new_block(n);
  cache.lists[c] = f->next;
  cache.room += class_bytes(c);
  return f;
}

void block_free(void* block) noexcept {
  if (!block) return;
  const std::size_t c = class_of(::malloc_usable_size(block));
  Cache& cache = t_cache;
  if (c - 1 >= kClasses - 1 || cache.room < class_bytes(c)) [[unlikely]] return free_uncached(block);
  auto* const f = static_cast<Free*>(block);
  f->next = cache.lists[c];
  cache.lists[c] = f;
  cache.room -= class_bytes(c);
}

std::size_t block_cache_bytes() noexcept {
  return t_cache.state == Cache::kInUse ? kBlockCacheBytes - t_cache.room : 0;
}

#endif

}  // namespace callis
