// SPDX-License-Identifier: Apache-2.0
// Typed channels between two ORBs, with the types of a third one's Interface Repository.
#include <callis/dynamic.h>
#include <services/events/testing/serving.h>
#include <services/events/typed/typed_service.h>
#include <services/ifr/testing/serving.h>
#include <gtest/gtest.h>
#include <fstream>
#include <sstream>
#include "CosTypedEventComm_skel.h"
#include "plant_skel.h"

namespace callis::events {
namespace {

using testing::Serving;
using testing::Watched;
namespace typed_admin = CosTypedEventChannelAdmin;

constexpr const char *kSensor = "IDL:Plant/Sensor:1.0", *kPullSensor = "IDL:Plant/PullSensor:1.0";

std::string plant_idl() {
  std::ifstream file(CALLIS_SOURCE_DIR "/services/events/typed/testing/plant.idl");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Plant::Reading reading(double value) {
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
    got.change([&](auto& all) { all.push_back(what); });
  }
};

class Consumer : public POA_CosTypedEventComm::TypedPushConsumer {
 public:
  explicit Consumer(CORBA::Object_ptr typed) : typed_(CORBA::Object::_duplicate(typed)) {}
  Watched<std::vector<CORBA::Long>> untyped;
  Watched<int> refused, disconnected;
  bool wants_untyped = true;

