// SPDX-License-Identifier: Apache-2.0
// The four kinds of proxies, and the calls that the channel makes to who is connected to them.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/server.h>
#include <services/events/peer_type.h>
#include <services/events/proxy.h>
#include <services/events/proxy_kinds.h>
#include <services/events/push_sink.h>
#include <services/events/supplier_source.h>

namespace callis::events {

namespace {

using CosEventComm::Disconnected;

const char* name_of(ProxyKind kind) {
  switch (kind) {
    case ProxyKind::PushConsumer:
    case ProxyKind::PullConsumer: return "supplier";
    case ProxyKind::PushSupplier:
    case ProxyKind::PullSupplier: break;
  }
  return "consumer";
}

}  // namespace

CORBA::Any* any_of(const Event& event) { return new CORBA::Any(*static_cast<const CORBA::Any*>(event.data.get())); }

void Proxy::dropped(const std::string& why) noexcept {
  log(LogLevel::Warning, {"events: channel ", channel_->name(), ": a ", name_of(kind()), " is dropped: ", why});
  end(By::Channel);
}

void Proxy::count_peer(CORBA::Object_ptr peer) {
  constexpr std::size_t kConnected = 4u << 10;  // a sink or source, and its calls
  if (held_.counts()) held_.resize(bytes_ + kConnected + bytes_of_peer(peer));
}

void Proxy::must_be_connected() {
  when_connected([] {}, [] { throw Disconnected(); });
}

Event Proxy::pulled(Mailbox& box) {
  const Channel::Pulling waits(*channel_);
  if (auto event = box.pull(channel_->options().longest_pull, [&] { return orb_has_ended(); })) return *event;
  check_end(box);
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "no event has come for so long as pull() may wait: pull again");
}

std::optional<Event> Proxy::tried(Mailbox& box) {
  auto event = box.try_pull();
  if (!event) check_end(box);
  return event;
}

void Proxy::check_end(const Mailbox& box) {
  const bool full = box.full();
  if (full) {
    ++channel_->parts().tally.dropped;
    dropped("its queue was full");
  }
  if (box.ended() || full) throw Disconnected();
}

bool Proxy::orb_has_ended() const {
  return static_cast<orb::Core*>(channel_->parts().orb)->server().stopping();
}

namespace {

using ProxyPushConsumer = PushConsumerProxy<POA_CosEventChannelAdmin::ProxyPushConsumer>;

// Pulls by try_pull().
class AnySource final : public SupplierSource {
 public:
  AnySource(Proxy& proxy, PortableServer::ServantBase& servant, Channel& channel,
            CosEventComm::PullSupplier_var supplier)
      : SupplierSource(proxy, servant, channel), supplier_(std::move(supplier)) {}

  Result ask() noexcept override {
    try {
      CORBA::Boolean has_event = false;
      const CORBA::Any_var event = supplier_->try_pull(has_event);
      if (!has_event) return Result::Nothing;
      pass_on(event.in());
      return Result::Event;
    } catch (const Disconnected&) {
      return Result::Gone;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return Result::Gone;
    } catch (const std::exception& e) {
      log(LogLevel::Info, {"events: try_pull: ", e.what()});
    }
    return Result::Failed;
  }

 private:
  const CosEventComm::PullSupplier_var supplier_;
};

// 2.3.6: a supplier is pulled from.
class ProxyPullConsumer final : public POA_CosEventChannelAdmin::ProxyPullConsumer, public Proxy {
 public:
  ProxyPullConsumer(std::shared_ptr<Channel> channel, MakeSource make)
      : Proxy(std::move(channel)), make_(std::move(make)) {}
  ProxyKind kind() const override { return ProxyKind::PullConsumer; }

  void connect_pull_supplier(CosEventComm::PullSupplier_ptr supplier) override {
    must_not_be_connected();
    count_peer(supplier);
    const auto limit = channel_->options().deadline;
    check_type(supplier, {"IDL:omg.org/CosEventComm/PullSupplier:1.0",
                          "IDL:omg.org/CosEventChannelAdmin/ProxyPullSupplier:1.0",
                          "IDL:omg.org/CosTypedEventChannelAdmin/TypedProxyPullSupplier:1.0"}, limit);
    std::unique_ptr<Source> source = make_(*this, *this, supplier);
    connect([&] {
      supplier_ = deadline(supplier, limit);
      poll_ = std::make_shared<Poll>(std::move(source), channel_->options().poll, channel_->parts().tally);
      channel_->parts().pool.wake(poll_);
    });
  }
  void disconnect_pull_consumer() override { end(By::Peer); }

