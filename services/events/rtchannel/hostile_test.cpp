// SPDX-License-Identifier: Apache-2.0
// Consumers and suppliers that stop, fail, ask for too much or for nonsense; clocks that jump.
#include <services/events/rtchannel/testing/serving.h>
#include <gtest/gtest.h>
#include <limits>

namespace callis::rtevents {
namespace {

using namespace testing;
using namespace std::chrono_literals;

constexpr CORBA::Long kLowest = std::numeric_limits<CORBA::Long>::min();

TEST(RtHostile, giant_dependency_lists_are_refused_in_words) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto refused = [&](const Qos& qos, const std::string& part) {
    const std::string why = CORBA::String_var(s.consumers()->why_refused(qos)).in();
    EXPECT_NE(why.find(part), std::string::npos) << why;
    EXPECT_THROW(s.connect(consumer, qos), CORBA::BAD_PARAM) << part;
  };
  Qos many;
  many.qos.dependencies.length(4'097);
  for (CORBA::ULong i = 0; i < 4'097; ++i) many.qos.dependencies[i] = Qos().on(1, 20).qos.dependencies[0];
  refused(many, "its dependencies are 4097, and may be 4096");
  Qos terms;
  for (int i = 0; i < 65; ++i) terms.on(1, 20 + i);
  refused(terms, "group 1: its terms are 65, and may be 64");
  Qos groups;
  for (int i = 0; i < 65; ++i) groups.disjunction().on(1, 20 + i);
  refused(groups, "groups are 65, and may be 64");
  Qos infos;
  for (int i = 0; i < 65; ++i) infos.on(1, 20, 1 + i);
  refused(infos, "its RT_Infos are 65, and may be 64");
  refused(Qos(), "asks for nothing");
  refused(Qos().conjunction(), "group 1: it has no terms");
  refused(Qos().disjunction().within(10ms), "needs an event");
  refused(Qos().on(1, 20).within(10ms).within(20ms), "2 deadlines");
  refused(Qos().on(1, 20).every(0ms), "its period is 0 ms");
  refused(Qos().on(1, 20).every(std::chrono::hours(24 * 365)), "its period is");
  for (const CORBA::Long type : {1, 2, 3, 4, 10, 15, -1, kLowest}) refused(Qos().on(1, type), "which is none");
  EXPECT_STREQ(CORBA::String_var(s.consumers()->why_refused(Qos().on(1, 20))).in(), "");
  EXPECT_LE(s.counted("rt_proxies"), 64) << "and no consumer is left of them";
  EXPECT_EQ(own::ChannelState_var(s.channel->state())->consumers, static_cast<CORBA::ULong>(s.counted("rt_proxies")));
}

TEST(RtHostile, consumers_together_ask_for_no_more_than_there_may_be) {
  ServiceOptions options = quick();
  options.channel.qos.all_dependencies = 5;
  Serving s(options);
  auto& consumer = s.make<Consumer>();
  const auto first = s.connect(consumer, Qos().on(1, 20).on(1, 21).on(1, 22));
  EXPECT_THROW(s.connect(consumer, Qos().on(1, 20).on(1, 21).on(1, 22)), CORBA::IMP_LIMIT);
  const auto second = s.connect(consumer, Qos().on(1, 23).on(1, 24));
  EXPECT_THROW(second->change(Qos().on(1, 20).on(1, 21).on(1, 22)), CORBA::IMP_LIMIT);
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(1, 24, 2)});
  EXPECT_TRUE(consumer.got.wait([](const auto& all) { return all.size() == 2; })) << "both have what they had";
  first->disconnect_push_supplier();
  second->change(Qos().on(1, 20).on(1, 21).on(1, 22));
}

TEST(RtHostile, a_gateway_may_ask_for_as_much_as_there_may_be_and_gets_no_event_twice) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  Qos many;
  many.qos.is_gateway = true;
  for (CORBA::Long i = 0; i < 2'000; ++i) many.add(0, 20 + i, 0, 0, 5).add(1 + i, 0, 0, 0, -7);
  s.connect(consumer, many);
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(30, 30, 1), event(40, 40, 2)});
  EXPECT_TRUE(consumer.has_got({{1}, {2}}));
}

