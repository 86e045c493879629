// SPDX-License-Identifier: Apache-2.0
// The typed proxies that have an object of a typed interface: suppliers push to one, consumers pull from the other.
#include <services/events/proxy_kinds.h>
#include <services/events/typed/typed_object.h>
#include <services/events/typed/typed_proxy.h>
#include "CosTypedEventChannelAdmin_skel.h"

namespace callis::events {

namespace {

using Servant = PortableServer::Servant_var<PortableServer::ServantBase>;
using CosEventComm::Disconnected;

[[noreturn]] void refuse_unconnected() {
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "nobody has connected to the proxy, or it was disconnected");
}

constexpr std::size_t kObjectBytes = 2u << 10;  // of the typed object beside the proxy

// A typed object while its proxy is there.
class Activated {
 public:
  Activated(PortableServer::POA_ptr adapter, TypedObject* object)
      : adapter_(PortableServer::POA::_duplicate(adapter)), object_(object) {}
  CORBA::Object_ptr reference() {
    const std::lock_guard lock(mutex_);
    if (ended_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the proxy was disconnected");
    if (CORBA::is_nil(reference_.in())) {
      id_ = adapter_->activate_object(object_.in());
      reference_ = adapter_->create_reference_with_id(id_.in(), CORBA::String_var(interface_id()).in());
    }
    return CORBA::Object::_duplicate(reference_.in());
  }
  void end() noexcept {
    object_->end();
    const std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true) || CORBA::is_nil(reference_.in())) return;
    try {
      adapter_->deactivate_object(id_.in());
    } catch (const CORBA::Exception&) {  // the adapter has gone
    }
  }

 private:
  char* interface_id() { return object_->_primary_interface(id_.in(), adapter_.in()); }

  const PortableServer::POA_var adapter_;
  const PortableServer::Servant_var<TypedObject> object_;
  std::mutex mutex_;  // guards what follows
  PortableServer::ObjectId_var id_;
  CORBA::Object_var reference_;
  bool ended_ = false;
};

// A supplier pushes to its typed consumer, or by push().
class TypedProxyPushConsumer final : public PushConsumerProxy<POA_CosTypedEventChannelAdmin::TypedProxyPushConsumer> {
 public:
  TypedProxyPushConsumer(std::shared_ptr<Channel> channel, const TypedParts& parts,
                         std::shared_ptr<const TypedInterface> interface)
      : PushConsumerProxy(std::move(channel), kObjectBytes),
        object_(parts.objects, new TypedObject(channel_->parts().orb, std::move(interface),
                                               TypedInterface::Model::Push, serving())) {}

  CORBA::Object_ptr get_typed_consumer() override { return object_.reference(); }

 private:
  TypedObject::Serve serving() {
    _add_ref();
    return [this, keeps = Servant(this)](const TypedOperation& operation, CORBA::NVList_ptr arguments, bool) {
      when_connected([] {}, &refuse_unconnected);
      CORBA::Any event;
      auto* const call = new CallisTypedEvents::Call;
      event <<= call;
      call->operation = operation.name.c_str();
      call->arguments.length(arguments->count());
      for (CORBA::ULong i = 0; i < arguments->count(); ++i) {
        call->arguments[i].name = arguments->item(i)->name();
        call->arguments[i].value = *arguments->item(i)->value();
      }
      channel_->accept(event);
      return true;
    };
  }
  void stop() noexcept override { object_.end(); }

  Activated object_;
};

// The events that wait until a typed consumer pulls them: a mailbox for each operation, and one for other events.
class Mailboxes final : public Receiver {
 public:
  static constexpr std::size_t kBytesOfOne = sizeof(Mailbox) + services::MemoryBound::kOverhead;

