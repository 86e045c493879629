// SPDX-License-Identifier: Apache-2.0
// Typed channels between two ORBs, with the types of a third one's Interface Repository.
#include <callis/dynamic.h>
#include <services/events/typed/testing/typed_serving.h>
#include <gtest/gtest.h>

namespace callis::events {
namespace {

using namespace testing;

struct TypedChannels : ::testing::Test, TypedServing {};

TEST_F(TypedChannels, pass_calls_of_an_interface_that_they_do_not_know_to_typed_consumers_in_order) {
  auto &a = s.make<Sensor>(), &b = s.make<Sensor>();
  auto &first = with<TypedConsumer>(object_of(a).in()), &second = with<TypedConsumer>(object_of(b).in());
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
  auto& consumer = with<TypedConsumer>(object_of(sensor).in());
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
  auto& consumer = with<TypedConsumer>(object_of(sensor).in());
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
  auto& consumer = with<TypedConsumer>(object_of(sensor).in());
  const auto proxy = connect(consumer);
  auto& has = s.make<PullSensor>();
  has.left = 2;
  auto& supplier_servant = with<PullSupplier>(object_of(has).in());
  const CosEventChannelAdmin::ProxyPullConsumer_var to = suppliers->obtain_typed_pull_consumer(kPullSensor);
  to->connect_pull_supplier(pull_supplier(supplier_servant).in());
  EXPECT_TRUE(sensor.has_got({"measured mill 2 2 2", "measured mill 1 2 1"}));
  to->disconnect_pull_consumer();
}

TEST_F(TypedChannels, refuse_interfaces_that_are_not_of_events) {
  for (const char* id : {"IDL:Plant/Sensor:2.0", "Plant/Sensor", "IDL:Plant/Bad:1.0", "IDL:Plant:1.0",
                         "IDL:Plant/Sensor", "IDL:omg.org/CORBA/Object:1.0", "IDL:Plant/Sensor:1.0\n", ""}) {
    EXPECT_THROW(suppliers->obtain_typed_push_consumer(id), typed_admin::InterfaceNotSupported) << id;
    EXPECT_THROW(consumers->obtain_typed_push_supplier(id), typed_admin::NoSuchImplementation) << id;
  }
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
  auto& nobody = with<TypedConsumer>(CORBA::Object::_nil());
  EXPECT_THROW(connect(nobody), CosEventChannelAdmin::TypeError);
  auto& sensor = s.make<Sensor>();
  auto& another = with<TypedConsumer>(object_of(sensor).in());
  EXPECT_THROW(connect(another, "IDL:Plant/Other:1.0"), CosEventChannelAdmin::TypeError);
  const CosEventChannelAdmin::ProxyPushSupplier_var proxy = consumers->obtain_typed_push_supplier(kSensor);
  auto& untyped = s.make<Consumer>();
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
  auto &first = with<TypedConsumer>(object_of(stopped).in()), &second = with<TypedConsumer>(object_of(good).in());
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
