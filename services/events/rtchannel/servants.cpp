// SPDX-License-Identifier: Apache-2.0
// The IDL's operations, in terms of channels and of the service.
#include <callis/base/text.h>
#include <services/events/rtchannel/servants.h>
#include <services/events/rtchannel/service.h>

namespace callis::rtevents {

namespace admin = RtecEventChannelAdmin;

admin::ProxyPushSupplier_ptr ConsumerAdminServant::obtain_push_supplier() {
  const CORBA::Object_var made = channel_->add_consumer(channel_->usual_terms());
  return admin::ProxyPushSupplier::_unchecked_narrow(made.in());
}

CallisRealTimeEvents::ProxyPushSupplier_ptr ConsumerAdminServant::obtain_push_supplier_with(
    const CallisRealTimeEvents::ConsumerTerms& terms) {
  const CORBA::Object_var made = channel_->add_consumer(channel_->checked(terms));
  return CallisRealTimeEvents::ProxyPushSupplier::_unchecked_narrow(made.in());
}

char* ConsumerAdminServant::why_refused(const admin::ConsumerQOS& qos) {
  std::string why_not;
  std::vector<std::int32_t> priorities;
  const Asked wanted = asked(qos, channel_->options().qos, why_not);
  if (why_not.empty()) (void)channel_->priorities_of(wanted, channel_->usual_terms(), priorities, why_not);
  return CORBA::string_dup(why_not.c_str());
}

admin::ProxyPushConsumer_ptr SupplierAdminServant::obtain_push_consumer() {
  const CORBA::Object_var made = channel_->add_supplier();
  return admin::ProxyPushConsumer::_unchecked_narrow(made.in());
}

ChannelServant::ChannelServant(Service& service, std::shared_ptr<Channel> channel, CORBA::Object_ptr consumers,
                               CORBA::Object_ptr suppliers)
    : service_(service), channel_(std::move(channel)),
      consumers_(admin::ConsumerAdmin::_unchecked_narrow(consumers)),
      suppliers_(admin::SupplierAdmin::_unchecked_narrow(suppliers)) {}

admin::ConsumerAdmin_ptr ChannelServant::for_consumers() { return admin::ConsumerAdmin::_duplicate(consumers_.in()); }
admin::SupplierAdmin_ptr ChannelServant::for_suppliers() { return admin::SupplierAdmin::_duplicate(suppliers_.in()); }
void ChannelServant::destroy() { service_.destroy(channel_->name()); }
char* ChannelServant::id() { return CORBA::string_dup(channel_->id().c_str()); }
CallisRealTimeEvents::ChannelState* ChannelServant::state() {
  return new CallisRealTimeEvents::ChannelState(channel_->state());
}

CallisRealTimeEvents::EventChannel_ptr FactoryServant::create(const char* name) {
  return service_.make(name)._retn();
}

CallisRealTimeEvents::EventChannel_ptr FactoryServant::find(const char* name) {
  CallisRealTimeEvents::EventChannel_var out = service_.find(name);
  if (CORBA::is_nil(out.in()))
    throw CallisRealTimeEvents::Refused(concat({"there is no real-time channel '", name, "'"}).c_str());
  return out._retn();
}

CallisRealTimeEvents::ChannelStates* FactoryServant::list() {
  return new CallisRealTimeEvents::ChannelStates(service_.list());
}

}  // namespace callis::rtevents
