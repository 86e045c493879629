// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocks.h>
#include <cstdlib>

namespace callis {

constinit thread_local blocks::Cache blocks::t_cache __attribute__((tls_model("initial-exec"))){};

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCaches = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kCaches = false;
#else
constexpr bool kCaches = true;
#endif
#else
constexpr bool kCaches = true;
#endif

// Destroyed when the thread ends; made by the first block that a thread frees.
struct Drain {
  bool made = true;
  ~Drain() {
    blocks::Cache& cache = blocks::t_cache;
    cache.state = blocks::Cache::kEnded;
    cache.room = 0;
    for (blocks::Free*& list : cache.lists)
      while (blocks::Free* const f = list) {
        list = f->next;
        std::free(f);
      }
  }
};

}  // namespace

[[gnu::cold]] void* blocks::allocate(std::size_t n) noexcept {
  return std::malloc(kCaches && n <= kCachedBlockBytes ? class_bytes(class_for(n)) : n);
}

[[gnu::cold]] void blocks::free(void* block) noexcept {
  if (kCaches && t_cache.state == Cache::kUnused) {
    thread_local Drain drain;
    t_cache.room = drain.made ? kBlockCacheBytes : 0;
    t_cache.state = Cache::kInUse;
  }
  std::free(block);
}

std::size_t block_cache_bytes() noexcept {
  return blocks::t_cache.state == blocks::Cache::kInUse ? kBlockCacheBytes - blocks::t_cache.room : 0;
}

}  // namespace callis
