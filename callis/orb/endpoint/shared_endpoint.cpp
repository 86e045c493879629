// SPDX-License-Identifier: Apache-2.0
// Of an endpoint, what only those have whose connections are shared.
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/idle_watch.h>
#include <callis/orb/endpoint/shared_pool.h>

CALLIS_PROVIDE(sharing);

namespace callis::orb {

std::unique_ptr<SharedPool> Endpoint::make_pool() {
  exclusive_ = std::make_shared<std::atomic<std::uint32_t>>(0);
  const std::size_t most = sharing_.always ? std::max(sharing_.most, 1u) : 1;
  return std::make_unique<SharedPool>(most, [this](Deadline deadline) -> Result<std::shared_ptr<SharedConnection>> {
    auto stream = open_stream(deadline);
    if (!stream) return stream.error();
    std::shared_ptr<void> watched;
    if (watch_) watched = watch_->add(*stream.value(), *this);
    auto c = std::make_unique<SharedConnection>(std::move(stream).value(), limits_, fragment_bytes_, sharing_.spin);
    return std::shared_ptr<SharedConnection>(c.release(), [watched = std::move(watched)](SharedConnection* gone) {
      delete gone;
    });
  });
}

std::unique_ptr<ClientConnection> Endpoint::find_shared(const Wish& wish, TimePoint now) {
  if (!sharing_.always) {
    if (std::unique_ptr<ClientConnection> c = wish.fresh ? nullptr : checkout(now)) return c;
    if (exclusive_->load(std::memory_order_relaxed) + 1 < sharing_.most) return nullptr;
  }
  return shared_->find(wish.alone, now);
}

Result<std::unique_ptr<ClientConnection>> Endpoint::connect_shared(const Wish& wish, TimePoint now,
                                                                   Deadline deadline) {
  std::shared_ptr<void> counted = sharing_.always ? nullptr : count_in();
  if (!counted) return shared_->open(wish.alone, now, deadline);
  return connect_exclusive(deadline, std::move(counted));
}

// One more that is not shared, until what is returned goes; nullptr when all but the last are open.
std::shared_ptr<void> Endpoint::count_in() {
  if (exclusive_->fetch_add(1, std::memory_order_relaxed) + 1 < sharing_.most)
    return {exclusive_.get(), [count = exclusive_](void*) { count->fetch_sub(1, std::memory_order_relaxed); }};
  exclusive_->fetch_sub(1, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace callis::orb
