// SPDX-License-Identifier: Apache-2.0
// Both kinds of proxies of named consumers.
#include <callis/orb/core/core.h>
#include <callis/orb/server/server.h>
#include <services/events/named_lane.h>
#include <services/events/named_mailbox.h>
#include <services/events/named_proxy.h>
#include <services/events/peer_type.h>
#include <services/events/push_sink.h>

namespace callis::events {

namespace {

class NamedPushSupplier final : public POA_CosEventChannelAdmin::ProxyPushSupplier, public Proxy {
 public:
  NamedPushSupplier(std::shared_ptr<Channel> channel, std::string name)
      : Proxy(std::move(channel)), name_(std::move(name)) {}
  ProxyKind kind() const override { return ProxyKind::PushSupplier; }

  void connect_push_consumer(CosEventComm::PushConsumer_ptr consumer) override {
    must_not_be_connected();
    check_consumer(consumer, channel_->options().deadline);
    connect([&] {
      const auto limit = channel_->options().deadline;
      consumer_ = deadline(consumer, limit);
      LaneOptions options = channel_->options().lane;
      options.replies = &channel_->parts().replies;
      auto sink = std::make_unique<PushSink>(*this, *this, consumer, limit);
      lane_ = std::make_shared<NamedLane>(channel_->parts().pool, std::move(sink), options, channel_->parts().tally,
                                          [c = channel_](ByteView kept) { return c->read(kept); });
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
  void say_goodbye() noexcept override {
    channel_->parts().pool.run([consumer = consumer_] {
      try {
        consumer->disconnect_push_consumer();
      } catch (const CORBA::Exception&) {}
    });
  }
  bool can_rest() const override { return false; }

  const std::string name_;
  CosEventComm::PushConsumer_var consumer_;
  std::shared_ptr<NamedLane> lane_;
  Journal::FollowingPtr following_;
};

class NamedPullSupplier final : public POA_CosEventChannelAdmin::ProxyPullSupplier, public Proxy {
 public:
  NamedPullSupplier(std::shared_ptr<Channel> channel, std::string name)
      : Proxy(std::move(channel)),
        name_(std::move(name)),
        mailbox_(std::make_shared<NamedMailbox>(channel_->parts().pool, channel_->parts().journal->patience())) {}
  ProxyKind kind() const override { return ProxyKind::PullSupplier; }

  void connect_pull_consumer(CosEventComm::PullConsumer_ptr consumer) override {
    connect([&] {
      if (consumer) consumer_ = deadline(consumer, channel_->options().deadline);
      following_ = channel_->follow_name(name_, [m = mailbox_](Journal::DeliveryPtr d) { m->come(std::move(d)); });
    });
  }
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
  bool orb_has_ended() const {
    return static_cast<orb::Core*>(channel_->parts().orb)->server().stopping();
  }
  void stop() noexcept override {
    following_.reset();
    mailbox_->end(false);
  }
  void say_goodbye() noexcept override {
    if (CORBA::is_nil(consumer_.in())) return;
    channel_->parts().pool.run([consumer = consumer_] {
      try {
        consumer->disconnect_pull_consumer();
      } catch (const CORBA::Exception&) {}
    });
  }

  const std::string name_;
  CosEventComm::PullConsumer_var consumer_;
  const std::shared_ptr<NamedMailbox> mailbox_;
  Journal::FollowingPtr following_;
};

}  // namespace

PortableServer::ServantBase* new_named_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel,
                                             const std::string& name, Proxy*& proxy) {
  if (kind == ProxyKind::PushSupplier) {
    auto* const out = new NamedPushSupplier(channel, name);
    proxy = out;
    return out;
  }
  auto* const out = new NamedPullSupplier(channel, name);
  proxy = out;
  return out;
}

}  // namespace callis::events
