// SPDX-License-Identifier: Apache-2.0
// The service over sockets, by the clauses of the Event Service 1.2: the four combinations, and every exception.
#include <callis/orb/client/reference.h>
#include <services/events/testing/serving.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::events {
namespace {

using namespace testing;
using namespace std::chrono_literals;

CORBA::Long pulled(admin::ProxyPullSupplier_ptr from) {
  const CORBA::Any_var event = from->pull();
  return number_in(event.in());
}

TEST(Events, pushed_are_pushed_to_all_consumers_in_order) {  // 2.2
  Serving s;
  auto &a = s.make<Consumer>(), &b = s.make<Consumer>();
  const auto pa = s.connect(a), pb = s.connect(b);
  const auto supplier = s.pushing();
  std::vector<CORBA::Long> all;
  for (CORBA::Long i = 0; i < 200; ++i) {
    supplier->push(any_of(i));
    all.push_back(i);
  }
  EXPECT_TRUE(a.has_got(all));
  EXPECT_TRUE(b.has_got(all));
}

TEST(Events, pushed_are_pulled) {  // 2.2
  Serving s;
  const auto consumer = s.pull_supplier();
  consumer->connect_pull_consumer(comm::PullConsumer::_nil());
  CORBA::Boolean has_event = true;
  CORBA::Any_var none = consumer->try_pull(has_event);
  EXPECT_FALSE(has_event);
  const auto supplier = s.pushing();
  for (CORBA::Long i = 0; i < 3; ++i) supplier->push(any_of(i));
  EXPECT_EQ(pulled(consumer.in()), 0);
  EXPECT_EQ(pulled(consumer.in()), 1);
  const CORBA::Any_var event = consumer->try_pull(has_event);
  EXPECT_TRUE(has_event);
  EXPECT_EQ(number_in(event.in()), 2);
}

TEST(Events, pulled_are_pushed) {
  Serving s;
  auto &consumer = s.make<Consumer>();
  const auto p = s.connect(consumer);
  auto &supplier = s.make<Supplier>();
  supplier.has.change([](auto& all) { all = {5, 6, 7}; });
  s.pull_consumer()->connect_pull_supplier(comm::PullSupplier_var(s.reference_of(supplier)).in());
  EXPECT_TRUE(consumer.has_got({5, 6, 7}));
  supplier.has.change([](auto& all) { all = {8}; });  // it is asked again
  EXPECT_TRUE(consumer.has_got({5, 6, 7, 8}));
}

TEST(Events, pulled_are_pulled) {
  Serving s;
  const auto consumer = s.pull_supplier();
  consumer->connect_pull_consumer(comm::PullConsumer::_nil());
  auto &supplier = s.make<Supplier>();
  s.pull_consumer()->connect_pull_supplier(comm::PullSupplier_var(s.reference_of(supplier)).in());
  std::thread later([&] { supplier.has.change([](auto& all) { all = {1, 2}; }); });
  EXPECT_EQ(pulled(consumer.in()), 1);
  EXPECT_EQ(pulled(consumer.in()), 2);
  later.join();
}

TEST(Events, of_one_channel_are_not_those_of_another) {
  Serving s;
  const auto made = s.service->make("other");
  const auto other = s.seen(made.in());
  auto &here = s.make<Consumer>(), &there = s.make<Consumer>();
  const auto p = s.connect(here);
  s.channel = other;
  const auto q = s.connect(there);
  s.pushing()->push(any_of(7));
  EXPECT_TRUE(there.has_got({7}));
  EXPECT_TRUE(here.got.value().empty());
}

TEST(Events, of_any_type_pass_as_they_are) {
  Serving s;
  const auto consumer = s.pull_supplier();
  consumer->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = s.pushing();
  CallisEvents::ChannelState state;
  state.name = "a struct";
  state.waiting = 12;
  CORBA::Any event;
  event <<= state;
  supplier->push(event);
  supplier->push(CORBA::Any());
  CORBA::Any_var got = consumer->pull();
  const CallisEvents::ChannelState* out = nullptr;
  ASSERT_TRUE(got.in() >>= out);
  EXPECT_STREQ(out->name.in(), "a struct");
  got = consumer->pull();
  EXPECT_EQ(CORBA::TypeCode_var(got->type())->kind(), CORBA::tk_null);
}

TEST(Events, federate_channels) {
  Serving s;
  const auto made = s.service->make("other");
  const auto other = s.seen(made.in());
  const auto from = s.push_supplier();
  const admin::SupplierAdmin_var suppliers = other->for_suppliers();
  const admin::ProxyPushConsumer_var to = suppliers->obtain_push_consumer();
  from->connect_push_consumer(to.in());
  to->connect_push_supplier(from.in());
  const auto supplier = s.pushing();
  s.channel = other;
  auto &consumer = s.make<Consumer>();
  const auto p = s.connect(consumer);
  supplier->push(any_of(3));
  EXPECT_TRUE(consumer.has_got({3}));
}

TEST(Proxies, are_connected_once) {  // 2.3.4 to 2.3.7: AlreadyConnected
  Serving s;
  auto &consumer = s.make<Consumer>();
  auto &supplier = s.make<Supplier>();
  const comm::PushConsumer_var pushed = s.reference_of(consumer);
  const comm::PullSupplier_var pulled_from = s.reference_of(supplier);
  const auto a = s.push_consumer();
  const auto b = s.pull_consumer();
  const auto c = s.push_supplier();
  const auto d = s.pull_supplier();
  a->connect_push_supplier(comm::PushSupplier::_nil());
  b->connect_pull_supplier(pulled_from.in());
  c->connect_push_consumer(pushed.in());
  d->connect_pull_consumer(comm::PullConsumer::_nil());
  EXPECT_THROW(a->connect_push_supplier(comm::PushSupplier::_nil()), admin::AlreadyConnected);
  EXPECT_THROW(b->connect_pull_supplier(pulled_from.in()), admin::AlreadyConnected);
  EXPECT_THROW(c->connect_push_consumer(pushed.in()), admin::AlreadyConnected);
  EXPECT_THROW(d->connect_pull_consumer(comm::PullConsumer::_nil()), admin::AlreadyConnected);
}

TEST(Proxies, take_no_nil_where_somebody_must_be_called) {  // 2.3.6, 2.3.7: BAD_PARAM
  Serving s;
  EXPECT_THROW(s.push_supplier()->connect_push_consumer(comm::PushConsumer::_nil()), CORBA::BAD_PARAM);
  EXPECT_THROW(s.pull_consumer()->connect_pull_supplier(comm::PullSupplier::_nil()), CORBA::BAD_PARAM);
}

TEST(Proxies, take_no_objects_of_other_interfaces) {  // 2.3.6, 2.3.7: TypeError
  Serving s;
  const auto channel = static_cast<CORBA::Object_ptr>(s.channel.in());
  const comm::PushConsumer_var no_consumer = comm::PushConsumer::_unchecked_narrow(channel);
  const comm::PullSupplier_var no_supplier = comm::PullSupplier::_unchecked_narrow(channel);
  const auto p = s.push_supplier();
  EXPECT_THROW(p->connect_push_consumer(no_consumer.in()), admin::TypeError);
  EXPECT_THROW(s.pull_consumer()->connect_pull_supplier(no_supplier.in()), admin::TypeError);
  auto &consumer = s.make<Consumer>();  // it is not connected by that
  p->connect_push_consumer(comm::PushConsumer_var(s.reference_of(consumer)).in());
}

TEST(Proxies, that_are_not_connected_give_and_take_nothing) {  // 2.1: Disconnected
  Serving s;
  EXPECT_THROW(s.push_consumer()->push(any_of(1)), comm::Disconnected);
  CORBA::Boolean has_event = false;
  const auto p = s.pull_supplier();
  EXPECT_THROW(p->pull(), comm::Disconnected);
  EXPECT_THROW(p->try_pull(has_event), comm::Disconnected);
}

TEST(Proxies, do_not_exist_any_more_when_they_are_disconnected) {  // 2.1
  Serving s;
  auto &consumer = s.make<Consumer>();
  auto &supplier = s.make<PushSupplier>();
  const auto p = s.connect(consumer);
  const auto q = s.push_consumer();
  q->connect_push_supplier(comm::PushSupplier_var(s.reference_of(supplier)).in());
  q->push(any_of(1));
  EXPECT_TRUE(consumer.has_got({1}));
  p->disconnect_push_supplier();
  q->disconnect_push_consumer();
  EXPECT_THROW(q->push(any_of(2)), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(p->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  const auto r = s.pull_supplier();
  r->connect_pull_consumer(comm::PullConsumer::_nil());
  r->disconnect_pull_supplier();
  EXPECT_THROW(r->pull(), CORBA::OBJECT_NOT_EXIST);
  // A peer that disconnects is not called back.
  EXPECT_EQ(consumer.disconnected.value() + supplier.disconnected.value(), 0);
}

TEST(Channels, tell_everybody_when_they_are_destroyed) {  // 2.3.1
  Serving s;
  auto &consumer = s.make<Consumer>();
  auto &supplier = s.make<Supplier>();
  auto &pusher = s.make<PushSupplier>();
  auto &puller = s.make<PullConsumer>();
  const auto a = s.connect(consumer);
  const auto b = s.push_consumer();
  b->connect_push_supplier(comm::PushSupplier_var(s.reference_of(pusher)).in());
  s.pull_consumer()->connect_pull_supplier(comm::PullSupplier_var(s.reference_of(supplier)).in());
  const auto d = s.pull_supplier();
  d->connect_pull_consumer(comm::PullConsumer_var(s.reference_of(puller)).in());
  s.channel->destroy();
  const auto told = [](int n) { return n == 1; };
  EXPECT_TRUE(consumer.disconnected.wait(told));
  EXPECT_TRUE(supplier.disconnected.wait(told));
  EXPECT_TRUE(pusher.disconnected.wait(told));
  EXPECT_TRUE(puller.disconnected.wait(told));
  EXPECT_THROW(s.channel->for_consumers(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(b->push(any_of(1)), CORBA::OBJECT_NOT_EXIST);
  EXPECT_NO_THROW(s.service->make("test"));  // the name is free again
}

TEST(Channels, let_a_waiting_pull_go_when_they_are_destroyed) {
  Serving s;
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  Watched<bool> disconnected;
  std::thread pulling([&] {
    try {
      const CORBA::Any_var event = p->pull();
    } catch (const comm::Disconnected&) {
      disconnected.change([](bool& b) { b = true; });
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // it came after the end
      disconnected.change([](bool& b) { b = true; });
    }
  });
  s.channel->destroy();
  EXPECT_TRUE(disconnected.wait([](bool b) { return b; }));
  pulling.join();
}

TEST(Channels, of_a_type_pass_other_events_over) {
  Serving s;
  ChannelOptions options = s.service->options().channel;
  options.type = "IDL:CallisEvents/ChannelState:1.0";
  const auto made = s.service->make("typed", options);
  s.channel = s.seen(made.in());
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = s.pushing();
  supplier->push(any_of(1));
  CORBA::Any event;
  event <<= CallisEvents::ChannelState();
  supplier->push(event);
  CORBA::Boolean has_event = false;
  const CORBA::Any_var first = p->try_pull(has_event);
  ASSERT_TRUE(has_event);
  EXPECT_EQ(CORBA::TypeCode_var(first->type())->kind(), CORBA::tk_struct);
  const CORBA::Any_var second = p->try_pull(has_event);
  EXPECT_FALSE(has_event);
}

TEST(Channels, are_reached_by_their_names_as_keys) {
  Serving s;
  const auto read = ior::parse_reference(s.factory_ior);
  const auto profile = ior::parse_iiop(std::get<ior::Ior>(read).profiles.at(0).data);
  const std::string url = "corbaloc::127.0.0.1:" + std::to_string(profile.value().address.port) + "/";
  const CORBA::Object_var object = s.client->string_to_object((url + "test").c_str());
  const admin::EventChannel_var channel = admin::EventChannel::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(channel.in()));
  EXPECT_NO_THROW(admin::ConsumerAdmin_var(channel->for_consumers()));
  s.service->destroy("test");
  EXPECT_THROW(channel->for_consumers(), CORBA::OBJECT_NOT_EXIST);
  s.service->make("test");
  EXPECT_NO_THROW(admin::ConsumerAdmin_var(channel->for_consumers()));
}

// --- the factory ---

struct Factory : ::testing::Test {
  Serving s;
  CallisEvents::EventChannelFactory_var factory = CallisEvents::EventChannelFactory::_narrow(
      CORBA::Object_var(s.client->string_to_object(s.factory_ior.c_str())).in());
  CosNaming::Name key;
  CosLifeCycle::Criteria criteria;

  Factory() {
    key.length(1);
    key[0].id = "EventChannel";
    key[0].kind = "object interface";
  }
  template <class T>
  void want(const char* name, T value) {
    criteria.length(criteria.length() + 1);
    criteria[criteria.length() - 1].name = name;
    criteria[criteria.length() - 1].value <<= value;
  }
};

TEST_F(Factory, makes_channels_by_the_criteria_of_omniEvents) {
  EXPECT_TRUE(factory->supports(key));
  EXPECT_TRUE(factory->is_alive());
  EXPECT_TRUE(factory->_is_a("IDL:omni/omniEvents/EventChannelFactory:1.0"));
  want("InsName", "mine");
  want("MaxQueueLength", CORBA::ULong(2));
  want("MaxNumProxies", CORBA::ULong(4));
  want("PullRetryPeriod_ms", CORBA::ULong(10));
  want("CyclePeriod_ns", CORBA::ULong(10));
  const CORBA::Object_var object = factory->create_object(key, criteria);
  s.channel = admin::EventChannel::_narrow(object.in());
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = s.pushing();
  for (CORBA::Long i = 0; i < 5; ++i) supplier->push(any_of(i));
  EXPECT_EQ(pulled(p.in()), 3);
  const CallisEvents::ChannelStates_var states = factory->list();
  ASSERT_EQ(states->length(), 2u);
  EXPECT_STREQ(states[0].name.in(), "mine");
  EXPECT_EQ(states[0].received, 5u);
  EXPECT_EQ(states[0].discarded, 3u);
  EXPECT_EQ(states[0].waiting, 1u);
  EXPECT_EQ(states[0].pull_suppliers, 1u);
  EXPECT_EQ(states[0].push_consumers, 1u);
}

TEST_F(Factory, refuses_what_it_does_not_know) {
  CosNaming::Name other = key;
  other[0].id = "Account";
  EXPECT_FALSE(factory->supports(other));
  EXPECT_THROW(factory->create_object(other, criteria), CosLifeCycle::NoFactory);
  want("Colour", CORBA::ULong(1));
  want("MaxQueueLength", "many");
  want("MaxNumProxies", CORBA::ULong(0));
  try {
    const CORBA::Object_var object = factory->create_object(key, criteria);
    ADD_FAILURE();
  } catch (const CosLifeCycle::InvalidCriteria& e) {
    EXPECT_EQ(e.invalid_criteria.length(), 3u);
  }
  criteria.length(0);
  want("InsName", "test");
  EXPECT_THROW(factory->create_object(key, criteria), CosLifeCycle::CannotMeetCriteria);
}

TEST_F(Factory, makes_and_finds_channels_by_name) {
  const admin::EventChannel_var made = factory->create_channel("mine");
  const admin::EventChannel_var found = factory->join_channel("mine");
  EXPECT_TRUE(found->_is_equivalent(made.in()));
  EXPECT_THROW(factory->create_channel("mine"), event::NameAlreadyUsed);
  EXPECT_THROW(factory->join_channel("nothing"), event::EventChannelNotFound);
  for (const std::string& bad : {std::string(), std::string("a b"), std::string(256, 'x'), std::string("RootPOA")})
    EXPECT_THROW(factory->create_channel(bad.c_str()), CORBA::BAD_PARAM) << bad;
}

}  // namespace
}  // namespace callis::events
