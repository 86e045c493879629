// SPDX-License-Identifier: Apache-2.0
// A service of real-time channels and a client of it, in two ORBs of the process, over sockets; the client's
// consumers.
#pragma once
#include <callis/base/testing/soon.h>
#include <callis/rt.h>
#include <services/common/testing/orbs.h>
#include <services/events/rtchannel/service.h>
#include <services/events/testing/watched.h>
#include <atomic>
#include <string>
#include <thread>
#include <vector>
#include "CallisRealTimeEvents.h"
#include "RtecEventComm_skel.h"

namespace callis::rtevents::testing {

namespace comm = RtecEventComm;
namespace admin = RtecEventChannelAdmin;
namespace own = CallisRealTimeEvents;
using events::testing::kLong;
using events::testing::Watched;

inline comm::Event event(CORBA::Long source, CORBA::Long type, CORBA::Long number = 0, CORBA::Long ttl = 1) {
  comm::Event out;
  out.header.source = source;
  out.header.type = type;
  out.header.ttl = ttl;
  out.header.creation_time = 0;
  out.data.pad1 = number;
  return out;
}

// The requests of a consumer, in the calls of TAO's ConsumerQOS factories.
class Qos {
 public:
  Qos& group(CORBA::Long designator, CORBA::Long rt_info = 0) { return add(0, designator, 0, rt_info); }
  Qos& conjunction(CORBA::Long rt_info = 0) { return group(comm::CONJUNCTION_DESIGNATOR, rt_info); }
  Qos& disjunction(CORBA::Long rt_info = 0) { return group(comm::DISJUNCTION_DESIGNATOR, rt_info); }
  Qos& on(CORBA::Long source, CORBA::Long type, CORBA::Long rt_info = 0) { return add(source, type, 0, rt_info); }
  Qos& every(std::chrono::milliseconds time) { return add(0, comm::INTERVAL_TIMEOUT, time.count(), 0); }
  Qos& within(std::chrono::milliseconds time) { return add(0, comm::DEADLINE_TIMEOUT, time.count(), 0); }
  Qos& add(CORBA::Long source, CORBA::Long type, long milliseconds, CORBA::Long rt_info, CORBA::Long ttl = 0) {
    qos.dependencies.length(qos.dependencies.length() + 1);
    admin::Dependency& last = qos.dependencies[qos.dependencies.length() - 1];
    last.event = event(source, type, 0, ttl);
    last.event.header.creation_time = static_cast<comm::Time>(milliseconds) * 10'000;
    last.rt_info = rt_info;
    return *this;
  }
  operator const admin::ConsumerQOS&() const { return qos; }
  admin::ConsumerQOS qos{{}, false};
};

// Keeps what is pushed to it: sets, as numbers (EventData::pad1), a timeout as -type. hold(): calls do not return.
class Consumer : public POA_RtecEventComm::PushConsumer {
 public:
  using Numbers = std::vector<CORBA::Long>;
  Watched<std::vector<Numbers>> got;
  Watched<int> disconnected, inside;
  Watched<bool> held;
  Watched<CORBA::Long> last_ttl;
  std::function<void()> also;  // within push()

  void push(const comm::EventSet& data) override {
    inside.change([](int& n) { ++n; });
    held.wait([](bool is) { return !is; });
    Numbers numbers;
    for (CORBA::ULong i = 0; i < data.length(); ++i) {
      const bool timeout = data[i].header.type < comm::UNDEFINED_TYPE;
      numbers.push_back(timeout ? -data[i].header.type : data[i].data.pad1);
      last_ttl.change([&](CORBA::Long& to) { to = data[i].header.ttl; });
    }
    if (also) also();
    got.change([&](auto& all) { all.push_back(std::move(numbers)); });
  }
  void disconnect_push_consumer() override { disconnected.change([](int& n) { ++n; }); }

  void hold(bool is) {
    held.change([is](bool& to) { to = is; });
  }
  bool has_got(const std::vector<Numbers>& wanted) {
    return got.wait([&](const auto& all) { return all.size() >= wanted.size(); }) && got.value() == wanted;
  }
};

class Supplier : public POA_RtecEventComm::PushSupplier {
 public:
  Watched<int> disconnected;
  void disconnect_push_supplier() override { disconnected.change([](int& n) { ++n; }); }
};

inline CORBA::ORB_var new_orb(std::vector<std::string> words, const std::string& id) {
  // Priorities are numbers, so that tests are alike whatever the process may do.
  words.insert(words.begin(), {"-ORBRealTime", "off"});
  return services::testing::new_orb(std::move(words), id);
}

inline PortableServer::POA_var root_of(CORBA::ORB_ptr of) {
  const CORBA::Object_var object = of->resolve_initial_references("RootPOA");
  return PortableServer::POA::_narrow(object.in());
}

// Options that are quick enough for tests: pauses of milliseconds.
inline ServiceOptions quick() {
  ServiceOptions out;
  out.channel.deadline = std::chrono::milliseconds(500);
  out.channel.subscriber.first_pause = out.channel.subscriber.longest_pause = std::chrono::milliseconds(1);
  out.gateway.look = out.gateway.first_pause = out.gateway.longest_pause = std::chrono::milliseconds(2);
  out.gateway.check = std::chrono::milliseconds(20);
  out.lanes = {{0, 2}, {50, 2}};
  return out;
}

struct Serving {
  services::Counters counters;
  CORBA::ORB_var orb, client;
  PortableServer::POA_var client_poa;
  std::unique_ptr<Service> service;
  own::EventChannel_var channel;  // "test", as the client sees it
  std::string channel_ior;