TEST(RtHostile, events_that_nobody_may_send_reach_nobody) {
  ServiceOptions options = quick();
  options.channel.event_bytes = 1'000;
  Serving s(options);
  auto& consumer = s.make<Consumer>();
  s.connect(consumer, Qos().on(0, 0));
  const auto supplier = s.pushing();
  for (const CORBA::Long type : {0, 5, 6, 8, 15, -1, kLowest}) {
    EXPECT_THROW(s.push(supplier.in(), {event(1, type, 1)}), CORBA::BAD_PARAM) << type;
  }
  EXPECT_THROW(s.push(supplier.in(), {event(0, 20, 1)}), CORBA::BAD_PARAM) << "no source";
  comm::Event large = event(1, 20, 1);
  large.data.payload.length(1'001);
  EXPECT_THROW(s.push(supplier.in(), {large, event(-5, 20, 2, kLowest)}), CORBA::IMP_LIMIT);
  s.push(supplier.in(), {});
  EXPECT_TRUE(consumer.has_got({{2}})) << "a source may be any number but 0";
  EXPECT_EQ(consumer.last_ttl.value(), 0);
  EXPECT_EQ(s.counted("rt_refused"), 9);
}

TEST(RtHostile, publications_that_no_supplier_may_send_are_refused) {
  Serving s;
  admin::SupplierQOS qos{{}, false};
  qos.publications.length(4'097);
  const auto proxy = s.push_consumer();
  EXPECT_THROW(proxy->connect_push_supplier(comm::PushSupplier::_nil(), qos), CORBA::BAD_PARAM);
  qos.publications.length(1);
  qos.publications[0].event = event(1, 7);
  qos.publications[0].dependency_info = {RtecBase::ONE_WAY_CALL, 0, 0};
  EXPECT_THROW(proxy->connect_push_supplier(comm::PushSupplier::_nil(), qos), CORBA::BAD_PARAM);
  qos.publications.length(0);
  proxy->connect_push_supplier(comm::PushSupplier::_nil(), qos);
}

TEST(RtHostile, a_stopped_consumer_delays_no_other_of_its_lane_and_is_dropped) {
  ServiceOptions options = quick();
  options.lanes = {{0, 1}};
  options.channel.subscriber.failures = 2;
  options.channel.subscriber.bounds.events = 10'000;
  Serving s(options);
  auto &stopped = s.make<Consumer>(), &good = s.make<Consumer>();
  stopped.hold(true);
  const auto p = s.connect(stopped, Qos().on(1, 20));
  s.connect(good, Qos().on(1, 20));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 0)});
  ASSERT_TRUE(stopped.inside.wait([](int n) { return n == 1; }));
  std::vector<Consumer::Numbers> all{{0}};
  for (CORBA::Long i = 1; i < 300; ++i) {
    s.push(supplier.in(), {event(1, 20, i)});
    all.push_back({i});
  }
  EXPECT_TRUE(good.has_got(all));
  EXPECT_TRUE(s.comes_to("rt_dropped", 1));
  EXPECT_THROW(p->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  stopped.hold(false);
}

TEST(RtHostile, a_consumer_that_is_not_there_is_dropped) {
  Serving s;
  auto& good = s.make<Consumer>();
  s.connect(good, Qos().on(1, 20));
  const CORBA::Object_var nobody = s.client->string_to_object("corbaloc::127.0.0.1:1/nobody");
  const admin::ProxyPushSupplier_var p = s.consumers()->obtain_push_supplier();
  p->connect_push_consumer(comm::PushConsumer_var(comm::PushConsumer::_unchecked_narrow(nobody.in())).in(),
                           Qos().on(1, 20));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(1, 20, 2)});
  EXPECT_TRUE(good.has_got({{1}, {2}}));
  EXPECT_TRUE(s.comes_to("rt_dropped", 1));
  EXPECT_EQ(s.counted("rt_failed"), 5);
}