  Mailboxes(std::shared_ptr<const TypedInterface> interface, const QueueBounds& bounds, const ChannelParts& parts)
      : interface_(std::move(interface)), untyped_(bounds, parts.tally, services::HeldBytes(parts.hold(0))) {
    for (const auto& [name, operation] : interface_->operations())
      typed_.try_emplace(&operation, bounds, parts.tally, services::HeldBytes(parts.hold(0)));
  }
  void offer(const Event& event) override {
    const TypedOperation* const operation = interface_->find(*static_cast<const CORBA::Any*>(event.data.get()));
    (operation ? typed_.at(operation) : untyped_).offer(event);
  }
  std::size_t waiting() const override {
    std::size_t out = untyped_.waiting();
    for (const auto& [operation, box] : typed_) out += box.waiting();
    return out;
  }
  std::uint64_t discarded() const override {
    std::uint64_t out = untyped_.discarded();
    for (const auto& [operation, box] : typed_) out += box.discarded();
    return out;
  }
  void end() {
    untyped_.end();
    for (auto& [operation, box] : typed_) box.end();
  }
  Mailbox& untyped() { return untyped_; }
  Mailbox& of(const TypedOperation& operation) { return typed_.at(&operation); }

 private:
  const std::shared_ptr<const TypedInterface> interface_;
  Mailbox untyped_;
  std::map<const TypedOperation*, Mailbox> typed_;
};

// A consumer pulls from its typed supplier, or what has no type by pull().
class TypedProxyPullSupplier final : public PullSupplierProxy<POA_CosTypedEventChannelAdmin::TypedProxyPullSupplier> {
 public:
  TypedProxyPullSupplier(std::shared_ptr<Channel> channel, const TypedParts& parts,
                         std::shared_ptr<const TypedInterface> interface)
      : PullSupplierProxy(std::move(channel), kObjectBytes + interface->operations().size() * Mailboxes::kBytesOfOne),
        boxes_(std::make_shared<Mailboxes>(interface, channel_->options().lane.bounds, channel_->parts())),
        object_(parts.objects, new TypedObject(channel_->parts().orb, std::move(interface),
                                               TypedInterface::Model::Pull, serving())) {}

  CORBA::Any* pull() override {
    must_be_connected();
    return any_of(pulled(boxes_->untyped()));
  }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    must_be_connected();
    const auto event = tried(boxes_->untyped());
    has_event = event.has_value();
    return event ? any_of(*event) : new CORBA::Any;
  }
  CORBA::Object_ptr get_typed_supplier() override { return object_.reference(); }

 private:
  TypedObject::Serve serving() {
    _add_ref();
    return [this, keeps = Servant(this)](const TypedOperation& operation, CORBA::NVList_ptr arguments, bool tries) {
      when_connected([] {}, &refuse_unconnected);
      std::optional<Event> event;
      try {
        Mailbox& box = boxes_->of(operation);
        event = tries ? tried(box) : pulled(box);
      } catch (const Disconnected&) {  // which the operation does not raise
        throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the proxy was disconnected");
      }
      if (!event) return false;
      const CallisTypedEvents::Call* const call = call_in(*static_cast<const CORBA::Any*>(event->data.get()));
      for (CORBA::ULong i = 0; call && i < arguments->count(); ++i)
        *arguments->item(i)->value() = call->arguments[i].value;
      return true;
    };
  }
  void begin() override { channel_->hub().add(boxes_); }
  void stop() noexcept override {
    boxes_->end();
    channel_->hub().remove(boxes_.get());
    object_.end();
  }

  const std::shared_ptr<Mailboxes> boxes_;
  Activated object_;
};

}  // namespace

PortableServer::ServantBase* new_typed_push_consumer(const std::shared_ptr<Channel>& channel, const TypedParts& parts,
                                                     std::shared_ptr<const TypedInterface> supported, Proxy*& proxy) {
  auto* const out = new TypedProxyPushConsumer(channel, parts, std::move(supported));
  proxy = out;
  return out;
}

PortableServer::ServantBase* new_typed_pull_supplier(const std::shared_ptr<Channel>& channel, const TypedParts& parts,
                                                     std::shared_ptr<const TypedInterface> supported, Proxy*& proxy) {
  auto* const out = new TypedProxyPullSupplier(channel, parts, std::move(supported));
  proxy = out;
  return out;
}

}  // namespace callis::events
