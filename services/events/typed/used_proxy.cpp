// SPDX-License-Identifier: Apache-2.0
// The typed proxies that call an object of a typed interface: they push to one of a consumer's, or pull from one of a
// supplier's.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/dynamic.h>
#include <services/events/peer_type.h>
#include <services/events/typed/typed_proxy.h>
#include <services/events/typed/typed_sink.h>
#include "CosTypedEventComm.h"

namespace callis::events {

namespace {

using CosEventChannelAdmin::TypeError;
using Servant = PortableServer::Servant_var<PortableServer::ServantBase>;

// What get() returns, when it is an object of the interface; otherwise TypeError. System exceptions of who is asked.
template <class Get>
CORBA::Object_var typed_object(const TypedInterface& interface, std::chrono::milliseconds limit, Get&& get) {
  CORBA::Object_var out;
  try {
    out = get();
  } catch (const CORBA::BAD_OPERATION&) {  // no typed one
    throw TypeError();
  } catch (const CORBA::NO_IMPLEMENT&) {
    throw TypeError();
  }
  if (CORBA::is_nil(out.in()) || !deadline(out.in(), limit)->_is_a(interface.id().c_str())) throw TypeError();
  return out;
}

// Pushes to a typed consumer.
class TypedProxyPushSupplier final : public POA_CosEventChannelAdmin::ProxyPushSupplier, public Proxy {
 public:
  TypedProxyPushSupplier(std::shared_ptr<Channel> channel, std::shared_ptr<const TypedInterface> interface)
      : Proxy(std::move(channel)), interface_(std::move(interface)) {}
  ProxyKind kind() const override { return ProxyKind::PushSupplier; }

  void connect_push_consumer(CosEventComm::PushConsumer_ptr consumer) override {
    must_not_be_connected();
    const auto limit = channel_->options().deadline;
    check_consumer(consumer, limit);
    const auto typed = CosTypedEventComm::TypedPushConsumer::_unchecked_narrow(consumer);
    const CosTypedEventComm::TypedPushConsumer_var asked = deadline(
        CosTypedEventComm::TypedPushConsumer_var(typed), limit);
    const CORBA::Object_var object = typed_object(*interface_, limit, [&] { return asked->get_typed_consumer(); });
    connect([&] {
      consumer_ = deadline(consumer, limit);
      LaneOptions options = channel_->options().lane;
      options.replies = &channel_->parts().replies;
      auto sink = std::make_unique<TypedSink>(*this, *this, consumer, object.in(), interface_, limit);
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

  const std::shared_ptr<const TypedInterface> interface_;
  CosEventComm::PushConsumer_var consumer_;
  std::shared_ptr<Lane> lane_;
};

// Pulls from a typed supplier, each of its operations in turn.
class TypedProxyPullConsumer final : public POA_CosEventChannelAdmin::ProxyPullConsumer, public Proxy {
 public:
  TypedProxyPullConsumer(std::shared_ptr<Channel> channel, std::shared_ptr<const TypedInterface> interface)
      : Proxy(std::move(channel)), interface_(std::move(interface)) {}
  ProxyKind kind() const override { return ProxyKind::PullConsumer; }

  void connect_pull_supplier(CosEventComm::PullSupplier_ptr supplier) override {
    must_not_be_connected();
    const auto limit = channel_->options().deadline;
    check_type(supplier, {"IDL:omg.org/CosEventComm/PullSupplier:1.0",
                          "IDL:omg.org/CosTypedEventChannelAdmin/TypedProxyPullSupplier:1.0"}, limit);
    const auto typed = CosTypedEventComm::TypedPullSupplier::_unchecked_narrow(supplier);
    const CosTypedEventComm::TypedPullSupplier_var asked = deadline(
        CosTypedEventComm::TypedPullSupplier_var(typed), limit);
    const CORBA::Object_var object = typed_object(*interface_, limit, [&] { return asked->get_typed_supplier(); });
    connect([&] {
      supplier_ = deadline(supplier, limit);
      poll_ = std::make_shared<Poll>(std::make_unique<Supplier>(*this, deadline(object.in(), limit)),
                                     channel_->options().poll, channel_->parts().tally);
      channel_->parts().pool.wake(poll_);
    });
  }
  void disconnect_pull_consumer() override { end(By::Peer); }

 private:
  class Supplier final : public Source {
   public:
    Supplier(TypedProxyPullConsumer& proxy, CORBA::Object_var object)
        : proxy_(proxy), servant_((proxy._add_ref(), &proxy)), object_(std::move(object)) {}

    // Asks for each operation's event once. Where one fails the others are not asked.
    Result ask() noexcept override {
      bool has = false;
      try {
        for (const auto& [name, operation] : proxy_.interface_->operations()) has = try_pull(operation) || has;
        return has ? Result::Event : Result::Nothing;
      } catch (const CORBA::OBJECT_NOT_EXIST&) {
        return Result::Gone;
      } catch (const std::exception& e) {
        log(LogLevel::Info, {"events: a typed supplier that is pulled: ", e.what()});
      }
      return Result::Failed;
    }
    void dropped(const std::string& why) noexcept override { proxy_.dropped(why); }

   private:
    bool try_pull(const TypedOperation& operation) {
      const CORBA::Request_var request = object_->_request(concat({"try_pull_", operation.name}).c_str());
      for (const TypedOperation::Parameter& p : operation.parameters)
        request->add_out_arg(p.name.c_str()).replace(p.type.in(), nullptr);
      request->set_return_type(CORBA::_tc_boolean);
      request->invoke();
      if (CORBA::Exception* const e = request->env()->exception()) e->_raise();
      CORBA::Boolean has = false;
      if (!(request->return_value() >>= CORBA::Any::to_boolean(has)) || !has) return false;
      CORBA::Any event;
      auto* const call = new CallisTypedEvents::Call;
      event <<= call;
      call->operation = operation.name.c_str();
      call->arguments.length(request->arguments()->count());
      for (CORBA::ULong i = 0; i < call->arguments.length(); ++i) {
        call->arguments[i].name = operation.parameters[i].name.c_str();
        call->arguments[i].value = *request->arguments()->item(i)->value();
      }
      pass_on(event);
      return true;
    }
    // An event that is too large is no failure of the call's.
    void pass_on(const CORBA::Any& event) {
      try {
        proxy_.channel_->accept(event);
      } catch (const CORBA::IMP_LIMIT& e) {
        log(LogLevel::Warning, {"events: a supplier's event is passed over: ", e.what()});
      }
    }
    TypedProxyPullConsumer& proxy_;
    const Servant servant_;
    const CORBA::Object_var object_;
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

  const std::shared_ptr<const TypedInterface> interface_;
  CosEventComm::PullSupplier_var supplier_;
  std::shared_ptr<Poll> poll_;
};

}  // namespace

PortableServer::ServantBase* new_typed_push_supplier(const std::shared_ptr<Channel>& channel,
                                                     std::shared_ptr<const TypedInterface> used, Proxy*& proxy) {
  auto* const out = new TypedProxyPushSupplier(channel, std::move(used));
  proxy = out;
  return out;
}

PortableServer::ServantBase* new_typed_pull_consumer(const std::shared_ptr<Channel>& channel,
                                                     std::shared_ptr<const TypedInterface> used, Proxy*& proxy) {
  auto* const out = new TypedProxyPullConsumer(channel, std::move(used));
  proxy = out;
  return out;
}

}  // namespace callis::events
