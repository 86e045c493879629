// SPDX-License-Identifier: Apache-2.0
// The objects of a channel that are there as long as it is, itself and its two admin objects; and the factory. Any
// thread.
#pragma once
#include <callis/poa/servant/administrative.h>
#include <services/events/rtchannel/channel.h>
#include "CallisRealTimeEvents_skel.h"

namespace callis::rtevents {

class Service;

class ConsumerAdminServant final : public POA_CallisRealTimeEvents::ConsumerAdmin {
 public:
  explicit ConsumerAdminServant(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  RtecEventChannelAdmin::ProxyPushSupplier_ptr obtain_push_supplier() override;
  CallisRealTimeEvents::ProxyPushSupplier_ptr obtain_push_supplier_with(
      const CallisRealTimeEvents::ConsumerTerms& terms) override;
  char* why_refused(const RtecEventChannelAdmin::ConsumerQOS& qos) override;

 private:
  const std::shared_ptr<Channel> channel_;
};

class SupplierAdminServant final : public POA_RtecEventChannelAdmin::SupplierAdmin {
 public:
  explicit SupplierAdminServant(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  RtecEventChannelAdmin::ProxyPushConsumer_ptr obtain_push_consumer() override;

 private:
  const std::shared_ptr<Channel> channel_;
};

class ChannelServant final : public poa::Administrative<POA_CallisRealTimeEvents::EventChannel> {
 public:
  ChannelServant(Service& service, std::shared_ptr<Channel> channel, CORBA::Object_ptr consumers,
                 CORBA::Object_ptr suppliers);
  RtecEventChannelAdmin::ConsumerAdmin_ptr for_consumers() override;
  RtecEventChannelAdmin::SupplierAdmin_ptr for_suppliers() override;
  void destroy() override;
  char* id() override;
  CallisRealTimeEvents::ChannelState* state() override;

 private:
  Service& service_;
  const std::shared_ptr<Channel> channel_;
  const RtecEventChannelAdmin::ConsumerAdmin_var consumers_;
  const RtecEventChannelAdmin::SupplierAdmin_var suppliers_;
};

class FactoryServant final : public poa::Administrative<POA_CallisRealTimeEvents::EventChannelFactory> {
 public:
  explicit FactoryServant(Service& service) : service_(service) {}
  CallisRealTimeEvents::EventChannel_ptr create(const char* name) override;
  CallisRealTimeEvents::EventChannel_ptr find(const char* name) override;
  CallisRealTimeEvents::ChannelStates* list() override;

 private:
  Service& service_;
};

}  // namespace callis::rtevents
