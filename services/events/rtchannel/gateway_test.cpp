// SPDX-License-Identifier: Apache-2.0
// Federations of real-time channels: in one process, over sockets, each with an ORB and a service of its own.
#include <callis/base/testing/soon.h>
#include <services/events/rtchannel/testing/serving.h>
#include <gtest/gtest.h>

namespace callis::rtevents {
namespace {

using namespace testing;
using namespace std::chrono_literals;

// `to` takes from `from`.
void take(Serving& to, const Serving& from) { to.service->take_from("test", from.channel_ior); }

// Until a consumer of `at` gets an event that is sent at `from`: the gateways know by then what it wants.
bool arrives(Serving& from, Serving& at, CORBA::Long type, CORBA::Long ttl = 1) {
  auto& probe = at.make<Consumer>();
  const auto proxy = at.connect(probe, Qos().on(0, type));
  const auto supplier = from.pushing();
  const bool out = callis::testing::soon([&] {
    from.push(supplier.in(), {event(9, type, 0, ttl)});
    return !probe.got.value().empty();
  });
  proxy->disconnect_push_supplier();
  return out;
}

TEST(RtGateways, bring_what_consumers_here_want_and_nothing_else) {
  Serving a, b;
  take(b, a);
  auto& consumer = b.make<Consumer>();
  b.connect(consumer, Qos().on(1, 20));
  ASSERT_TRUE(arrives(a, b, 99));
  const auto supplier = a.pushing();
  a.push(supplier.in(), {event(1, 20, 0)});  // behind the last events of type 99, which may still be under way
  ASSERT_TRUE(consumer.has_got({{0}}));
  const auto before = b.counted("rt_received");
  a.push(supplier.in(), {event(1, 21, 1), event(2, 20, 2), event(1, 20, 3, 5), event(1, 20, 4, 0)});
  EXPECT_TRUE(consumer.has_got({{0}, {3}}));
  EXPECT_EQ(consumer.last_ttl.value(), 4) << "one less than it had";
  EXPECT_EQ(b.counted("rt_received"), before + 1) << "nobody wants the others, or they may go no further";
  EXPECT_EQ(b.counted("rt_gateways_connected"), 1);
}

TEST(RtGateways, ask_for_nothing_when_nobody_wants_anything) {
  Serving a, b;
  take(b, a);
  ASSERT_TRUE(arrives(a, b, 99));
  EXPECT_TRUE(b.comes_to("rt_gateways_connected", 0));
  EXPECT_TRUE(a.comes_to("rt_proxies", 1)) << "that of a supplier";
}

TEST(RtGateways, of_two_channels_send_nothing_back) {
  Serving a, b;
  take(b, a);
  take(a, b);
  auto &at_a = a.make<Consumer>(), &at_b = b.make<Consumer>();
  a.connect(at_a, Qos().on(1, 20));
  b.connect(at_b, Qos().on(1, 20));
  ASSERT_TRUE(arrives(a, b, 98));
  ASSERT_TRUE(arrives(b, a, 99));
  const auto of_a = a.pushing(), of_b = b.pushing();
  a.push(of_a.in(), {event(1, 20, 1, 1'000)});
  b.push(of_b.in(), {event(1, 20, 2, 1'000)});
  // Two further ones, so that what would come back has come.
  ASSERT_TRUE(at_a.got.wait([](const auto& all) { return all.size() >= 2; }));
  ASSERT_TRUE(at_b.got.wait([](const auto& all) { return all.size() >= 2; }));
  a.push(of_a.in(), {event(1, 20, 3, 1'000)});
  b.push(of_b.in(), {event(1, 20, 4, 1'000)});
  for (Consumer* each : {&at_a, &at_b}) {
    ASSERT_TRUE(each->got.wait([](const auto& all) { return all.size() >= 4; }));
    auto all = each->got.value();
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (std::vector<Consumer::Numbers>{{1}, {2}, {3}, {4}}));
  }
}

// Each of three channels takes from the one before it, in a circle; consumers everywhere want the event.
TEST(RtGateways, in_a_circle_pass_an_event_on_as_often_as_its_ttl_says) {
  ServiceOptions options = quick();
  options.channel.most_ttl = 7;
  Serving a(options), b(options), c(options);
  take(b, a);
  take(c, b);
  take(a, c);
  auto& at_a = a.make<Consumer>();
  std::vector<Consumer*> all{&at_a, &b.make<Consumer>(), &c.make<Consumer>()};
  a.connect(*all[0], Qos().on(1, 20));
  b.connect(*all[1], Qos().on(1, 20));
  c.connect(*all[2], Qos().on(1, 20));
  ASSERT_TRUE(arrives(a, b, 97) && arrives(b, c, 98) && arrives(c, a, 99));
  const auto supplier = a.pushing();
  a.push(supplier.in(), {event(1, 20, 1, 2)});
  ASSERT_TRUE(all[2]->has_got({{1}}));
  EXPECT_EQ(all[2]->last_ttl.value(), 0);
  // More than the channels allow counts as that: to b with 6, c 5, a 4, b 3, c 2, a 1, b 0.
  a.push(supplier.in(), {event(1, 20, 2, 1'000'000'000)});
  ASSERT_TRUE(all[1]->got.wait([](const auto& sets) { return sets.size() >= 4; }));
  EXPECT_TRUE(all[1]->has_got({{1}, {2}, {2}, {2}}));
  EXPECT_TRUE(at_a.has_got({{1}, {2}, {2}, {2}}));
  EXPECT_TRUE(all[2]->has_got({{1}, {2}, {2}}));
  EXPECT_EQ(all[1]->last_ttl.value(), 0);
}

// c takes from b, and b from a; nobody at b wants anything.
TEST(RtGateways, ask_through_others_as_far_as_the_reach_says) {
  ServiceOptions near = quick(), far = quick();
  far.channel.qos.reach = 2;
  for (const bool reaches : {true, false}) {
    Serving a, b, c(reaches ? far : near);
    take(b, a);
    take(c, b);
    if (reaches) {
      EXPECT_TRUE(arrives(a, c, 30, 2));
      EXPECT_TRUE(b.comes_to("rt_gateways_connected", 0)) << "what nobody wants any more is let go everywhere";
      continue;
    }
    auto& consumer = c.make<Consumer>();
    c.connect(consumer, Qos().on(1, 30));
    ASSERT_TRUE(arrives(b, c, 31));
    EXPECT_EQ(b.counted("rt_gateways_connected"), 0);
  }
}

TEST(RtGateways, connect_again_when_the_other_channel_comes_back) {
  Serving b;
  auto a = std::make_unique<Serving>();
  take(b, *a);
  ASSERT_TRUE(arrives(*a, b, 40));
  auto& consumer = b.make<Consumer>();
  b.connect(consumer, Qos().on(1, 20));
  ASSERT_TRUE(b.comes_to("rt_gateways_connected", 1));
  // Destroyed, and made anew under its name: the reference is good again.
  a->channel->destroy();
  EXPECT_TRUE(b.comes_to("rt_gateways_connected", 0));
  a->service->make("test");
  EXPECT_TRUE(b.comes_to("rt_gateways_connected", 1));
  const auto made = a->service->find("test");
  a->channel = a->seen<own::EventChannel>(made.in());
  const auto supplier = a->pushing();
  a->push(supplier.in(), {event(1, 20, 5)});
  EXPECT_TRUE(consumer.has_got({{5}}));
  // Gone for good: the channel goes on without it.
  a.reset();
  EXPECT_TRUE(b.comes_to("rt_gateways_connected", 0));
  const auto here = b.pushing();
  b.push(here.in(), {event(1, 20, 6)});
  EXPECT_TRUE(consumer.has_got({{5}, {6}}));
}

TEST(RtGateways, are_refused_where_nothing_can_be_taken_from) {
  ServiceOptions options = quick();
  options.gateway.gateways = 2;
  Serving s(options);
  EXPECT_THROW(s.service->take_from("none", s.channel_ior), own::Refused);
  EXPECT_THROW(s.service->take_from("test", "nonsense"), own::Refused);
  // From itself: it says so, and does not.
  s.service->take_from("test", s.channel_ior);
  s.service->take_from("test", "corbaloc::127.0.0.1:1/none");
  EXPECT_THROW(s.service->take_from("test", "corbaloc::127.0.0.1:1/none"), own::Refused) << "there are two";
  auto& consumer = s.make<Consumer>();
  s.connect(consumer, Qos().on(1, 20));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1), event(1, 20, 2)});
  EXPECT_TRUE(consumer.has_got({{1}, {2}}));
  EXPECT_EQ(s.counted("rt_gateways"), 2);
  EXPECT_EQ(s.counted("rt_gateways_connected"), 0);
}

}  // namespace
}  // namespace callis::rtevents
