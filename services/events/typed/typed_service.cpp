// SPDX-License-Identifier: Apache-2.0
// The admin objects of typed channels, and the channels by their names.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/events/channel_servants.h>
#include <services/events/typed/typed_service.h>
#include "CallisTypedConsumerAdmin_skel.h"
#include "CosTypedEventChannelAdmin_skel.h"

namespace callis::events {

namespace {

namespace admin = CosTypedEventChannelAdmin;
using Model = TypedInterface::Model;
using Interface = std::shared_ptr<const TypedInterface>;

// The common part of both admin objects.
struct Face {
  std::shared_ptr<Channel> channel;
  CORBA::Repository_ptr repository;
  TypedParts parts;
  const std::set<std::string>& called;  // outlives this, as the next
  TypedInterfaces& interfaces;

  template <class Refusal>
  Interface interface(const char* key, Model model) const {
    try {
      return interfaces.get(repository, key, model);
    } catch (const NoEvents& e) {
      log(LogLevel::Info, {"events: typed channel ", channel->name(), ": '", key, "' is refused: ", e.why});
      throw Refusal();
    }
  }
  // The same of one by whose operations consumers or suppliers are called.
  Interface called_interface(const char* key, Model model) const {
    if (!called.empty() && !called.contains(key)) {
      log(LogLevel::Info, {"events: typed channel ", channel->name(), ": '", key,
                           "' is refused: --typed-interface does not name it"});
      throw admin::NoSuchImplementation();
    }
    return interface<admin::NoSuchImplementation>(key, model);
  }
};

using SupplierAdminBase = SupplierAdminOf<POA_CosTypedEventChannelAdmin::TypedSupplierAdmin>;
class TypedSupplierAdminServant final : public SupplierAdminBase {
 public:
  explicit TypedSupplierAdminServant(Face face) : SupplierAdminBase(face.channel), face_(std::move(face)) {}

  admin::TypedProxyPushConsumer_ptr obtain_typed_push_consumer(const char* supported_interface) override {
    const auto interface = face_.interface<admin::InterfaceNotSupported>(supported_interface, Model::Push);
    const CORBA::Object_var out = channel_->add(
        [&](Proxy*& proxy) { return new_typed_push_consumer(channel_, face_.parts, interface, proxy); });
    return admin::TypedProxyPushConsumer::_unchecked_narrow(out.in());
  }
  CosEventChannelAdmin::ProxyPullConsumer_ptr obtain_typed_pull_consumer(const char* uses_interface) override {
    const auto interface = face_.called_interface(uses_interface, Model::Pull);
    for (const auto& [name, operation] : interface->operations()) {
      if (operation.tries) continue;
      log(LogLevel::Info, {"events: typed channel ", channel_->name(), ": '", uses_interface,
                           "' is refused: it has no operation try_pull_", name});
      throw admin::NoSuchImplementation();
    }
    const CORBA::Object_var out =
        channel_->add([&](Proxy*& proxy) { return new_typed_pull_consumer(channel_, interface, proxy); });
    return CosEventChannelAdmin::ProxyPullConsumer::_unchecked_narrow(out.in());
  }

 private:
  const Face face_;
};

using ConsumerAdminBase = ConsumerAdminOf<POA_CallisTypedEvents::ConsumerAdmin>;
class TypedConsumerAdminServant final : public ConsumerAdminBase {
 public:
  explicit TypedConsumerAdminServant(Face face) : ConsumerAdminBase(face.channel), face_(std::move(face)) {}

  admin::TypedProxyPullSupplier_ptr obtain_typed_pull_supplier(const char* supported_interface) override {
    const auto interface = face_.interface<admin::InterfaceNotSupported>(supported_interface, Model::Pull);
    const CORBA::Object_var out = channel_->add(
        [&](Proxy*& proxy) { return new_typed_pull_supplier(channel_, face_.parts, interface, proxy); });
    return admin::TypedProxyPullSupplier::_unchecked_narrow(out.in());
  }
  CosEventChannelAdmin::ProxyPushSupplier_ptr obtain_typed_push_supplier(const char* uses_interface) override {
    const auto interface = face_.called_interface(uses_interface, Model::Push);
    return push_supplier(
        channel_->add([&](Proxy*& proxy) { return new_typed_push_supplier(channel_, interface, proxy); }));
  }
  CosEventChannelAdmin::ProxyPushSupplier_ptr obtain_named_typed_push_supplier(const char* uses_interface,
                                                                               const char* name) override {
    const auto interface = face_.called_interface(uses_interface, Model::Push);
    return push_supplier(channel_->add_named(name, [&](Proxy*& proxy) {
      return new_named_typed_push_supplier(channel_, name, interface, proxy);
    }));
  }