  CORBA::Object_ptr get_typed_consumer() override { return CORBA::Object::_duplicate(typed_.in()); }
  void push(const CORBA::Any& data) override {
    if (!wants_untyped) {
      refused.change([](int& n) { ++n; });
      throw CORBA::NO_IMPLEMENT();
    }
    untyped.change([&](auto& all) { all.push_back(testing::number_in(data)); });
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

struct TypedChannels : ::testing::Test {
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> servants;  // let go behind the ORBs
  ifr::testing::Serving ifr;
  Serving s;
  std::unique_ptr<TypedService> typed;
  typed_admin::TypedSupplierAdmin_var suppliers;
  typed_admin::TypedConsumerAdmin_var consumers;

  TypedChannels() {
    ifr.feed(plant_idl());
    start(CORBA::Object_var(ifr.service->reference()).in());
  }
  void start(CORBA::Object_ptr repository) {
    typed.reset();
    CORBA::Object_var here;
    if (!CORBA::is_nil(repository)) {
      const CORBA::String_var text = ifr.orb->object_to_string(repository);
      here = s.orb->string_to_object(text.in());
    }
    typed = std::make_unique<TypedService>(s.orb.in(), Serving::root_of(s.orb.in()).in(), *s.service, here.in());
    const auto made = typed->make("test");
    const CORBA::String_var text = s.orb->object_to_string(made.in());
    const CORBA::Object_var object = s.client->string_to_object(text.in());
    const typed_admin::TypedEventChannel_var channel = typed_admin::TypedEventChannel::_narrow(object.in());
    suppliers = channel->for_suppliers();
    consumers = channel->for_consumers();
  }
  ~TypedChannels() override {
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
  CosEventChannelAdmin::ProxyPushSupplier_var connect(Consumer& consumer, const char* key = kSensor) {
    CosEventChannelAdmin::ProxyPushSupplier_var out = consumers->obtain_typed_push_supplier(key);
    const CORBA::Object_var object = object_of(consumer);
    out->connect_push_consumer(CosEventComm::PushConsumer_var(CosEventComm::PushConsumer::_narrow(object.in())).in());
    return out;
  }
};

TEST_F(TypedChannels, pass_calls_of_an_interface_that_they_do_not_know_to_typed_consumers_in_order) {
  auto &a = s.make<Sensor>(), &b = s.make<Sensor>();
  auto &first = with<Consumer>(object_of(a).in()), &second = with<Consumer>(object_of(b).in());
  const auto proxy = connect(first), other = connect(second);
  const auto to = supplier();
  const Plant::Sensor_var sensor = sensor_of(to.in());
  ASSERT_FALSE(CORBA::is_nil(sensor.in()));
  sensor->alarm("mill", sensor.in());
  sensor->alarm("", CORBA::Object::_nil());
  const std::vector<std::string> alarms{"alarm mill a sensor", "alarm  nobody"};
  EXPECT_TRUE(a.has_got(alarms));
  EXPECT_TRUE(b.has_got(alarms));
  sensor->measured(reading(21), 3);
  EXPECT_TRUE(a.has_got({alarms[0], alarms[1], "measured mill 21 2 3"}));
  sensor->started("oven");
  EXPECT_TRUE(a.has_got({alarms[0], alarms[1], "measured mill 21 2 3", "started oven"})) << "of a base";
  s.service->destroy("test");
  EXPECT_TRUE(first.disconnected.wait([](int n) { return n == 1; }));
}

TEST_F(TypedChannels, have_objects_of_their_interface_and_of_its_bases) {
  const auto to = supplier();
  const CORBA::Object_var object = to->get_typed_consumer();
  EXPECT_TRUE(object->_is_a(kSensor));
  EXPECT_TRUE(object->_is_a("IDL:Plant/Base:1.0"));
  EXPECT_FALSE(object->_is_a("IDL:Plant/Other:1.0"));
  const CORBA::Request_var request = object->_request("unknown");
  request->invoke();
  EXPECT_TRUE(CORBA::BAD_OPERATION::_downcast(request->env()->exception()));
  const CORBA::Request_var short_one = object->_request("alarm");  // without its arguments
  short_one->invoke();
  EXPECT_TRUE(CORBA::MARSHAL::_downcast(short_one->env()->exception()));
}

TEST_F(TypedChannels, give_typed_events_to_consumers_without_types_and_take_them_from_suppliers_without) {
  auto& sensor = s.make<Sensor>();
  auto& consumer = with<Consumer>(object_of(sensor).in());
  const auto proxy = connect(consumer);
  const auto untyped = s.pull_supplier();  // of the plain face
  untyped->connect_pull_consumer(CosEventComm::PullConsumer::_nil());
  const auto to = supplier();
  sensor_of(to.in())->alarm("mill", CORBA::Object::_nil());
  const CORBA::Any_var event = untyped->pull();
  const CallisTypedEvents::Call* call = nullptr;
  ASSERT_TRUE(event.in() >>= call);
  EXPECT_STREQ(call->operation.in(), "alarm");
  ASSERT_EQ(call->arguments.length(), 2u);
  EXPECT_STREQ(call->arguments[0].name.in(), "place");
  const char* place = nullptr;
  EXPECT_TRUE(call->arguments[0].value >>= place);
  EXPECT_STREQ(place, "mill");

  to->push(event.in());
  CallisTypedEvents::Call wrong = *call;
  wrong.arguments.length(1);  // no call of the interface: it has no type
  CORBA::Any any;
  any <<= wrong;
  to->push(any);
  to->push(testing::any_of(5));
  EXPECT_TRUE(sensor.has_got({"alarm mill nobody", "alarm mill nobody"}));
  EXPECT_TRUE(consumer.untyped.wait([](const auto& all) { return all == std::vector<CORBA::Long>{-1, 5}; }));
}

TEST_F(TypedChannels, keep_consumers_that_do_not_implement_push) {
  auto& sensor = s.make<Sensor>();
  auto& consumer = with<Consumer>(object_of(sensor).in());
  consumer.wants_untyped = false;
  const auto proxy = connect(consumer);
  const auto to = supplier();
  for (int i = 0; i < 9; ++i) to->push(testing::any_of(i));  // more than may fail
  sensor_of(to.in())->alarm("mill", CORBA::Object::_nil());
  EXPECT_TRUE(sensor.has_got({"alarm mill nobody"}));
  EXPECT_EQ(consumer.refused.value(), 9);
  EXPECT_EQ(consumer.disconnected.value(), 0);
}

TEST_F(TypedChannels, let_typed_consumers_pull) {
  const auto proxy = consumers->obtain_typed_pull_supplier(kPullSensor);
  const typed_admin::TypedProxyPullSupplier_var from = proxy;
  const CORBA::Object_var object = from->get_typed_supplier();
  const Plant::PullSensor_var sensor = Plant::PullSensor::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(sensor.in()));
  Plant::Reading_var what;
  CORBA::Long number = 9;
  EXPECT_THROW(sensor->try_pull_measured(what.out(), number), CORBA::BAD_INV_ORDER);
  from->connect_pull_consumer(CosEventComm::PullConsumer::_nil());
  EXPECT_FALSE(sensor->try_pull_measured(what.out(), number));
  EXPECT_EQ(number, 0);
  const auto to = supplier();
  const Plant::Sensor_var sends = sensor_of(to.in());
  sends->alarm("not in the pull interface", CORBA::Object::_nil());
  for (int i = 1; i <= 2; ++i) sends->measured(reading(i), i);
  sends->started("oven");
  CORBA::String_var place;
  sensor->pull_started(place.out());
  EXPECT_STREQ(place.in(), "oven") << "though measurements came first";
  for (int i = 1; i <= 2; ++i) {
    sensor->pull_measured(what.out(), number);
    EXPECT_EQ(number, i);
    EXPECT_EQ(what->history.length(), 2u);
  }
  CORBA::Boolean has = false;
  const CORBA::Any_var rest = from->try_pull(has);
  EXPECT_TRUE(has) << "the alarm, which its interface does not have";
  from->disconnect_pull_supplier();
  EXPECT_THROW(sensor->try_pull_started(place.out()), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(TypedChannels, pull_from_typed_suppliers) {
  auto& sensor = s.make<Sensor>();
  auto& consumer = with<Consumer>(object_of(sensor).in());
  const auto proxy = connect(consumer);
  auto& has = s.make<PullSensor>();
  has.left = 2;
  auto& supplier_servant = with<PullSupplier>(object_of(has).in());
  const CosEventChannelAdmin::ProxyPullConsumer_var to = suppliers->obtain_typed_pull_consumer(kPullSensor);
  const CORBA::Object_var object = object_of(supplier_servant);
  to->connect_pull_supplier(CosEventComm::PullSupplier_var(CosEventComm::PullSupplier::_narrow(object.in())).in());
  EXPECT_TRUE(sensor.has_got({"measured mill 2 2 2", "measured mill 1 2 1"}));
  to->disconnect_pull_consumer();
}

TEST_F(TypedChannels, refuse_interfaces_that_are_not_of_events) {
  for (const char* key : {"WithAttribute", "WithResult", "WithOut", "WithException", "Nobody", "PullSensor"}) {
    const std::string id = "IDL:Plant/" + std::string(key) + ":1.0";
    EXPECT_THROW(suppliers->obtain_typed_push_consumer(id.c_str()), typed_admin::InterfaceNotSupported) << key;
    EXPECT_THROW(consumers->obtain_typed_push_supplier(id.c_str()), typed_admin::NoSuchImplementation) << key;
  }
  for (const char* key : {kSensor, "IDL:Plant/Reading:1.0", "", "IDL:Plant/WithResult:1.0"}) {
    EXPECT_THROW(consumers->obtain_typed_pull_supplier(key), typed_admin::InterfaceNotSupported) << key;
    EXPECT_THROW(suppliers->obtain_typed_pull_consumer(key), typed_admin::NoSuchImplementation) << key;
  }
  EXPECT_THROW(suppliers->obtain_typed_pull_consumer("IDL:Plant/OnlyPulls:1.0"), typed_admin::NoSuchImplementation);
  const std::string longer(TypedInterface::kMostKeyBytes + 1, 'x');
  EXPECT_THROW(suppliers->obtain_typed_push_consumer(longer.c_str()), typed_admin::InterfaceNotSupported);
  EXPECT_EQ(s.service->channel("test")->proxies(), 0u);
}

TEST_F(TypedChannels, refuse_consumers_and_suppliers_of_other_types) {
  auto& nobody = with<Consumer>(CORBA::Object::_nil());
  EXPECT_THROW(connect(nobody), CosEventChannelAdmin::TypeError);
  auto& sensor = s.make<Sensor>();
  auto& another = with<Consumer>(object_of(sensor).in());
  EXPECT_THROW(connect(another, "IDL:Plant/Other:1.0"), CosEventChannelAdmin::TypeError);
  const CosEventChannelAdmin::ProxyPushSupplier_var proxy = consumers->obtain_typed_push_supplier(kSensor);
  auto& untyped = s.make<testing::Consumer>();
  EXPECT_THROW(proxy->connect_push_consumer(CosEventComm::PushConsumer_var(s.reference_of(untyped)).in()),
               CosEventChannelAdmin::TypeError);
  EXPECT_THROW(proxy->connect_push_consumer(CosEventComm::PushConsumer::_nil()), CORBA::BAD_PARAM);
}

TEST_F(TypedChannels, take_nothing_of_a_supplier_before_it_connects_and_after_it_has_gone) {
  const typed_admin::TypedProxyPushConsumer_var to = suppliers->obtain_typed_push_consumer(kSensor);
  const Plant::Sensor_var sensor = sensor_of(to.in());
  EXPECT_THROW(sensor->alarm("", CORBA::Object::_nil()), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(to->push(testing::any_of(1)), CosEventComm::Disconnected);
  to->connect_push_supplier(CosEventComm::PushSupplier::_nil());
  sensor->alarm("", CORBA::Object::_nil());
  to->disconnect_push_consumer();
  EXPECT_THROW(sensor->alarm("", CORBA::Object::_nil()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(to->get_typed_consumer(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(TypedChannels, are_not_held_up_by_typed_consumers_that_stop) {
  auto &stopped = s.make<Sensor>(), &good = s.make<Sensor>();
  stopped.held.change([](bool& is) { is = true; });
  auto &first = with<Consumer>(object_of(stopped).in()), &second = with<Consumer>(object_of(good).in());
  const auto proxy = connect(first), other = connect(second);
  const auto to = supplier();
  const Plant::Sensor_var sensor = sensor_of(to.in());
  sensor->alarm("0", CORBA::Object::_nil());
  ASSERT_TRUE(stopped.inside.wait([](int n) { return n == 1; }));
  std::vector<std::string> wanted{"alarm 0 nobody"};
  for (int i = 1; i < 50; ++i) {
    wanted.push_back("alarm " + std::to_string(i) + " nobody");
    sensor->alarm(std::to_string(i).c_str(), CORBA::Object::_nil());
  }
  EXPECT_TRUE(good.has_got(wanted));
  EXPECT_TRUE(stopped.got.value().empty());
  stopped.held.change([](bool& is) { is = false; });
}

TEST_F(TypedChannels, say_that_they_have_no_repository_or_cannot_ask_it) {
  start(CORBA::Object::_nil());
  EXPECT_THROW(suppliers->obtain_typed_push_consumer(kSensor), CORBA::INTF_REPOS);
  start(CORBA::Object_var(ifr.orb->string_to_object("corbaloc::127.0.0.1:1/InterfaceRepository")).in());
  EXPECT_THROW(suppliers->obtain_typed_push_consumer(kSensor), CORBA::TRANSIENT);
}

TEST_F(TypedChannels, are_one_for_each_plain_channel_and_end_with_it) {
  EXPECT_THROW(typed->make("test"), CannotMake);
  EXPECT_THROW(typed->make("nobody"), CannotMake);
  EXPECT_TRUE(typed->destroy("test"));
  EXPECT_FALSE(typed->destroy("test"));
  EXPECT_FALSE(s.service->channel("test"));
  EXPECT_THROW(suppliers->obtain_typed_push_consumer(kSensor), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace callis::events
