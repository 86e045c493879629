// SPDX-License-Identifier: Apache-2.0
// Typed events that JetStream keeps. Skipped without nats-server.
#include <callis/base/testing/soon.h>
#include <services/events/durable/jetstream.h>
#include <services/events/durable/testing/nats_server.h>
#include <services/events/typed/testing/typed_serving.h>
#include <gtest/gtest.h>

namespace callis::events {
namespace {

using namespace testing;

// A service with a journal of its own, as a process has.
struct DurableInstance {
  std::unique_ptr<Journal> journal;
  std::unique_ptr<TypedServing> serving;

  explicit DurableInstance(const JetStreamOptions& options) : journal(open_jetstream(options)) {
    ServiceOptions with = quick();
    with.journal = journal.get();
    serving = std::make_unique<TypedServing>(with);
  }
  TypedServing* operator->() { return serving.get(); }
  CallisTypedEvents::ConsumerAdmin_var admin() {
    return CallisTypedEvents::ConsumerAdmin::_narrow(serving->consumers.in());
  }
  // A typed consumer of that name, whose calls go to the sensor.
  CosEventChannelAdmin::ProxyPushSupplier_var connect(const char* name, Sensor& sensor) {
    auto& consumer = serving->with<TypedConsumer>(serving->object_of(sensor).in());
    CosEventChannelAdmin::ProxyPushSupplier_var out = admin()->obtain_named_typed_push_supplier(kSensor, name);
    out->connect_push_consumer(serving->push_consumer(consumer).in());
    return out;
  }
  // Until the journal has been told of so many.
  void wait_for_delivered(std::int64_t count) {
    const auto delivered = [&] {
      for (const auto& v : serving->s.counters.values())
        if (v.name == "delivered") return v.number;
      return std::int64_t{-1};
    };
    EXPECT_TRUE(callis::testing::soon([&] { return delivered() >= count; }));
    EXPECT_EQ(delivered(), count);
  }
  // Each is kept when its call returns.
  void raise_alarms(const std::vector<std::string>& places) {
    const auto to = serving->supplier();
    const Plant::Sensor_var sensor = serving->sensor_of(to.in());
    for (const std::string& place : places) sensor->alarm(place.c_str(), CORBA::Object::_nil());
    to->disconnect_push_consumer();
  }
};

struct DurableTypedChannels : ::testing::Test {
  std::unique_ptr<NatsServer> server;
  JetStreamOptions options;

  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "no nats-server";
    server = std::make_unique<NatsServer>();
    options.urls = {server->url()};
    options.patience = std::chrono::seconds(1);
  }
};

TEST_F(DurableTypedChannels, keep_calls_for_named_typed_consumers_while_no_service_runs) {
  {
    DurableInstance one(options);
    auto& sensor = one->s.make<Sensor>();
    const auto proxy = one.connect("log", sensor);
    one.raise_alarms({"first"});
    EXPECT_TRUE(sensor.has_got({"alarm first nobody"}));
    one.wait_for_delivered(1);  // else it may come twice
    proxy->disconnect_push_supplier();
    one.raise_alarms({"second", "third"});
  }
  DurableInstance two(options);
  auto& sensor = two->s.make<Sensor>();
  const auto proxy = two.connect("log", sensor);
  two.raise_alarms({"fourth"});
  EXPECT_TRUE(sensor.has_got({"alarm second nobody", "alarm third nobody", "alarm fourth nobody"}))
      << ::testing::PrintToString(sensor.got.value());
}

TEST_F(DurableTypedChannels, give_a_named_consumer_without_types_what_was_kept_as_an_any) {
  {
    DurableInstance one(options);
    const CosEventChannelAdmin::ProxyPullSupplier_var proxy = one.admin()->obtain_named_pull_supplier("log");
    one.raise_alarms({"mill"});
  }
  server->kill();
  server->start();
  DurableInstance two(options);
  const CosEventChannelAdmin::ProxyPullSupplier_var from = two.admin()->obtain_named_pull_supplier("log");
  from->connect_pull_consumer(CosEventComm::PullConsumer::_nil());
  const CORBA::Any_var event = from->pull();
  const CallisTypedEvents::Call* call = nullptr;
  ASSERT_TRUE(event.in() >>= call);
  EXPECT_STREQ(call->operation.in(), "alarm");
  ASSERT_EQ(call->arguments.length(), 2u);
  const char* place = nullptr;
  EXPECT_TRUE(call->arguments[0].value >>= place);
  EXPECT_STREQ(place, "mill");
}

TEST_F(DurableTypedChannels, pass_calls_to_typed_consumers_without_a_name_through_the_journal) {
  DurableInstance one(options), two(options);  // the one's events are those of the other
  auto &here = one->s.make<Sensor>(), &there = two->s.make<Sensor>();
  const auto p = one->connect(one->with<TypedConsumer>(one->object_of(here).in()));
  const auto q = two->connect(two->with<TypedConsumer>(two->object_of(there).in()));
  const typed_admin::TypedProxyPullSupplier_var from = two->consumers->obtain_typed_pull_supplier(kPullSensor);
  from->connect_pull_consumer(CosEventComm::PullConsumer::_nil());
  const auto to = one->supplier();
  const Plant::Sensor_var sensor = one->sensor_of(to.in());
  sensor->measured(reading(21), 3);
  sensor->alarm("mill", CORBA::Object::_nil());
  const std::vector<std::string> wanted{"measured mill 21 2 3", "alarm mill nobody"};
  EXPECT_TRUE(here.has_got(wanted));
  EXPECT_TRUE(there.has_got(wanted));
  const CORBA::Object_var object = from->get_typed_supplier();
  Plant::Reading_var what;
  CORBA::Long number = 0;
  Plant::PullSensor_var(Plant::PullSensor::_narrow(object.in()))->pull_measured(what.out(), number);
  EXPECT_EQ(number, 3);
}

TEST_F(DurableTypedChannels, bring_a_call_again_that_a_named_consumer_has_not_answered) {
  DurableInstance one(options);
  auto& sensor = one->s.make<Sensor>();
  sensor.held.change([](bool& is) { is = true; });
  const auto proxy = one.connect("log", sensor);
  one.raise_alarms({"mill"});
  ASSERT_TRUE(sensor.inside.wait([](int n) { return n >= 2; }));  // again, after the deadline
  sensor.held.change([](bool& is) { is = false; });
  EXPECT_TRUE(sensor.got.wait([](const auto& all) { return !all.empty() && all.back() == "alarm mill nobody"; }));
}

TEST_F(DurableTypedChannels, refuse_names_and_interfaces) {
  DurableInstance one(options);
  const auto admin = one.admin();
  EXPECT_THROW(admin->obtain_named_typed_push_supplier(kSensor, "a b"), CallisEvents::BadName);
  EXPECT_THROW(admin->obtain_named_typed_push_supplier("IDL:Plant/WithOut:1.0", "log"),
               typed_admin::NoSuchImplementation);
  const CallisEvents::Names_var names = admin->consumers();
  EXPECT_EQ(names->length(), 0u) << "none was made of what was refused";
}

}  // namespace
}  // namespace callis::events