TEST(RtHostile, a_full_queue_discards_as_its_consumer_asked) {
  ServiceOptions options = quick();
  options.channel.deadline = 20'000ms;
  Serving s(options);
  const own::Overflow policies[] = {own::DISCARD_OLDEST, own::DISCARD_NEWEST, own::DISCARD_BY_PRIORITY};
  std::vector<Consumer*> consumers;
  std::vector<own::ProxyPushSupplier_var> proxies;
  for (const own::Overflow policy : policies) {
    consumers.push_back(&s.make<Consumer>());
    consumers.back()->hold(true);
    proxies.push_back(s.connect(*consumers.back(), Qos().on(1, 20), s.terms(0, 2, policy)));
  }
  auto& disconnected = s.make<Consumer>();
  disconnected.hold(true);
  s.connect(disconnected, Qos().on(1, 20), s.terms(0, 2, own::DISCONNECT));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 0)});
  for (Consumer* each : consumers) ASSERT_TRUE(each->inside.wait([](int n) { return n == 1; }));
  ASSERT_TRUE(disconnected.inside.wait([](int n) { return n == 1; }));
  for (CORBA::Long i = 1; i < 5; ++i) s.push(supplier.in(), {event(1, 20, i)});
  EXPECT_EQ(own::ConsumerState_var(proxies[0]->state())->waiting, 2u);
  EXPECT_EQ(own::ConsumerState_var(proxies[0]->state())->discarded, 2u);
  for (Consumer* each : consumers) each->hold(false);
  disconnected.hold(false);
  EXPECT_TRUE(consumers[0]->has_got({{0}, {3}, {4}}));
  EXPECT_TRUE(consumers[1]->has_got({{0}, {1}, {2}}));
  EXPECT_TRUE(consumers[2]->has_got({{0}, {3}, {4}}));
  EXPECT_TRUE(disconnected.disconnected.wait([](int n) { return n == 1; }));
  EXPECT_TRUE(disconnected.has_got({{0}}));
}

TEST(RtHostile, proxies_are_bounded_and_those_that_nobody_connected_go_first) {
  ServiceOptions options = quick();
  options.channel.proxies = 2;
  Serving s(options);
  auto& consumer = s.make<Consumer>();
  const auto connected = s.connect(consumer, Qos().on(1, 20));
  const admin::ProxyPushSupplier_var idle = s.consumers()->obtain_push_supplier();
  const auto supplier = s.pushing();
  EXPECT_THROW(idle->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(s.push_consumer(), CORBA::IMP_LIMIT);
  s.push(supplier.in(), {event(1, 20, 1)});
  EXPECT_TRUE(consumer.has_got({{1}}));
}

TEST(RtHostile, proxies_that_nobody_connects_in_time_are_gone) {
  ServiceOptions options = quick();
  options.channel.connect_within = 1'000ms;
  Serving s(options);
  auto& consumer = s.make<Consumer>();
  const auto supplier = s.pushing();
  s.connect(consumer, Qos().on(1, 20));
  const admin::ProxyPushSupplier_var never = s.consumers()->obtain_push_supplier();
  EXPECT_EQ(s.counted("rt_proxies"), 3);
  EXPECT_TRUE(s.comes_to("rt_proxies", 2));
  EXPECT_THROW(never->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  s.push(supplier.in(), {event(1, 20, 1)});
  EXPECT_TRUE(consumer.has_got({{1}}));
}

// The creation time of an event is its supplier's, and decides nothing.
TEST(RtHostile, creation_times_that_jump_change_nothing) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  s.connect(consumer, Qos().conjunction().on(1, 20).on(2, 20).within(10'000ms));
  const auto supplier = s.pushing();
  CORBA::Long number = 0;
  std::vector<Consumer::Numbers> wanted;
  for (const comm::Time time : {comm::Time{0}, ~comm::Time{0}, comm::Time{1}, comm::Time{1} << 63}) {
    comm::Event first = event(1, 20, ++number), second = event(2, 20, ++number);
    first.header.creation_time = time;
    second.header.creation_time = ~time;
    s.push(supplier.in(), {first, second});
    wanted.push_back({number - 1, number});
  }
  EXPECT_TRUE(consumer.has_got(wanted));
}

TEST(RtHostile, the_service_ends_while_events_are_under_way) {
  for (int round = 0; round < 5; ++round) {
    Serving s;
    std::vector<Consumer*> consumers;
    for (int i = 0; i < 4; ++i) {
      consumers.push_back(&s.make<Consumer>());
      s.connect(*consumers.back(), Qos().on(1, 20).every(1ms));
    }
    const auto supplier = s.pushing();
    for (CORBA::Long i = 0; i < 20; ++i) s.push(supplier.in(), {event(1, 20, i)});
    s.end();
  }
}

}  // namespace
}  // namespace callis::rtevents