 private:
  const Face face_;
};

class TypedChannelServant final : public poa::Administrative<POA_CosTypedEventChannelAdmin::TypedEventChannel> {
 public:
  TypedChannelServant(TypedService& service, std::string name, CORBA::Object_ptr consumers,
                      CORBA::Object_ptr suppliers)
      : service_(service), name_(std::move(name)),
        consumers_(admin::TypedConsumerAdmin::_unchecked_narrow(consumers)),
        suppliers_(admin::TypedSupplierAdmin::_unchecked_narrow(suppliers)) {}
  admin::TypedConsumerAdmin_ptr for_consumers() override {
    return admin::TypedConsumerAdmin::_duplicate(consumers_.in());
  }
  admin::TypedSupplierAdmin_ptr for_suppliers() override {
    return admin::TypedSupplierAdmin::_duplicate(suppliers_.in());
  }
  void destroy() override { service_.destroy(name_); }

 private:
  TypedService& service_;
  const std::string name_;
  const admin::TypedConsumerAdmin_var consumers_;
  const admin::TypedSupplierAdmin_var suppliers_;
};

// Calls to it have a deadline.
CORBA::Repository_ptr limited(CORBA::Object_ptr repository, std::chrono::milliseconds limit) {
  if (CORBA::is_nil(repository)) return CORBA::Repository::_nil();
  const CORBA::Object_var object = deadline(repository, limit);
  return CORBA::Repository::_unchecked_narrow(object.in());
}

std::string key_of(const std::string& name) { return name + "/typed"; }

}  // namespace

TypedService::TypedService(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, Service& plain,
                           CORBA::Object_ptr repository, std::set<std::string> called)
    : plain_(plain), repository_(limited(repository, plain.options().channel.deadline)), called_(std::move(called)),
      interfaces_(plain.options().memory), objects_(orb, root_poa, "TypedEvents") {}

admin::TypedEventChannel_var TypedService::make(const std::string& name) {
  using Why = CannotMake::Why;
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<Channel> channel = plain_.channel(name);
  if (!channel) throw CannotMake{Why::BadName, concat({"there is no channel '", name, "'"})};
  if (!names_.insert(name).second)
    throw CannotMake{Why::Exists, concat({"there is a typed channel '", name, "' already"})};
  const Face face{channel, repository_.in(), {objects_.proxies()}, called_, interfaces_};
  const CORBA::Object_var consumers =
      objects_.activate(ChannelObjects::kConsumers, name, new TypedConsumerAdminServant(face));
  const CORBA::Object_var suppliers =
      objects_.activate(ChannelObjects::kSuppliers, name, new TypedSupplierAdminServant(face));
  const CORBA::Object_var object = objects_.activate(
      ChannelObjects::kChannel, name, new TypedChannelServant(*this, name, consumers.in(), suppliers.in()));
  if (std::string why = objects_.be_reached_by_key(key_of(name), object.in()); !why.empty()) {
    objects_.deactivate(name);
    names_.erase(name);
    throw CannotMake{Why::BadName, std::move(why)};
  }
  return admin::TypedEventChannel::_unchecked_narrow(object.in());
}

void TypedService::stop() {
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names_) objects_.forget_key(key_of(name));
    names_.clear();
  }
  objects_.destroy();
}

bool TypedService::destroy(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (names_.erase(name) == 0) return false;
    objects_.forget_key(key_of(name));
    objects_.deactivate(name);
  }
  plain_.destroy(name);
  return true;
}

}  // namespace callis::events
