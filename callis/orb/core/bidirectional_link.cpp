// SPDX-License-Identifier: Apache-2.0
// A bidirectional connection: the stream by which its calls go out, and their end with the connection.
#include <callis/base/log.h>
#include <callis/orb/core/bidirectional_link.h>

namespace callis::orb {

using transport::Transfer;

// The stream that calls send on.
class BidirectionalLink::Out final : public transport::Stream {
 public:
  Out(std::shared_ptr<BidirectionalLink> link, std::size_t most_waiting)
      : link_(std::move(link)), most_waiting_(most_waiting) {}

  using Stream::send;
  Transfer send(std::span<const ByteView> parts, Deadline deadline) override {
    const Counted<ServerConnection> c = link_->connection();
    if (!c) return {0, Fault::ConnectionLost};
    while (c->queued_bytes() > most_waiting_)
      if (!c->make_room(deadline)) return {0, Fault::DeadlinePassed};
    if (!c->send(parts)) return {0, Fault::ConnectionLost};
    std::size_t n = 0;
    for (const ByteView p : parts) n += p.size();
    return {n};
  }
  using Stream::receive;
  Transfer receive(MutableBytes, Deadline, TimePoint) override {
    return {0, Fault::ConnectionLost};
  }  // a worker does
  bool quiet() override { return true; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override {
    if (const Counted<ServerConnection> c = link_->connection()) c->break_off();
  }
  const std::string& peer() const override { return link_->peer(); }
  const transport::Peer& peer_identity() const override { return link_->peer_identity(); }

 private:
  const std::shared_ptr<BidirectionalLink> link_;
  const std::size_t most_waiting_;
};

void BidirectionalLink::prepare(const Limits& limits, std::size_t fragment_bytes, std::chrono::microseconds spin,
                           std::uint32_t first_id, std::vector<Byte> listen_points) {
  auto out = std::make_unique<Out>(shared_from_this(), limits.max_queued_output_bytes);
  auto calls =
      std::make_shared<SharedConnection>(std::move(out), limits, fragment_bytes, spin, first_id,
                                         static_cast<SharedConnection::Watcher&>(*this), std::move(listen_points));
  const std::lock_guard lock(mutex_);
  calls_ = std::move(calls);
  self_ = shared_from_this();
}

void BidirectionalLink::attach(Counted<ServerConnection> connection) {
  bool finishes = false;
  {
    const std::lock_guard lock(mutex_);
    if (!calls_) return;  // it has ended
    connection_ = std::move(connection);
    finishes = finishes_;
  }
  if (finishes) finish();
}

std::shared_ptr<SharedConnection> BidirectionalLink::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

Counted<ServerConnection> BidirectionalLink::connection() const {
  const std::lock_guard lock(mutex_);
  return connection_;
}

bool BidirectionalLink::fits(const EndpointIdentity& to) {
  if (!first_) first_ = to;
  return first_->same_code_sets(to);
}

void BidirectionalLink::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishes_ = true;
  }
  if (const std::shared_ptr<SharedConnection> c = calls()) c->look_for_calls();
}

void BidirectionalLink::used() noexcept {
  if (const Counted<ServerConnection> c = connection()) c->set_calling(true);
}

// finish() sets the mark before it looks for calls: either it or the last call sees the other.
bool BidirectionalLink::unused() noexcept {
  Counted<ServerConnection> c;
  bool finishes;
  {
    const std::lock_guard lock(mutex_);
    c = connection_;
    finishes = finishes_;
  }
  if (!c) return false;
  c->set_calling(false);
  if (finishes) c->end_reading();
  return finishes;
}

// --- By the reader ---

bool BidirectionalLink::take(ServerConnection&, const giop::Message& message) noexcept {
  try {
    return calls()->deliver(message);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void BidirectionalLink::ended(ServerConnection& connection) noexcept { end(connection.end_fault()); }
void BidirectionalLink::give_up() noexcept { end(Fault::ConnectionLost); }

void BidirectionalLink::end(Fault why) noexcept {
  std::shared_ptr<BidirectionalLink> self;
  std::shared_ptr<SharedConnection> calls;
  Counted<ServerConnection> held;
  {
    const std::lock_guard lock(mutex_);
    self = std::move(self_);
    calls = std::move(calls_);
    held = std::move(connection_);
  }
  keeper_.ended(*this);
  if (calls) calls->lost(why == Fault::None ? Fault::ConnectionLost : why);
}

}  // namespace callis::orb
