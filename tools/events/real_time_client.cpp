// SPDX-License-Identifier: Apache-2.0
// Events with headers, to and from real-time channels, and the channels of a factory.
#include <services/programs/usage.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <tools/events/real_time_client.h>
#include <atomic>
#include <cstdio>
#include <iostream>
#include <mutex>
#include "CallisRealTimeEvents.h"
#include "RtecEventComm_skel.h"

namespace callis::events {

namespace {

namespace comm = RtecEventComm;
namespace admin = RtecEventChannelAdmin;

comm::EventSet event_of(const ClientParts& parts, const std::string& text) {
  comm::EventSet out;
  out.length(1);
  comm::EventHeader& header = out[0].header;
  header.source = static_cast<CORBA::Long>(parts.arguments.source);
  header.type = static_cast<CORBA::Long>(parts.arguments.type);
  header.ttl = static_cast<CORBA::Long>(parts.arguments.ttl);
  // TimeBase::TimeT counts from 1582-10-15.
  constexpr comm::Time kTo1970 = 0x01B2'1DD2'1381'4000;
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  header.creation_time = kTo1970 + static_cast<comm::Time>(now.count()) / 100;
  out[0].data.pad1 = 0;
  out[0].data.any_value = parts.event(text);
  return out;
}

std::string hex(const comm::EventPayload& payload) {
  std::string out;
  for (CORBA::ULong i = 0; i < payload.length(); ++i) {
    out += "0123456789abcdef"[payload[i] >> 4];
    out += "0123456789abcdef"[payload[i] & 15];
  }
  return out;
}

class Consumer final : public POA_RtecEventComm::PushConsumer {
 public:
  explicit Consumer(const ClientParts& parts) : parts_(parts) {}

  void push(const comm::EventSet& data) override {
    const std::lock_guard lock(mutex_);
    for (CORBA::ULong i = 0; i < data.length(); ++i) {
      if (parts_.arguments.count != 0 && printed_ >= parts_.arguments.count) return;
      print(data[i]);
      if (++printed_ == parts_.arguments.count) end();
    }
  }
  void disconnect_push_consumer() override {
    disconnected_ = true;
    end();
  }
  bool disconnected() const { return disconnected_; }

 private:
  void print(const comm::Event& event) {
    std::printf("{\"source\":%d,\"type\":%d,\"ttl\":%d,\"value\":%s", event.header.source, event.header.type,
                event.header.ttl, parts_.shown(event.data.any_value).c_str());
    if (event.data.payload.length() != 0) std::printf(",\"payload\":\"%s\"", hex(event.data.payload).c_str());
    std::printf("}\n");
    std::fflush(stdout);
  }
  void end() {
    try {
      parts_.orb->shutdown(false);
    } catch (const CORBA::SystemException&) {}
  }

  const ClientParts& parts_;
  std::mutex mutex_;
  std::uint64_t printed_ = 0;
  std::atomic<bool> disconnected_{false};
};

}  // namespace

bool is_real_time_channel(CORBA::Object_ptr object) {
  return object->_is_a(admin::EventChannel::_repository_id());
}

int push_real_time(CORBA::Object_ptr object, const ClientParts& parts) {
  const admin::EventChannel_var channel = admin::EventChannel::_unchecked_narrow(object);
  const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
  const admin::ProxyPushConsumer_var plain = suppliers->obtain_push_consumer();
  plain->connect_push_supplier(comm::PushSupplier::_nil(), admin::SupplierQOS{});
  CORBA::Any value;
  value <<= Messaging::SYNC_WITH_TARGET;  // so that it is told of what is refused
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = parts.orb->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
  const CORBA::Object_var confirmed = plain->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  const admin::ProxyPushConsumer_var to = admin::ProxyPushConsumer::_unchecked_narrow(confirmed.in());
  const auto send = [&](const std::string& text) { to->push(event_of(parts, text)); };
  try {
    for (const std::string& word : parts.arguments.words) send(word);
    if (parts.arguments.words.empty())
      for (std::string line; std::getline(std::cin, line);) send(line);
  } catch (...) {
    to->disconnect_push_consumer();
    throw;
  }
  to->disconnect_push_consumer();
  return 0;
}

int watch_real_time(CORBA::Object_ptr object, const ClientParts& parts) {
  const admin::EventChannel_var channel = admin::EventChannel::_unchecked_narrow(object);
  const CORBA::Object_var root = parts.orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::Servant_var<Consumer> servant = new Consumer(parts);
  const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  const comm::PushConsumer_var consumer = comm::PushConsumer::_unchecked_narrow(reference.in());
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  admin::ConsumerQOS qos{};
  qos.dependencies.length(1);
  qos.dependencies[0].event.header = {static_cast<CORBA::Long>(parts.arguments.type),
                                      static_cast<CORBA::Long>(parts.arguments.source), 0, 0};
  const admin::ConsumerAdmin_var consumers = channel->for_consumers();
  const admin::ProxyPushSupplier_var from = consumers->obtain_push_supplier();
  shutdown_on_signals(parts.orb);
  const CORBA::String_var proxy = parts.orb->object_to_string(from.in());
  from->connect_push_consumer(consumer.in(), qos);
  std::fprintf(stderr, "callis events: connected\n");
  parts.orb->run();
  if (servant->disconnected()) {
    std::fprintf(stderr, "callis events: the channel has disconnected this consumer, or was destroyed\n");
    return kUserException;
  }
  try {  // where that fails, the channel will notice
    const CORBA::ORB_var orb = parts.another_orb();
    const CORBA::Object_var at = orb->string_to_object(proxy.in());
    admin::ProxyPushSupplier_var(admin::ProxyPushSupplier::_unchecked_narrow(at.in()))->disconnect_push_supplier();
    orb->destroy();
  } catch (const CORBA::Exception&) {}
  return 0;
}

std::optional<tools::Tree> list_real_time(CORBA::Object_ptr object) {
  const auto factory = CallisRealTimeEvents::EventChannelFactory_var(
      CallisRealTimeEvents::EventChannelFactory::_narrow(object));
  if (CORBA::is_nil(factory.in())) return std::nullopt;
  const CallisRealTimeEvents::ChannelStates_var states = factory->list();
  tools::Tree all = tools::Tree::list("channels");
  for (CORBA::ULong i = 0; i < states->length(); ++i) {
    const CallisRealTimeEvents::ChannelState& s = states[i];
    tools::Tree one = tools::Tree::object("channel", programs::escaped(s.name.in()));
    one.add(tools::Tree::text("name", programs::escaped(s.name.in())).in_json_only());
    one.add(tools::Tree::count("received", s.received));
    one.add(tools::Tree::count("refused", s.refused));
    one.add(tools::Tree::count("delivered", s.delivered));
    one.add(tools::Tree::count("discarded", s.discarded));
    one.add(tools::Tree::count("waiting", s.waiting));
    one.add(tools::Tree::count("suppliers", s.suppliers));
    one.add(tools::Tree::count("consumers", s.consumers));
    all.add(std::move(one));
  }
  return all;
}

}  // namespace callis::events
