// SPDX-License-Identifier: Apache-2.0
// The account of memory held for peers, and what is done when it is used up.
#include <callis/base/log.h>
#include <callis/base/peer_memory.h>
#include <callis/base/seeded_hash.h>
#include <callis/base/usable_memory.h>
#include <algorithm>
#include <cstdio>
#include <malloc.h>
#include <mutex>
#include <utility>

namespace callis {
namespace {

constexpr std::size_t kGroups = 256;
constexpr std::size_t kSmall = 128u << 10;  // may be had beyond that, too: honest clients' buffers
constexpr std::size_t kWorthReturning = 2u << 20;  // to the system
constexpr Duration kTellEvery{1'000};
constexpr int kRestAfterReturning = 50;  // times as long as that took: programs may have very many free blocks

constinit std::mutex g_mutex;  // guards what follows, and the holders' links
MemoryHolder* g_holders = nullptr;
TimePoint g_looked{};
TimePoint g_told{};        // when tell() wrote a line last
std::size_t g_untold = 0;  // since then

// Held at most, since free memory was returned to the system last, as far as look() has seen.
constinit std::atomic<std::size_t> g_not_returned{0};

// Seeded, so that nobody can choose addresses to be counted with another.
std::uint8_t group_of(const std::string& host) { return static_cast<std::uint8_t>(seeded_hash(host)); }

// One line in a while: peers decide how often there is something to tell.
[[gnu::cold, gnu::noinline]] void tell(const char* peer, const char* what, std::size_t bytes, std::size_t limit) {
  char text[256];
  std::size_t others;
  {
    const std::lock_guard lock(g_mutex);
    const TimePoint now = Clock::steady().now();
    if (g_told != TimePoint{} && now - g_told < kTellEvery) {
      ++g_untold;
      return;
    }
    g_told = now;
    others = std::exchange(g_untold, 0);
  }
  int n = std::snprintf(text, sizeof text, "%.79s %s %zu bytes, of %zu that there are for all peers together", peer,
                        what, bytes, limit);
  if (others != 0)
    n += std::snprintf(text + n, sizeof text - static_cast<std::size_t>(n),
                       "; so it was with %zu others since the last such line", others);
  log(LogLevel::Warning, std::string_view(text, static_cast<std::size_t>(n)));
}

}  // namespace

constinit thread_local MemoryHolder* MemoryHolder::asker_ __attribute__((tls_model("initial-exec"))) = nullptr;
constinit std::atomic<std::size_t> PeerMemory::held_{0}, PeerMemory::limit_{kUnknown}, PeerMemory::highest_{0};

void PeerMemory::set_limit(std::size_t bytes) noexcept {
  if (bytes == 0) bytes = std::min(kMost, usable_memory() / 4);
  // Sums with parts of it must be a std::size_t.
  if constexpr (sizeof(std::size_t) < sizeof(std::uint64_t)) bytes = std::min(bytes, SIZE_MAX / 2);
  limit_.store(bytes & ~std::size_t{1}, std::memory_order_relaxed);
}

std::size_t PeerMemory::limit() noexcept {
  if (limit_.load(std::memory_order_relaxed) == kUnknown) set_limit(0);
  return limit_.load(std::memory_order_relaxed);
}

// What has been given up, and has not come back yet, may for a while be held beyond the limit.
[[gnu::cold, gnu::noinline]] bool PeerMemory::make_room(std::size_t bytes, std::size_t whole) noexcept {
  const std::size_t limit = PeerMemory::limit();
  MemoryHolder* const asker = MemoryHolder::asker_;
  char peer[80];
  for (;;) {
    if (take_within(limit, bytes)) return true;
    std::unique_lock lock(g_mutex);
    if (asker && asker->gives_up_) break;
    if (asker && !asker->entered_.load(std::memory_order_relaxed)) asker->link();
    const std::size_t own = asker ? std::max(whole, asker->bytes() + bytes) : whole;
    std::size_t groups[kGroups] = {}, leaving = 0;
    if (asker) groups[asker->group_] = own;
    for (const MemoryHolder* h = g_holders; h; h = h->next_) {
      if (h->gives_up_) leaving += h->bytes();
      else if (h != asker) groups[h->group_] += h->bytes();
    }
    if (held() + bytes <= limit + leaving) {
      if (take_within(limit + limit / 4, bytes)) return true;
      break;
    }
    const auto most = static_cast<std::size_t>(std::max_element(groups, groups + kGroups) - groups);
    MemoryHolder* largest = nullptr;
    for (MemoryHolder* h = g_holders; h; h = h->next_)
      if (!h->gives_up_ && h != asker && h->group_ == most && (!largest || h->bytes() > largest->bytes()))
        largest = h;
    const std::size_t gives = largest ? largest->bytes() : 0;
    if (gives == 0 || (asker ? asker->group_ == most && own > gives : own > groups[most])) break;
    largest->gives_up_ = true;
    std::snprintf(peer, sizeof peer, "%s", largest->peer().c_str());
    largest->give_up();
    lock.unlock();
    tell(peer, "is cut off: it held", gives, limit);
  }
  // What others hold may be had back only when their upcalls, or their turns of reading, are over.
  if (take_within(whole <= kSmall ? limit + limit / 2 : limit, bytes)) return true;
  if (asker) tell(asker->peer().c_str(), "is refused", whole, limit);
  return false;
}

void PeerMemory::look(TimePoint now) noexcept {
  std::unique_lock lock(g_mutex);
  if (now - g_looked < kLookEvery) return;
  g_looked = now;
  const std::size_t recently = highest_.exchange(held(), std::memory_order_relaxed);
  const std::size_t before = g_not_returned.load(std::memory_order_relaxed);
  const bool fell = before > recently && before - recently >= kWorthReturning;
  if (fell || recently > before) g_not_returned.store(recently, std::memory_order_relaxed);
  if (!fell) return;
  lock.unlock();
  const TimePoint begin = Clock::steady().now();
#ifdef __GLIBC__
  (void)::malloc_trim(0);
#endif
  const TimePoint end = Clock::steady().now();
  lock.lock();
  g_looked = now + std::max<TimePoint::duration>(kRestAfterReturning * (end - begin) - kLookEvery, {});
}

bool PeerMemory::wants_look() noexcept {
  return std::max(g_not_returned.load(std::memory_order_relaxed), highest_.load(std::memory_order_relaxed)) >=
         held() + kWorthReturning;
}

void PeerMemory::lock_for_fork() noexcept { g_mutex.lock(); }
void PeerMemory::unlock_after_fork() noexcept { g_mutex.unlock(); }

void MemoryHolder::enter() noexcept {
  const std::lock_guard lock(g_mutex);
  if (!entered_.load(std::memory_order_relaxed)) link();
}

// With the mutex.
void MemoryHolder::link() noexcept {
  group_ = group_of(host());
  next_ = g_holders;
  if (next_) next_->previous_ = this;
  g_holders = this;
  entered_.store(true, std::memory_order_relaxed);
}

void MemoryHolder::leave_slowly() noexcept {
  const std::lock_guard lock(g_mutex);
  (previous_ ? previous_->next_ : g_holders) = next_;
  if (next_) next_->previous_ = previous_;
  entered_.store(false, std::memory_order_relaxed);
}

}  // namespace callis
