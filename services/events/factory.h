// SPDX-License-Identifier: Apache-2.0
// FactoryServant: the factory of channels, as clients of omniEvents know it. Criteria, by omniEvents' names: InsName,
// the channel's name; MaxQueueLength (and MaxEventsPerConsumer), MaxNumProxies, PullRetryPeriod_ms, FilterId.
// CyclePeriod_ns is taken and means nothing: events are passed on at once. Any thread.
#pragma once
#include <callis/poa/servant/administrative.h>
#include <services/events/service.h>
#include "CallisEvents_skel.h"

namespace callis::events {

class FactoryServant final : public poa::Administrative<POA_CallisEvents::EventChannelFactory> {
 public:
  explicit FactoryServant(Service& service) : service_(service) {}

  CORBA::Boolean supports(const CosNaming::Name& k) override;
  CORBA::Object_ptr create_object(const CosNaming::Name& k, const CosLifeCycle::Criteria& the_criteria) override;
  CORBA::Boolean is_alive() override { return true; }
  CosEventChannelAdmin::EventChannel_ptr create_channel(const char* channel_name) override;
  CosEventChannelAdmin::EventChannel_ptr join_channel(const char* channel_name) override;
  CallisEvents::ChannelStates* list() override;

 private:
  Service& service_;
};

}  // namespace callis::events
