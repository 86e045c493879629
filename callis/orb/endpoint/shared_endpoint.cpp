// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/endpoint/idle_watch.h>
#include <callis/orb/endpoint/shared_endpoint.h>
#include <algorithm>

CALLIS_PROVIDE(sharing);

namespace callis::orb {

std::unique_ptr<SharedEndpoint> SharedEndpoint::make(Endpoint& of) { return std::make_unique<SharedEndpoint>(of); }

SharedEndpoint::SharedEndpoint(Endpoint& of)
    : endpoint_(of),
      pool_(sharing().always ? std::max(sharing().most, 1u) : 1,
            [this](Deadline deadline) { return open(deadline); }) {}

SharedEndpoint::~SharedEndpoint() = default;

Result<std::shared_ptr<SharedConnection>> SharedEndpoint::open(Deadline deadline) {
  auto stream = endpoint_.open_stream(deadline);
  if (!stream) return stream.error();
  std::shared_ptr<void> watched;
  if (endpoint_.watch_) watched = endpoint_.watch_->add(*stream.value(), endpoint_);
  auto c = std::make_unique<SharedConnection>(std::move(stream).value(), endpoint_.limits_,
                                              endpoint_.fragment_bytes_, sharing().spin);
  return std::shared_ptr<SharedConnection>(
      c.release(), [watched = std::move(watched)](SharedConnection* gone) mutable {
        watched.reset();
        delete gone;
      });
}

std::unique_ptr<ClientConnection> SharedEndpoint::find(const Endpoint::Wish& wish, TimePoint now) {
  if (!sharing().always) {
    if (std::unique_ptr<ClientConnection> c = wish.fresh ? nullptr : endpoint_.checkout(now)) return c;
    if (exclusive_->load(std::memory_order_relaxed) + 1 < sharing().most) return nullptr;
  }
  return pool_.find(wish.alone, now);
}

Result<std::unique_ptr<ClientConnection>> SharedEndpoint::connect(const Endpoint::Wish& wish, TimePoint now,
                                                                  Deadline deadline) {
  std::shared_ptr<void> counted = sharing().always ? nullptr : count_in();
  if (!counted) return pool_.open(wish.alone, now, deadline);
  return endpoint_.connect_exclusive(deadline, std::move(counted));
}

// Counts one more connection that is not shared, until the result goes. Returns nullptr if all but the last are open.
std::shared_ptr<void> SharedEndpoint::count_in() {
  if (exclusive_->fetch_add(1, std::memory_order_relaxed) + 1 < sharing().most)
    return {exclusive_.get(), [count = exclusive_](void*) { count->fetch_sub(1, std::memory_order_relaxed); }};
  exclusive_->fetch_sub(1, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace callis::orb