  explicit Serving(const ServiceOptions& options = quick()) {
    static std::atomic<int> count;
    const std::string id = "rtevents-" + std::to_string(++count);
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-server");
    client = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-client");
    const PortableServer::POA_var poa = root_of(orb.in());
    try {
      service = std::make_unique<Service>(orb.in(), poa.in(), counters, options);
    } catch (...) {
      client->destroy();
      orb->destroy();
      throw;
    }
    const auto made = service->make("test");
    channel_ior = CORBA::String_var(orb->object_to_string(made.in())).in();
    channel = seen<own::EventChannel>(made.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    client_poa = root_of(client.in());
    PortableServer::POAManager_var(client_poa->the_POAManager())->activate();
  }
  ~Serving() { end(); }
  void end() {
    if (!service) return;
    channel = own::EventChannel::_nil();
    service->stop();
    client->destroy();
    service.reset();
    orb->destroy();
  }

  // A reference of the service's, in the client.
  template <class X>
  classic::ReferenceVar<X> seen(CORBA::Object_ptr of_service) {
    const CORBA::String_var text = orb->object_to_string(of_service);
    const CORBA::Object_var object = client->string_to_object(text.in());
    return X::_narrow(object.in());
  }
  own::ConsumerAdmin_var consumers(own::EventChannel_ptr of = nullptr) {
    const admin::ConsumerAdmin_var plain = (of ? of : channel.in())->for_consumers();
    return own::ConsumerAdmin::_narrow(plain.in());
  }
  admin::ProxyPushConsumer_var push_consumer() {
    const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
    return suppliers->obtain_push_consumer();
  }
  // A servant of the client's, which lives as long as this.
  template <class X>
  X& make() {
    X* const out = new X;
    servants_.emplace_back(out);
    return *out;
  }
  template <class X>
  classic::ReferenceVar<X> reference_of(PortableServer::ServantBase& servant) {
    const CORBA::Object_var object = client_poa->servant_to_reference(&servant);
    return X::_narrow(object.in());
  }
  own::ProxyPushSupplier_var connect(Consumer& consumer, const admin::ConsumerQOS& qos) {
    const admin::ProxyPushSupplier_var out = consumers()->obtain_push_supplier();
    out->connect_push_consumer(reference_of<comm::PushConsumer>(consumer).in(), qos);
    return own::ProxyPushSupplier::_narrow(out.in());
  }
  own::ProxyPushSupplier_var connect(Consumer& consumer, const admin::ConsumerQOS& qos,
                                     const own::ConsumerTerms& terms) {
    own::ProxyPushSupplier_var out = consumers()->obtain_push_supplier_with(terms);
    out->connect_push_consumer(reference_of<comm::PushConsumer>(consumer).in(), qos);
    return out;
  }
  static own::ConsumerTerms terms(CORBA::Short priority, CORBA::ULong sets = 0,
                                  own::Overflow policy = own::DISCARD_OLDEST) {
    own::ConsumerTerms out;
    out.priority = priority;
    out.sets = sets;
    out.bytes = 0;
    out.policy = policy;
    return out;
  }
  // A supplier that may send anything, connected.
  admin::ProxyPushConsumer_var pushing() {
    admin::ProxyPushConsumer_var out = push_consumer();
    out->connect_push_supplier(comm::PushSupplier::_nil(), admin::SupplierQOS{{}, false});
    return out;
  }
  // Waits until the channel has it: its exceptions are seen.
  void push(admin::ProxyPushConsumer_ptr to, std::vector<comm::Event> events) {
    comm::EventSet set;
    set.length(static_cast<CORBA::ULong>(events.size()));
    for (CORBA::ULong i = 0; i < set.length(); ++i) set[i] = events[i];
    CORBA::Any value;
    value <<= Messaging::SYNC_WITH_TARGET;
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
    const CORBA::Object_var object = to->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
    admin::ProxyPushConsumer_var(admin::ProxyPushConsumer::_unchecked_narrow(object.in()))->push(set);
  }
  std::int64_t counted(const std::string& name) {
    for (const auto& v : counters.values())
      if (v.name == name) return v.number;
    return -1;
  }
  // Whether a counter comes to a value: it is asked until it does.
  bool comes_to(const std::string& name, std::int64_t wanted) {
    return callis::testing::soon([&] { return counted(name) == wanted; });
  }

 private:
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> servants_;
};

}  // namespace callis::rtevents::testing
