// SPDX-License-Identifier: Apache-2.0
// Real-time channels over sockets: filters, correlation, timeouts, priorities, proxies.
#include <services/events/rtchannel/testing/serving.h>
#include <gtest/gtest.h>

namespace callis::rtevents {
namespace {

using namespace testing;
using namespace std::chrono_literals;

TEST(RtEvents, reach_those_who_want_their_source_and_type_in_order) {
  Serving s;
  auto &both = s.make<Consumer>(), &source = s.make<Consumer>(), &type = s.make<Consumer>();
  auto& all = s.make<Consumer>();
  s.connect(both, Qos().disjunction().on(1, 20));
  s.connect(source, Qos().on(1, 0));  // without a designator: a disjunction
  s.connect(type, Qos().group(comm::GLOBAL_DESIGNATOR).on(0, 20).on(0, 21));
  s.connect(all, Qos().on(0, 0));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(2, 20, 2)});
  s.push(supplier.in(), {event(1, 21, 3), event(2, 22, 4), event(1, 20, 5)});
  EXPECT_TRUE(both.has_got({{1}, {5}}));
  EXPECT_TRUE(source.has_got({{1}, {3}, {5}}));
  EXPECT_TRUE(type.has_got({{1}, {2}, {3}, {5}}));
  EXPECT_TRUE(all.has_got({{1}, {2}, {3}, {4}, {5}}));
  EXPECT_TRUE(s.comes_to("rt_delivered", 14));
  EXPECT_EQ(s.counted("rt_received"), 5);
}

TEST(RtEvents, keep_their_header_and_data) {
  Serving s;
  struct Whole : Consumer {
    void push(const comm::EventSet& data) override {
      seen = data[0];
      Consumer::push(data);
    }
    comm::Event seen;
  };
  auto& consumer = s.make<Whole>();
  s.connect(consumer, Qos().on(7, 16));
  comm::Event sent = event(7, 16, 5, 3);
  sent.header.creation_time = 0x1234'5678'9abcULL;
  sent.data.payload.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) sent.data.payload[i] = static_cast<CORBA::Octet>(i + 1);
  sent.data.any_value <<= "text";
  const auto supplier = s.pushing();
  s.push(supplier.in(), {sent});
  ASSERT_TRUE(consumer.has_got({{5}}));
  EXPECT_EQ(consumer.seen.header.ttl, 3);
  EXPECT_EQ(consumer.seen.header.creation_time, sent.header.creation_time);
  EXPECT_EQ(consumer.seen.data.payload.length(), 3u);
  EXPECT_EQ(consumer.seen.data.payload[2], 3);
  const char* text = nullptr;
  ASSERT_TRUE(consumer.seen.data.any_value >>= text);
  EXPECT_STREQ(text, "text");
}

TEST(RtEvents, of_a_conjunction_come_together_the_newest_of_each) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  s.connect(consumer, Qos().conjunction().on(1, 20).on(2, 20).disjunction().on(3, 30));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(1, 20, 2), event(3, 30, 3), event(2, 20, 4), event(2, 20, 5)});
  EXPECT_TRUE(consumer.has_got({{3}, {2, 4}}));
}

TEST(RtEvents, timeouts_tell_of_deadlines_and_of_intervals) {
  Serving s;
  auto &late = s.make<Consumer>(), &regular = s.make<Consumer>(), &never = s.make<Consumer>();
  s.connect(never, Qos().on(1, 20));
  s.connect(late, Qos().conjunction().on(1, 20).on(2, 20).within(30ms));
  s.connect(regular, Qos().conjunction().on(1, 20).every(20ms));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1)});
  ASSERT_TRUE(late.got.wait([](const auto& all) { return all.size() >= 2; }));
  const auto sets = late.got.value();
  // The event before the first deadline, or after it, on a machine that is busy.
  EXPECT_TRUE(std::count(sets.begin(), sets.end(), Consumer::Numbers{1, -comm::DEADLINE_TIMEOUT}) == 1);
  EXPECT_TRUE(std::count(sets.begin(), sets.end(), Consumer::Numbers{-comm::DEADLINE_TIMEOUT}) >= 1);
  EXPECT_TRUE(regular.has_got({{1, -comm::INTERVAL_TIMEOUT}}));
  EXPECT_TRUE(never.has_got({{1}}));
}

TEST(RtConsumers, change_what_they_want) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto proxy = s.connect(consumer, Qos().on(1, 20));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(1, 21, 2)});
  proxy->change(Qos().on(1, 21));
  s.push(supplier.in(), {event(1, 20, 3), event(1, 21, 4)});
  EXPECT_TRUE(consumer.has_got({{1}, {4}}));
  EXPECT_THROW(proxy->change(Qos()), own::Refused);
}

TEST(RtConsumers, get_nothing_while_they_are_suspended) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto proxy = s.connect(consumer, Qos().on(1, 20));
  const auto supplier = s.pushing();
  proxy->suspend_connection();
  EXPECT_TRUE(own::ConsumerState_var(proxy->state())->suspended);
  s.push(supplier.in(), {event(1, 20, 1)});
  proxy->resume_connection();
  s.push(supplier.in(), {event(1, 20, 2)});
  EXPECT_TRUE(consumer.has_got({{2}}));
}

