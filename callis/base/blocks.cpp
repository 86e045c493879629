// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocks.h>
#include <cstdlib>
#include <new>
#include <utility>

namespace callis {

constinit blocks::Cache blocks::no_cache;
constinit thread_local blocks::Cache* blocks::t_cache __attribute__((tls_model("initial-exec"))) = &blocks::no_cache;

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

constinit thread_local bool thread_ends = false;

// Destroyed when the thread ends; made by the first block that a thread frees.
struct Drain {
  Drain() {
    if (auto* const cache = new (std::nothrow) blocks::Cache) {
      cache->room = kBlockCacheBytes;
      blocks::t_cache = cache;
    }
  }
  ~Drain() {
    thread_ends = true;
    blocks::Cache* const cache = std::exchange(blocks::t_cache, &blocks::no_cache);
    if (cache == &blocks::no_cache) return;
    for (blocks::Free*& list : cache->lists)
      while (blocks::Free* const f = list) {
        list = f->next;
        std::free(f);
      }
    delete cache;
  }
};

}  // namespace

[[gnu::cold]] void* blocks::allocate(std::size_t n) noexcept {
  return std::malloc(kCaches && n <= kCachedBlockBytes ? class_bytes(class_for(n)) : n);
}

[[gnu::cold]] void blocks::free(void* block) noexcept {
  if (kCaches && t_cache == &no_cache && !thread_ends) {
    static thread_local const Drain drain;
    static_cast<void>(&drain);
  }
  std::free(block);
}

std::size_t block_cache_bytes() noexcept {
  return blocks::t_cache != &blocks::no_cache ? kBlockCacheBytes - blocks::t_cache->room : 0;
}

}  // namespace callis
