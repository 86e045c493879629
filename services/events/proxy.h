// SPDX-License-Identifier: Apache-2.0
// Proxies: the objects of a channel that suppliers and consumers connect to (Event Service 1.2, 2.3.4 to 2.3.7).
// connection.h has what they go through. Any thread.
#pragma once
#include <services/events/channel.h>
#include <services/events/connection.h>
#include <services/events/mailbox.h>
#include <functional>
#include <memory>
#include <optional>
#include "CosEventChannelAdmin_skel.h"

namespace callis::events {

class Proxy : public Connection<Channel, CosEventChannelAdmin::AlreadyConnected> {
 public:
  // The bytes of a proxy before anybody has connected: its servant, its object, its place in the channel's list.
  static constexpr std::size_t kBytes = 2u << 10;

  // NO_RESOURCES. bytes: what it has beside kBytes.
  explicit Proxy(std::shared_ptr<Channel> channel, std::size_t bytes = 0)
      : Connection(std::move(channel)), bytes_(kBytes + bytes), held_(channel_->parts().hold(bytes_)) {}

  virtual ProxyKind kind() const = 0;
  // Given up, with a line in the log.
  void dropped(const std::string& why) noexcept;

 protected:
  // Counts the reference of who connects, of which calls need several copies. NO_RESOURCES.
  void count_peer(CORBA::Object_ptr peer);
  // For the queue of who connects, with room for some events, whatever others have taken by then. NO_RESOURCES.
  services::HeldBytes queue_bytes() const { return services::HeldBytes(channel_->parts().hold(2u << 10)); }
  // Disconnected, unless it is connected.
  void must_be_connected();
  bool can_rest() const override { return true; }
  // Calls the peer's disconnect_...(), by a thread of the pool, and does not care how that ends. Nil: calls nobody.
  template <class Peer>
  void tell(const classic::ReferenceVar<Peer>& peer, void (Peer::*disconnect)()) noexcept {
    if (CORBA::is_nil(peer.in())) return;
    channel_->parts().pool.run([peer, disconnect] {
      try {
        (peer.in()->*disconnect)();
      } catch (const CORBA::Exception&) {}  // it has gone, too
    });
  }
  // The next event for a consumer that pulls. pulled() waits for it; TRANSIENT: none has come for as long as a pull()
  // may wait; NO_RESOURCES: too many wait. Both: Disconnected, where the proxy has ended, or does so now, since its
  // queue was full.
  Event pulled(Mailbox& box);
  std::optional<Event> tried(Mailbox& box);
  // The ORB waits for this request when it ends.
  bool orb_has_ended() const;

 private:
  void check_end(const Mailbox& box);
  void leave() noexcept override { channel_->forget(*this); }

  const std::size_t bytes_;
  services::MemoryBound::Hold held_;
};

// A copy of what the event is, for who pulls.
CORBA::Any* any_of(const Event& event);

// A servant of the kind; the caller owns it. proxy: the same object.
PortableServer::ServantBase* new_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel, Proxy*& proxy);

// How a proxy calls who connects to it. proxy, servant: the same object; what is made counts the servant, so that it
// lives as long. They may ask the peer, and throw what connect_...() is to throw: TypeError, system exceptions.
using MakeSink = std::function<std::unique_ptr<Sink>(Proxy& proxy, PortableServer::ServantBase& servant,
                                                     CosEventComm::PushConsumer_ptr consumer)>;
using MakeSource = std::function<std::unique_ptr<Source>(Proxy& proxy, PortableServer::ServantBase& servant,
                                                         CosEventComm::PullSupplier_ptr supplier)>;

// As new_proxy(), of kinds PushSupplier and PullConsumer, with calls that are made otherwise than of push() and
// try_pull().
PortableServer::ServantBase* new_push_supplier(const std::shared_ptr<Channel>& channel, MakeSink make, Proxy*& proxy);
PortableServer::ServantBase* new_pull_consumer(const std::shared_ptr<Channel>& channel, MakeSource make,
                                               Proxy*& proxy);

}  // namespace callis::events