TEST(RtConsumers, may_disconnect_within_push) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto proxy = s.connect(consumer, Qos().on(1, 20));
  consumer.also = [&] { proxy->disconnect_push_supplier(); };
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(1, 20, 2)});
  EXPECT_TRUE(consumer.has_got({{1}}));
  EXPECT_TRUE(s.comes_to("rt_proxies", 1));
  EXPECT_THROW(proxy->state(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(consumer.disconnected.value(), 0) << "who disconnects is not called back";
}

TEST(RtProxies, are_connected_once_and_to_consumers_only) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto reference = s.reference_of<comm::PushConsumer>(consumer);
  const admin::ProxyPushSupplier_var proxy = s.consumers()->obtain_push_supplier();
  EXPECT_THROW(proxy->suspend_connection(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(proxy->connect_push_consumer(comm::PushConsumer::_nil(), Qos().on(1, 20)), CORBA::BAD_PARAM);
  const comm::PushConsumer_var other = comm::PushConsumer::_unchecked_narrow(s.channel.in());
  EXPECT_THROW(proxy->connect_push_consumer(other.in(), Qos().on(1, 20)), admin::TypeError);
  proxy->connect_push_consumer(reference.in(), Qos().on(1, 20));
  EXPECT_THROW(proxy->connect_push_consumer(reference.in(), Qos().on(1, 20)), admin::AlreadyConnected);
  proxy->disconnect_push_supplier();
  EXPECT_THROW(proxy->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  const auto pushed_to = s.push_consumer();
  EXPECT_THROW(s.push(pushed_to.in(), {event(1, 20)}), CORBA::BAD_INV_ORDER);
  pushed_to->connect_push_supplier(comm::PushSupplier::_nil(), admin::SupplierQOS{{}, false});
  EXPECT_THROW(pushed_to->connect_push_supplier(comm::PushSupplier::_nil(), admin::SupplierQOS{{}, false}),
               admin::AlreadyConnected);
}

TEST(RtSuppliers, send_what_they_publish_and_nothing_else) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  s.connect(consumer, Qos().on(0, 0));
  admin::SupplierQOS qos{{}, false};
  qos.publications.length(2);
  qos.publications[0].event = event(1, 20);
  qos.publications[1].event = event(2, 0);
  for (CORBA::ULong i = 0; i < 2; ++i)
    qos.publications[i].dependency_info = {RtecBase::ONE_WAY_CALL, 1, 0};
  const auto proxy = s.push_consumer();
  proxy->connect_push_supplier(comm::PushSupplier::_nil(), qos);
  EXPECT_THROW(s.push(proxy.in(), {event(1, 20, 1), event(1, 21, 2), event(2, 99, 3)}), CORBA::BAD_PARAM);
  EXPECT_TRUE(consumer.has_got({{1}, {3}}));
  EXPECT_EQ(s.counted("rt_refused"), 1);
}

TEST(RtChannels, tell_everybody_when_they_are_destroyed) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  auto& supplier = s.make<Supplier>();
  s.connect(consumer, Qos().on(1, 20));
  s.push_consumer()->connect_push_supplier(s.reference_of<comm::PushSupplier>(supplier).in(),
                                           admin::SupplierQOS{{}, false});
  s.channel->destroy();
  EXPECT_TRUE(consumer.disconnected.wait([](int n) { return n == 1; }));
  EXPECT_TRUE(supplier.disconnected.wait([](int n) { return n == 1; }));
  EXPECT_THROW(s.channel->destroy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(s.counted("rt_channels"), 0);
}

TEST(RtFactory, makes_finds_and_lists_channels) {
  ServiceOptions options = quick();
  options.channels = 2;
  Serving s(options);
  const auto factory = s.seen<own::EventChannelFactory>(s.service->reference().in());
  const own::EventChannel_var made = factory->create("radar/1");
  EXPECT_TRUE(made->_is_equivalent(own::EventChannel_var(factory->find("radar/1")).in()));
  EXPECT_THROW(factory->create("radar/1"), own::Refused);
  EXPECT_THROW(factory->create("more"), own::Refused) << "there are as many as there may be";
  EXPECT_THROW(factory->create("a b"), own::Refused);
  EXPECT_THROW(factory->find("none"), own::Refused);
  const own::ChannelStates_var states = factory->list();
  ASSERT_EQ(states->length(), 2u);
  EXPECT_STREQ(states[0].name.in(), "radar/1");
  EXPECT_STREQ(states[1].name.in(), "test");
  EXPECT_STRNE(CORBA::String_var(made->id()).in(), CORBA::String_var(s.channel->id()).in());
}

TEST(RtPriorities, of_consumers_choose_the_lane_and_a_held_one_delays_no_other_lane) {
  ServiceOptions options = quick();
  options.lanes = {{0, 1}, {50, 1}};
  options.channel.deadline = 5'000ms;
  Serving s(options);
  auto &low = s.make<Consumer>(), &high = s.make<Consumer>();
  low.hold(true);
  s.connect(low, Qos().on(1, 20), s.terms(10));
  s.connect(high, Qos().on(1, 20), s.terms(70));
  const auto supplier = s.pushing();
  for (CORBA::Long i = 0; i < 5; ++i) s.push(supplier.in(), {event(1, 20, i)});
  EXPECT_TRUE(high.has_got({{0}, {1}, {2}, {3}, {4}}));
  EXPECT_TRUE(low.got.value().empty());
  low.hold(false);
  EXPECT_TRUE(low.has_got({{0}, {1}, {2}, {3}, {4}}));
  EXPECT_THROW(s.consumers()->obtain_push_supplier_with(s.terms(-2)), own::Refused);
}

}  // namespace
}  // namespace callis::rtevents
