// SPDX-License-Identifier: Apache-2.0
// A typed channel "test" in one ORB, with the types of a third one's Interface Repository, and a client of it in
// another; suppliers and consumers of testing/plant.idl.
#pragma once
#include <services/events/testing/serving.h>
#include <services/events/typed/typed_service.h>
#include <services/ifr/testing/serving.h>
#include <fstream>
#include <functional>
#include <sstream>
#include "CallisTypedConsumerAdmin.h"
#include "CosTypedEventComm_skel.h"
#include "plant_skel.h"

namespace callis::events::testing {

namespace typed_admin = CosTypedEventChannelAdmin;

inline constexpr const char *kSensor = "IDL:Plant/Sensor:1.0", *kPullSensor = "IDL:Plant/PullSensor:1.0";

inline std::string plant_idl() {
  std::ifstream file(CALLIS_SOURCE_DIR "/services/events/typed/testing/plant.idl");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Plant::Reading reading(double value) {
  Plant::Reading out;
  out.place = "mill";
  out.value = value;
  out.history.length(2);
  out.history[0] = 7;
  out.history[1] = -7;
  return out;
}

// A consumer's or supplier's object of the typed interface; notes what it gets in words.
class Sensor : public POA_Plant::Sensor {
 public:
  Watched<std::vector<std::string>> got;
  Watched<bool> held;
  Watched<int> inside;
  std::function<void(const std::string&)> also;  // within a call
  void started(const char* place) override { note(std::string("started ") + place); }
  void measured(const Plant::Reading& what, CORBA::Long number) override {
    note("measured " + std::string(what.place.in()) + " " + std::to_string(static_cast<int>(what.value)) + " " +
         std::to_string(what.history.length()) + " " + std::to_string(number));
  }
  void alarm(const char* place, CORBA::Object_ptr who) override {
    note(std::string("alarm ") + place + (CORBA::is_nil(who) ? " nobody" : who->_is_a(kSensor) ? " a sensor" : " ?"));
  }
  bool has_got(const std::vector<std::string>& wanted) {
    return got.wait([&](const auto& all) { return all.size() >= wanted.size(); }) && got.value() == wanted;
  }

 private:
  void note(const std::string& what) {
    inside.change([](int& n) { ++n; });
    held.wait([](bool is) { return !is; });
    if (also) also(what);
    got.change([&](auto& all) { all.push_back(what); });
  }
};

class TypedConsumer : public POA_CosTypedEventComm::TypedPushConsumer {
 public:
  explicit TypedConsumer(CORBA::Object_ptr typed) : typed_(CORBA::Object::_duplicate(typed)) {}
  Watched<std::vector<CORBA::Long>> untyped;
  Watched<int> refused, disconnected;
  bool wants_untyped = true;

  CORBA::Object_ptr get_typed_consumer() override { return CORBA::Object::_duplicate(typed_.in()); }
  void push(const CORBA::Any& data) override {
    if (!wants_untyped) {
      refused.change([](int& n) { ++n; });
      throw CORBA::NO_IMPLEMENT();
    }
    untyped.change([&](auto& all) { all.push_back(number_in(data)); });
  }
  void disconnect_push_consumer() override { disconnected.change([](int& n) { ++n; }); }

 private:
  const CORBA::Object_var typed_;
};

// Has `left` measurements to be pulled.
class PullSensor : public POA_Plant::PullSensor {
 public:
  std::atomic<int> left{0};
  void pull_measured(Plant::Reading_out, CORBA::Long&) override { throw CORBA::NO_IMPLEMENT(); }
  void pull_started(CORBA::String_out) override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Boolean try_pull_measured(Plant::Reading_out what, CORBA::Long& number) override {
    number = left > 0 ? left-- : 0;
    what = new Plant::Reading(reading(number));
    return number > 0;
  }
  CORBA::Boolean try_pull_started(CORBA::String_out place) override {
    place = CORBA::string_dup("");
    return false;
  }
};
class PullSupplier : public POA_CosTypedEventComm::TypedPullSupplier {
 public:
  explicit PullSupplier(CORBA::Object_ptr typed) : typed_(CORBA::Object::_duplicate(typed)) {}
  CORBA::Object_ptr get_typed_supplier() override { return CORBA::Object::_duplicate(typed_.in()); }
  CORBA::Any* pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any* try_pull(CORBA::Boolean&) override { throw CORBA::NO_IMPLEMENT(); }
  void disconnect_pull_supplier() override {}

 private:
  const CORBA::Object_var typed_;
};

struct TypedServing {
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> servants;  // let go behind the ORBs
  ifr::testing::Serving ifr;
  Serving s;
  std::unique_ptr<TypedService> typed;
  typed_admin::TypedEventChannel_var channel;  // as the client sees it, as what follows
  typed_admin::TypedSupplierAdmin_var suppliers;
  typed_admin::TypedConsumerAdmin_var consumers;

  explicit TypedServing(const ServiceOptions& options = quick()) : s(options) {
    ifr.feed(plant_idl());
    start(CORBA::Object_var(ifr.service->reference()).in());
  }
  void start(CORBA::Object_ptr repository, std::set<std::string> called = {}) {
    typed.reset();
    CORBA::Object_var here;
    if (!CORBA::is_nil(repository)) {
      const CORBA::String_var text = ifr.orb->object_to_string(repository);
      here = s.orb->string_to_object(text.in());
    }
    typed = std::make_unique<TypedService>(s.orb.in(), Serving::root_of(s.orb.in()).in(), *s.service, here.in(),
                                           std::move(called));
    const auto made = typed->make("test");
    const CORBA::String_var text = s.orb->object_to_string(made.in());
    const CORBA::Object_var object = s.client->string_to_object(text.in());
    channel = typed_admin::TypedEventChannel::_narrow(object.in());
    suppliers = channel->for_suppliers();
    consumers = channel->for_consumers();
  }
  ~TypedServing() {
    channel = typed_admin::TypedEventChannel::_nil();
    suppliers = typed_admin::TypedSupplierAdmin::_nil();
    consumers = typed_admin::TypedConsumerAdmin::_nil();
    typed.reset();
  }

  // That lives as long as this; its get_typed_...() returns the object.
  template <class X>
  X& with(CORBA::Object_ptr typed_object) {
    X* const out = new X(typed_object);
    servants.emplace_back(out);
    return *out;
  }
  template <class X>
  CORBA::Object_var object_of(X& servant) {
    return s.client_poa->servant_to_reference(&servant);
  }
  Plant::Sensor_var sensor_of(typed_admin::TypedProxyPushConsumer_ptr proxy) {
    const CORBA::Object_var object = proxy->get_typed_consumer();
    return Plant::Sensor::_narrow(object.in());
  }
  typed_admin::TypedProxyPushConsumer_var supplier() {
    typed_admin::TypedProxyPushConsumer_var out = suppliers->obtain_typed_push_consumer(kSensor);
    out->connect_push_supplier(CosEventComm::PushSupplier::_nil());
    return out;
  }
  CosEventChannelAdmin::ProxyPushSupplier_var connect(TypedConsumer& consumer, const char* key = kSensor) {
    CosEventChannelAdmin::ProxyPushSupplier_var out = consumers->obtain_typed_push_supplier(key);
    out->connect_push_consumer(push_consumer(consumer).in());
    return out;
  }
  CosEventComm::PushConsumer_var push_consumer(TypedConsumer& servant) {
    return CosEventComm::PushConsumer::_narrow(object_of(servant).in());
  }
  CosEventComm::PullSupplier_var pull_supplier(PullSupplier& servant) {
    return CosEventComm::PullSupplier::_narrow(object_of(servant).in());
  }
};

}  // namespace callis::events::testing
