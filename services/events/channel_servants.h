// SPDX-License-Identifier: Apache-2.0
// The objects of a channel that are there as long as it is: itself and its two admin objects (Event Service 1.2,
// 2.3.1 to 2.3.3). Any thread.
#pragma once
#include <callis/poa/servant/administrative.h>
#include <services/events/channel.h>
#include "CallisEvents_skel.h"

namespace callis::events {

class Service;

// Skeleton: POA_CallisEvents::ConsumerAdmin, or the one of an interface derived from that.
template <class Skeleton>
class ConsumerAdminOf : public Skeleton {
 public:
  explicit ConsumerAdminOf(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  CosEventChannelAdmin::ProxyPushSupplier_ptr obtain_push_supplier() override {
    return push_supplier(channel_->add(ProxyKind::PushSupplier));
  }
  CosEventChannelAdmin::ProxyPullSupplier_ptr obtain_pull_supplier() override {
    return pull_supplier(channel_->add(ProxyKind::PullSupplier));
  }
  CosEventChannelAdmin::ProxyPushSupplier_ptr obtain_named_push_supplier(const char* name) override {
    return push_supplier(channel_->add_named(ProxyKind::PushSupplier, name));
  }
  CosEventChannelAdmin::ProxyPullSupplier_ptr obtain_named_pull_supplier(const char* name) override {
    return pull_supplier(channel_->add_named(ProxyKind::PullSupplier, name));
  }
  CallisEvents::Names* consumers() override { return new CallisEvents::Names(channel_->names()); }
  void forget(const char* name) override { channel_->forget_name(name); }

 protected:
  static CosEventChannelAdmin::ProxyPushSupplier_ptr push_supplier(const CORBA::Object_var& proxy) {
    return CosEventChannelAdmin::ProxyPushSupplier::_unchecked_narrow(proxy.in());
  }
  static CosEventChannelAdmin::ProxyPullSupplier_ptr pull_supplier(const CORBA::Object_var& proxy) {
    return CosEventChannelAdmin::ProxyPullSupplier::_unchecked_narrow(proxy.in());
  }
  const std::shared_ptr<Channel> channel_;
};
using ConsumerAdminServant = ConsumerAdminOf<POA_CallisEvents::ConsumerAdmin>;

// The same of POA_CosEventChannelAdmin::SupplierAdmin.
template <class Skeleton>
class SupplierAdminOf : public Skeleton {
 public:
  explicit SupplierAdminOf(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  CosEventChannelAdmin::ProxyPushConsumer_ptr obtain_push_consumer() override {
    return CosEventChannelAdmin::ProxyPushConsumer::_unchecked_narrow(channel_->add(ProxyKind::PushConsumer).in());
  }
  CosEventChannelAdmin::ProxyPullConsumer_ptr obtain_pull_consumer() override {
    return CosEventChannelAdmin::ProxyPullConsumer::_unchecked_narrow(channel_->add(ProxyKind::PullConsumer).in());
  }

 protected:
  const std::shared_ptr<Channel> channel_;
};
using SupplierAdminServant = SupplierAdminOf<POA_CosEventChannelAdmin::SupplierAdmin>;

class ChannelServant final : public poa::Administrative<POA_CosEventChannelAdmin::EventChannel> {
 public:
  ChannelServant(Service& service, std::string name, CORBA::Object_ptr consumers, CORBA::Object_ptr suppliers)
      : service_(service), name_(std::move(name)),
        consumers_(CosEventChannelAdmin::ConsumerAdmin::_unchecked_narrow(consumers)),
        suppliers_(CosEventChannelAdmin::SupplierAdmin::_unchecked_narrow(suppliers)) {}
  CosEventChannelAdmin::ConsumerAdmin_ptr for_consumers() override {
    return CosEventChannelAdmin::ConsumerAdmin::_duplicate(consumers_.in());
  }
  CosEventChannelAdmin::SupplierAdmin_ptr for_suppliers() override {
    return CosEventChannelAdmin::SupplierAdmin::_duplicate(suppliers_.in());
  }
  void destroy() override;

 private:
  Service& service_;
  const std::string name_;
  const CosEventChannelAdmin::ConsumerAdmin_var consumers_;
  const CosEventChannelAdmin::SupplierAdmin_var suppliers_;
};

}  // namespace callis::events
