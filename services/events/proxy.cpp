// SPDX-License-Identifier: Apache-2.0
// The four kinds of proxies, and the calls that the channel makes to who is connected to them.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/server.h>
#include <services/events/proxy.h>
#include <services/events/peer_type.h>
#include <services/events/push_sink.h>

namespace callis::events {

namespace {

using CosEventComm::Disconnected;
using Servant = PortableServer::Servant_var<PortableServer::ServantBase>;

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

void Proxy::dropped(const std::string& why) noexcept {
  log(LogLevel::Warning, {"events: channel ", channel_->name(), ": a ", name_of(kind()), " is dropped: ", why});
  end(By::Channel);
}

void Proxy::must_be_connected() {
  when_connected([] {}, [] { throw Disconnected(); });
}

namespace {

// 2.3.4: a supplier pushes to it.
class ProxyPushConsumer final : public POA_CosEventChannelAdmin::ProxyPushConsumer, public Proxy {
 public:
  using Proxy::Proxy;
  ProxyKind kind() const override { return ProxyKind::PushConsumer; }

  void connect_push_supplier(CosEventComm::PushSupplier_ptr supplier) override {
    connect([&] { if (supplier) supplier_ = deadline(supplier, channel_->options().deadline); });
  }
  void push(const CORBA::Any& data) override {
    must_be_connected();
    channel_->accept(data);
  }
  void disconnect_push_consumer() override { end(By::Peer); }

 private:
  void stop() noexcept override {}
  void say_goodbye() noexcept override {
    if (CORBA::is_nil(supplier_.in())) return;
    channel_->parts().pool.run([supplier = supplier_] {
      try {
        supplier->disconnect_push_supplier();
      } catch (const CORBA::Exception&) {}  // it has gone, too
    });
  }
  CosEventComm::PushSupplier_var supplier_;
};

// 2.3.6: a supplier is pulled from.
class ProxyPullConsumer final : public POA_CosEventChannelAdmin::ProxyPullConsumer, public Proxy {
 public:
  using Proxy::Proxy;
  ProxyKind kind() const override { return ProxyKind::PullConsumer; }

  void connect_pull_supplier(CosEventComm::PullSupplier_ptr supplier) override {
    must_not_be_connected();
    check_type(supplier, {"IDL:omg.org/CosEventComm/PullSupplier:1.0",
                          "IDL:omg.org/CosEventChannelAdmin/ProxyPullSupplier:1.0"}, channel_->options().deadline);
    connect([&] {
      supplier_ = deadline(supplier, channel_->options().deadline);
      _add_ref();
      poll_ = std::make_shared<Poll>(std::make_unique<Supplier>(*this, supplier_), channel_->options().poll,
                                     channel_->parts().tally);
      channel_->parts().pool.wake(poll_);
    });
  }
  void disconnect_pull_consumer() override { end(By::Peer); }

 private:
  class Supplier final : public Source {
   public:
    // Takes over a count of the proxy's.
    Supplier(ProxyPullConsumer& proxy, CosEventComm::PullSupplier_var supplier)
        : proxy_(proxy), servant_(&proxy), supplier_(std::move(supplier)) {}

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
    void dropped(const std::string& why) noexcept override { proxy_.dropped(why); }

   private:
    // An event that is too large is no failure of the call's.
    void pass_on(const CORBA::Any& event) {
      try {
        proxy_.channel_->accept(event);
      } catch (const CORBA::IMP_LIMIT& e) {
        log(LogLevel::Warning, {"events: a supplier's event is passed over: ", e.what()});
      }
    }
    ProxyPullConsumer& proxy_;
    const Servant servant_;
    const CosEventComm::PullSupplier_var supplier_;
  };

  void stop() noexcept override {
    if (poll_) poll_->end();
    poll_.reset();
  }
  void say_goodbye() noexcept override {
    channel_->parts().pool.run([supplier = supplier_] {
      try {
        supplier->disconnect_pull_supplier();
      } catch (const CORBA::Exception&) {}
    });
  }
  bool can_rest() const override { return false; }

