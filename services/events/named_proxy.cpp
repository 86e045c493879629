// SPDX-License-Identifier: Apache-2.0
// Both kinds of proxies of named consumers.
#include <services/events/named_lane.h>
#include <services/events/named_mailbox.h>
#include <services/events/named_proxy.h>
#include <services/events/peer_type.h>
#include <services/events/proxy_kinds.h>
#include <services/events/push_sink.h>

namespace callis::events {

namespace {

class NamedPushSupplier final : public POA_CosEventChannelAdmin::ProxyPushSupplier, public Proxy {
 public:
  NamedPushSupplier(std::shared_ptr<Channel> channel, std::string name, MakeSink make)
      : Proxy(std::move(channel)), name_(std::move(name)), make_(std::move(make)) {}
  ProxyKind kind() const override { return ProxyKind::PushSupplier; }

  void connect_push_consumer(CosEventComm::PushConsumer_ptr consumer) override {
    must_not_be_connected();
    count_peer(consumer);
    const auto limit = channel_->options().deadline;
    check_consumer(consumer, limit);
    services::HeldBytes kept = queue_bytes();
    std::unique_ptr<Sink> sink = make_(*this, *this, consumer);
    connect([&] {
      consumer_ = deadline(consumer, limit);
      LaneOptions options = channel_->options().lane;
      options.replies = &channel_->parts().replies;
      lane_ = std::make_shared<NamedLane>(channel_->parts().pool, std::move(sink), options, channel_->parts().tally,
                                          [c = channel_](ByteView bytes) { return c->read(bytes); }, std::move(kept));
      following_ = channel_->follow_name(name_, [l = lane_](Journal::DeliveryPtr d) { l->come(std::move(d)); });
    });
  }
  void disconnect_push_supplier() override { end(By::Peer); }

 private:
  void stop() noexcept override {
    following_.reset();
    if (lane_) lane_->end();
    lane_.reset();
  }
  void say_goodbye() noexcept override { tell(consumer_, &CosEventComm::PushConsumer::disconnect_push_consumer); }
  bool can_rest() const override { return false; }

  const std::string name_;
  const MakeSink make_;
  CosEventComm::PushConsumer_var consumer_;
  std::shared_ptr<NamedLane> lane_;
  Journal::FollowingPtr following_;
};

class NamedPullSupplier final : public PullSupplierProxy<POA_CosEventChannelAdmin::ProxyPullSupplier> {
 public:
  NamedPullSupplier(std::shared_ptr<Channel> channel, std::string name)
      : PullSupplierProxy(std::move(channel)),
        name_(std::move(name)),
        mailbox_(std::make_shared<NamedMailbox>(channel_->parts().pool, channel_->parts().journal->patience(),
                                                queue_bytes())) {}

  CORBA::Any* pull() override {
    must_be_connected();
    const Channel::Pulling waits(*channel_);
    for (;;) {
      const auto kept = mailbox_->pull(channel_->options().longest_pull, [&] { return orb_has_ended(); });
      if (!kept) break;
      if (CORBA::Any* const any = any_of(*kept)) return any;
    }
    if (mailbox_->ended()) throw CosEventComm::Disconnected();
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "no event has come for so long as pull() may wait: pull again");
  }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    must_be_connected();
    while (const auto kept = mailbox_->try_pull()) {
      CORBA::Any* const any = any_of(*kept);
      has_event = any != nullptr;
      if (any) return any;
    }
    if (mailbox_->ended()) throw CosEventComm::Disconnected();
    has_event = false;
    return new CORBA::Any;
  }
  void disconnect_pull_supplier() override {
    mailbox_->end(true);
    end(By::Peer);
  }

 private:
  // nullptr: what is kept is no event, and is passed over.
  CORBA::Any* any_of(const Journal::Delivery& kept) const {
    const auto event = channel_->read(kept.bytes());
    return event ? new CORBA::Any(*static_cast<const CORBA::Any*>(event->data.get())) : nullptr;
  }
  void begin() override {
    following_ = channel_->follow_name(name_, [m = mailbox_](Journal::DeliveryPtr d) { m->come(std::move(d)); });
  }
  void stop() noexcept override {
    following_.reset();
    mailbox_->end(false);
  }

  const std::string name_;
  const std::shared_ptr<NamedMailbox> mailbox_;
  Journal::FollowingPtr following_;
};

}  // namespace

PortableServer::ServantBase* new_named_push_supplier(const std::shared_ptr<Channel>& channel, const std::string& name,
                                                     MakeSink make, Proxy*& proxy) {
  auto* const out = new NamedPushSupplier(channel, name, std::move(make));
  proxy = out;
  return out;
}

PortableServer::ServantBase* new_named_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel,
                                             const std::string& name, Proxy*& proxy) {
  if (kind == ProxyKind::PushSupplier)
    return new_named_push_supplier(channel, name, any_sinks(channel->options().deadline), proxy);
  auto* const out = new NamedPullSupplier(channel, name);
  proxy = out;
  return out;
}

}  // namespace callis::events
