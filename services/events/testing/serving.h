// SPDX-License-Identifier: Apache-2.0
// An event service and a client of it, in two ORBs of the process, over sockets; the client's consumers, suppliers.
#pragma once
#include <services/common/testing/orbs.h>
#include <services/events/service.h>
#include <services/events/testing/watched.h>
#include <deque>
#include <string>
#include <vector>
#include "CosEventChannelAdmin_skel.h"
#include "CosEventComm_skel.h"

namespace callis::events::testing {

namespace comm = CosEventComm;
namespace admin = CosEventChannelAdmin;

inline CORBA::Any any_of(CORBA::Long n) {
  CORBA::Any out;
  out <<= n;
  return out;
}
inline CORBA::Long number_in(const CORBA::Any& any) {
  CORBA::Long out = -1;
  return (any >>= out) ? out : -1;
}

// Keeps what is pushed to it. hold(): its calls do not return, until let_go().
class Consumer : public POA_CosEventComm::PushConsumer {
 public:
  Watched<std::vector<CORBA::Long>> got;
  Watched<int> disconnected, inside;
  Watched<bool> held;
  std::function<void(CORBA::Long)> also;  // within push()

  void push(const CORBA::Any& data) override {
    inside.change([](int& n) { ++n; });
    held.wait([](bool is) { return !is; });
    const CORBA::Long n = number_in(data);
    if (also) also(n);
    got.change([&](auto& all) { all.push_back(n); });
  }
  void disconnect_push_consumer() override { disconnected.change([](int& n) { ++n; }); }

  bool has_got(const std::vector<CORBA::Long>& wanted) {
    return got.wait([&](const auto& all) { return all.size() >= wanted.size(); }) && got.value() == wanted;
  }
};

// Gives what is put into it to who pulls.
class Supplier : public POA_CosEventComm::PullSupplier {
 public:
  Watched<std::deque<CORBA::Long>> has;
  Watched<int> disconnected, asked;

  CORBA::Any* pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    CORBA::Any_var out = new CORBA::Any;
    has_event = false;
    has.change([&](auto& all) {
      if (all.empty()) return;
      out.inout() = any_of(all.front());
      all.pop_front();
      has_event = true;
    });
    asked.change([](int& n) { ++n; });
    return out._retn();
  }
  void disconnect_pull_supplier() override { disconnected.change([](int& n) { ++n; }); }
};

class PushSupplier : public POA_CosEventComm::PushSupplier {
 public:
  Watched<int> disconnected;
  void disconnect_push_supplier() override { disconnected.change([](int& n) { ++n; }); }
};
class PullConsumer : public POA_CosEventComm::PullConsumer {
 public:
  Watched<int> disconnected;
  void disconnect_pull_consumer() override { disconnected.change([](int& n) { ++n; }); }
};

using services::testing::new_orb;

// Options that are quick enough for tests: pauses of milliseconds.
inline ServiceOptions quick() {
  ServiceOptions out;
  out.channel.deadline = std::chrono::milliseconds(300);
  out.channel.lane.first_pause = out.channel.lane.longest_pause = std::chrono::milliseconds(1);
  out.channel.poll.first_pause = std::chrono::milliseconds(1);
  out.channel.poll.longest_pause = std::chrono::milliseconds(8);
  return out;
}

struct Serving {
  services::Counters counters;
  CORBA::ORB_var orb, client;
  PortableServer::POA_var client_poa;
  std::unique_ptr<Service> service;
  std::string factory_ior;
  admin::EventChannel_var channel;  // "test", as the client sees it

  explicit Serving(const ServiceOptions& options = quick()) {
    static std::atomic<int> count;
    const std::string id = "events-" + std::to_string(++count);
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-server");
    client = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-client");
    const PortableServer::POA_var poa = root_of(orb.in());
    service = std::make_unique<Service>(orb.in(), poa.in(), counters, options);
    const auto factory = service->reference();
    factory_ior = CORBA::String_var(orb->object_to_string(factory.in())).in();
    const auto made = service->make("test");
    channel = seen(made.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    client_poa = root_of(client.in());
    PortableServer::POAManager_var(client_poa->the_POAManager())->activate();
  }
  ~Serving() {
    channel = admin::EventChannel::_nil();
    service->stop();
    client->destroy();
    service.reset();
    orb->destroy();
  }

  static PortableServer::POA_var root_of(CORBA::ORB_ptr of) {
    const CORBA::Object_var object = of->resolve_initial_references("RootPOA");
    return PortableServer::POA::_narrow(object.in());
  }
  admin::EventChannel_var seen(admin::EventChannel_ptr of_service) {
    const CORBA::String_var text = orb->object_to_string(of_service);
    const CORBA::Object_var object = client->string_to_object(text.in());
    return admin::EventChannel::_narrow(object.in());
  }
  admin::ProxyPushConsumer_var push_consumer() {
    const admin::SupplierAdmin_var a = channel->for_suppliers();
    return a->obtain_push_consumer();
  }
  admin::ProxyPullConsumer_var pull_consumer() {
    const admin::SupplierAdmin_var a = channel->for_suppliers();
    return a->obtain_pull_consumer();
  }
  admin::ProxyPushSupplier_var push_supplier() {
    const admin::ConsumerAdmin_var a = channel->for_consumers();
    return a->obtain_push_supplier();
  }
  admin::ProxyPullSupplier_var pull_supplier() {
    const admin::ConsumerAdmin_var a = channel->for_consumers();
    return a->obtain_pull_supplier();
  }
  // A consumer or supplier of the client's, which lives as long as this.
  template <class X>
  X& make() {
    X* const out = new X;
    servants_.emplace_back(out);
    return *out;
  }
  // A supplier that pushes, connected.
  admin::ProxyPushConsumer_var pushing() {
    admin::ProxyPushConsumer_var out = push_consumer();
    out->connect_push_supplier(comm::PushSupplier::_nil());
    return out;
  }
  // A consumer that is pushed to.
  template <class X>
  admin::ProxyPushSupplier_var connect(X& consumer) {
    admin::ProxyPushSupplier_var out = push_supplier();
    out->connect_push_consumer(comm::PushConsumer_var(reference_of(consumer)).in());
    return out;
  }
  comm::PushConsumer_ptr reference_of(Consumer& servant) { return narrowed<comm::PushConsumer>(servant); }
  comm::PullSupplier_ptr reference_of(Supplier& servant) { return narrowed<comm::PullSupplier>(servant); }
  comm::PushSupplier_ptr reference_of(PushSupplier& servant) { return narrowed<comm::PushSupplier>(servant); }
  comm::PullConsumer_ptr reference_of(PullConsumer& servant) { return narrowed<comm::PullConsumer>(servant); }

 private:
  // Of an object of the client's, activated once.
  template <class X>
  X* narrowed(PortableServer::ServantBase& servant) {
    const CORBA::Object_var object = client_poa->servant_to_reference(&servant);
    return X::_narrow(object.in());
  }
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> servants_;
};

}  // namespace callis::events::testing