  CosEventComm::PullSupplier_var supplier_;
  std::shared_ptr<Poll> poll_;
};

// 2.3.7: pushes to a consumer.
class ProxyPushSupplier final : public POA_CosEventChannelAdmin::ProxyPushSupplier, public Proxy {
 public:
  using Proxy::Proxy;
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
      lane_ = std::make_shared<Lane>(channel_->parts().pool, std::move(sink), options, channel_->parts().tally);
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
  void say_goodbye() noexcept override {
    channel_->parts().pool.run([consumer = consumer_] {
      try {
        consumer->disconnect_push_consumer();
      } catch (const CORBA::Exception&) {}
    });
  }
  bool can_rest() const override { return false; }

  CosEventComm::PushConsumer_var consumer_;
  std::shared_ptr<Lane> lane_;
};

// 2.3.5: a consumer pulls from it.
class ProxyPullSupplier final : public POA_CosEventChannelAdmin::ProxyPullSupplier, public Proxy {
 public:
  explicit ProxyPullSupplier(std::shared_ptr<Channel> channel)
      : Proxy(std::move(channel)),
        mailbox_(std::make_shared<Mailbox>(channel_->options().lane.bounds, channel_->parts().tally)) {}
  ProxyKind kind() const override { return ProxyKind::PullSupplier; }

  void connect_pull_consumer(CosEventComm::PullConsumer_ptr consumer) override {
    connect([&] {
      if (consumer) consumer_ = deadline(consumer, channel_->options().deadline);
      channel_->hub().add(mailbox_);
    });
  }
  CORBA::Any* pull() override {
    must_be_connected();
    const Channel::Pulling waits(*channel_);
    const auto event = mailbox_->pull(channel_->options().longest_pull, [&] { return orb_has_ended(); });
    if (event) return any_of(*event);
    check_end();
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "no event has come for so long as pull() may wait: pull again");
  }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    must_be_connected();
    const auto event = mailbox_->try_pull();
    if (!event) check_end();
    has_event = event.has_value();
    return event ? any_of(*event) : new CORBA::Any;
  }
  void disconnect_pull_supplier() override { end(By::Peer); }

 private:
  static CORBA::Any* any_of(const Event& event) {
    return new CORBA::Any(*static_cast<const CORBA::Any*>(event.data.get()));
  }
  void check_end() {
    if (mailbox_->full()) {
      ++channel_->parts().tally.dropped;
      dropped("its queue was full");
    }
    if (mailbox_->ended() || mailbox_->full()) throw Disconnected();
  }
  // The ORB waits for this request when it ends.
  bool orb_has_ended() const {
    return static_cast<orb::Core*>(channel_->parts().orb)->server().stopping();
  }
  void stop() noexcept override {
    mailbox_->end();
    channel_->hub().remove(mailbox_.get());
  }
  void say_goodbye() noexcept override {
    if (CORBA::is_nil(consumer_.in())) return;
    channel_->parts().pool.run([consumer = consumer_] {
      try {
        consumer->disconnect_pull_consumer();
      } catch (const CORBA::Exception&) {}
    });
  }

  CosEventComm::PullConsumer_var consumer_;
  const std::shared_ptr<Mailbox> mailbox_;
};

template <class X>
PortableServer::ServantBase* made(const std::shared_ptr<Channel>& channel, Proxy*& proxy) {
  X* const out = new X(channel);
  proxy = out;
  return out;
}

}  // namespace

PortableServer::ServantBase* new_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel, Proxy*& proxy) {
  switch (kind) {
    case ProxyKind::PushConsumer: return made<ProxyPushConsumer>(channel, proxy);
    case ProxyKind::PullConsumer: return made<ProxyPullConsumer>(channel, proxy);
    case ProxyKind::PushSupplier: return made<ProxyPushSupplier>(channel, proxy);
    case ProxyKind::PullSupplier: break;
  }
  return made<ProxyPullSupplier>(channel, proxy);
}

}  // namespace callis::events