 private:
  void stop() noexcept override {
    if (poll_) poll_->end();
    poll_.reset();
  }
  void say_goodbye() noexcept override { tell(supplier_, &CosEventComm::PullSupplier::disconnect_pull_supplier); }
  bool can_rest() const override { return false; }

  const MakeSource make_;
  CosEventComm::PullSupplier_var supplier_;
  std::shared_ptr<Poll> poll_;
};

// 2.3.7: pushes to a consumer.
class ProxyPushSupplier final : public POA_CosEventChannelAdmin::ProxyPushSupplier, public Proxy {
 public:
  ProxyPushSupplier(std::shared_ptr<Channel> channel, MakeSink make)
      : Proxy(std::move(channel)), make_(std::move(make)) {}
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
      lane_ = std::make_shared<Lane>(channel_->parts().pool, std::move(sink), options, channel_->parts().tally,
                                     std::move(kept));
      channel_->hub().add(lane_);
    });
  }
  void disconnect_push_supplier() override { end(By::Peer); }

 private:
  void stop() noexcept override {
    if (!lane_) return;
    lane_->end();
    channel_->hub().remove(lane_.get());
    lane_.reset();
  }
  void say_goodbye() noexcept override { tell(consumer_, &CosEventComm::PushConsumer::disconnect_push_consumer); }
  bool can_rest() const override { return false; }

  const MakeSink make_;
  CosEventComm::PushConsumer_var consumer_;
  std::shared_ptr<Lane> lane_;
};

class ProxyPullSupplier final : public PullSupplierProxy<POA_CosEventChannelAdmin::ProxyPullSupplier> {
 public:
  explicit ProxyPullSupplier(std::shared_ptr<Channel> channel)
      : PullSupplierProxy(std::move(channel)),
        mailbox_(std::make_shared<Mailbox>(channel_->options().lane.bounds, channel_->parts().tally,
                                           queue_bytes())) {}

  CORBA::Any* pull() override {
    must_be_connected();
    return any_of(pulled(*mailbox_));
  }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    must_be_connected();
    const auto event = tried(*mailbox_);
    has_event = event.has_value();
    return event ? any_of(*event) : new CORBA::Any;
  }

 private:
  void begin() override { channel_->hub().add(mailbox_); }
  void stop() noexcept override {
    mailbox_->end();
    channel_->hub().remove(mailbox_.get());
  }

  const std::shared_ptr<Mailbox> mailbox_;
};

template <class X, class... Parts>
PortableServer::ServantBase* made(Proxy*& proxy, const Parts&... parts) {
  X* const out = new X(parts...);
  proxy = out;
  return out;
}

}  // namespace

PortableServer::ServantBase* new_push_supplier(const std::shared_ptr<Channel>& channel, MakeSink make,
                                               Proxy*& proxy) {
  return made<ProxyPushSupplier>(proxy, channel, make);
}

PortableServer::ServantBase* new_pull_consumer(const std::shared_ptr<Channel>& channel, MakeSource make,
                                               Proxy*& proxy) {
  return made<ProxyPullConsumer>(proxy, channel, make);
}

PortableServer::ServantBase* new_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel, Proxy*& proxy) {
  const auto limit = channel->options().deadline;
  switch (kind) {
    case ProxyKind::PushConsumer: return made<ProxyPushConsumer>(proxy, channel);
    case ProxyKind::PullConsumer:
      return new_pull_consumer(channel, [&c = *channel, limit](auto& p, auto& servant, auto supplier) {
        return std::make_unique<AnySource>(p, servant, c, deadline(supplier, limit));
      }, proxy);
    case ProxyKind::PushSupplier: return new_push_supplier(channel, any_sinks(limit), proxy);
    case ProxyKind::PullSupplier: break;
  }
  return made<ProxyPullSupplier>(proxy, channel);
}

}  // namespace callis::events
