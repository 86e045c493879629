// SPDX-License-Identifier: Apache-2.0
// The service context INVOCATION_POLICIES tells servers the policies of a call, and servers act on them (CORBA 3.0.3,
// 22.2.4 and 22.3).
#include <callis/messaging/testing/policies.h>
#include <callis/orb/base/utc.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>

namespace callis::messaging {
namespace {

using namespace testing;
using orb::omg;
using orb::utc_now;
using Octets = std::vector<Byte>;

Octets copied(ByteView v) { return {v.begin(), v.end()}; }

// --- Clients ---

struct Told : ::testing::Test {
  explicit Told(std::vector<std::string> options = {}) : client(std::move(options)) {
    server.handler.before = [this](orb::ServerRequest& r) {
      const giop::ServiceContext* const c = r.header()->contexts.find(giop::kInvocationPoliciesContext);
      told = c ? copied(c->data) : Octets();
    };
  }
  // Returns the context that the server gets with a call, with the policies of `object`.
  Octets of_call() {
    EXPECT_EQ(echo(object, 7), 7u);
    return told;
  }
  template <class Value>
  void add(CORBA::PolicyType type, const Value& value) { object = with(object, client.policy(type, value)); }
  std::optional<ior::Moment> moment(std::uint32_t type) {
    const auto value = ior::find_policy_value(told, type);
    return value && !value->empty() ? ior::read_moment(value.value()) : std::nullopt;
  }

  Octets told;
  EchoServer server{{"-ORBEndpoint", "tcp:127.0.0.1:0"}};
  Client client;
  CORBA::Object_var object = server.object_for(*client.core);
};

TEST_F(Told, nothing_without_policies_and_with_those_that_end_here) {
  EXPECT_TRUE(of_call().empty());
  add(Messaging::REBIND_POLICY_TYPE, Messaging::NO_RECONNECT);
  add(Callis::CONNECTION_TIMEOUT_POLICY_TYPE, kHour);
  EXPECT_TRUE(of_call().empty());
}

TEST_F(Told, end_times_as_they_were_set) {
  const ior::Moment request = utc_now() + kHour, reply = request + 5;
  add(Messaging::REPLY_END_TIME_POLICY_TYPE, at(reply));
  add(Messaging::REQUEST_END_TIME_POLICY_TYPE, at(request));
  ior::PolicyValues expected;
  expected.add(28, request);
  expected.add(30, reply);
  EXPECT_EQ(of_call(), copied(expected.bytes()));
  EXPECT_EQ(of_call(), copied(expected.bytes())) << "each request";
}

TEST_F(Told, start_times_as_they_were_set) {
  const ior::Moment now = utc_now();
  add(Messaging::REPLY_START_TIME_POLICY_TYPE, at(now - 1));
  add(Messaging::REQUEST_START_TIME_POLICY_TYPE, at(now - 2));
  ior::PolicyValues expected;
  expected.add(27, now - 2);
  expected.add(29, now - 1);
  EXPECT_EQ(of_call(), copied(expected.bytes()));
}

TEST_F(Told, spans_as_the_moments_that_they_end_at) {
  add(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour));
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(2 * kHour));
  const ior::Moment before = utc_now();
  of_call();
  const ior::Moment after = utc_now();
  ASSERT_TRUE(moment(28) && moment(30));
  EXPECT_GE(*moment(28), before + kHour);
  EXPECT_LE(*moment(28), after + kHour);
  EXPECT_EQ(*moment(30) - *moment(28), kHour);
}

TEST_F(Told, the_earlier_of_a_span_and_a_moment) {
  const ior::Moment end = utc_now() + kHour;
  add(Messaging::REPLY_END_TIME_POLICY_TYPE, at(end));
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(2 * kHour));
  of_call();
  EXPECT_EQ(moment(30), end);
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour / 2));
  of_call();
  EXPECT_LT(*moment(30), end);
}

TEST_F(Told, no_end_for_spans_of_0_and_beyond_all_clocks) {
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(0));
  EXPECT_TRUE(of_call().empty());
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, ~TimeBase::TimeT(0));
  EXPECT_TRUE(of_call().empty());
}

TEST_F(Told, priorities_and_what_routers_go_by) {
  add(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{1, 2});
  add(Messaging::REPLY_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{-1, 3});
  add(Messaging::ROUTING_POLICY_TYPE, Messaging::RoutingTypeRange{0, 2});
  add(Messaging::QUEUE_ORDER_POLICY_TYPE, CORBA::UShort(15));
  ior::PolicyValues expected;
  expected.add(25, ior::ShortRange{1, 2});
  expected.add(26, ior::ShortRange{-1, 3});
  expected.add(33, ior::ShortRange{0, 2});
  expected.add(35, std::uint16_t(15));
  EXPECT_EQ(of_call(), copied(expected.bytes()));
}

TEST_F(Told, calls_without_policies_in_between_tell_nothing) {
  const CORBA::Object_var plain = object;
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(of_call().empty());
    echo(plain, 1);
    EXPECT_TRUE(told.empty());
  }
}

struct ToldByOption : Told {
  ToldByOption() : Told({"-ORBEndTimes", "client"}) {}
};
TEST_F(ToldByOption, end_times_are_not) {
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour));
  add(Messaging::REQUEST_END_TIME_POLICY_TYPE, at(utc_now() + kHour));
  EXPECT_TRUE(of_call().empty());
  add(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{1, 2});
  EXPECT_FALSE(of_call().empty());
  EXPECT_FALSE(moment(28) || moment(30));
}

// --- References that say what their server allows ---

struct Carried : Told {
  // The object with that in TAG_POLICIES.
  void carry(ByteView policies) {
    ior::Ior ior = server.reference->ior();
    ior::add_components(ior, client.core->limits(), [&](std::uint32_t, std::vector<ior::TaggedComponent>& to) {
      to.push_back({ior::kPolicies, {policies.begin(), policies.end()}});
    });
    object = client.core->string_to_object(ior::to_text(ior).c_str());
  }
};

TEST_F(Carried, what_both_sides_allow_is_told) {
  ior::PolicyValues allowed(ByteOrder::Big), expected;
  allowed.add(25, ior::ShortRange{0, 10});
  expected.add(25, ior::ShortRange{5, 10});
  carry(allowed.bytes());
  EXPECT_TRUE(of_call().empty()) << "the server knows its own";
  add(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{5, 20});
  EXPECT_EQ(of_call(), copied(expected.bytes()));
}

TEST_F(Carried, nothing_in_common_is_INV_POLICY_1_NO_and_the_connection_stays) {
  ior::PolicyValues allowed;
  allowed.add(25, ior::ShortRange{0, 10});
  carry(allowed.bytes());
  EXPECT_EQ(echo(object, 1), 1u);
  const CORBA::Object_var against =
      with(object, client.policy(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{11, 20}));
  for (int i = 0; i < 3; ++i)
    expect(caught<CORBA::INV_POLICY>([&] { echo(against, 1); }), omg(1), CORBA::COMPLETED_NO);
  EXPECT_EQ(echo(object, 2), 2u);
  EXPECT_EQ(server.handler.requests, 2);
  EXPECT_EQ(server.core->server().connections(), 1u);
}

TEST_F(Carried, malformed_ones_allow_everything) {
  add(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{5, 20});
  const Octets own = of_call();
  ior::PolicyValues allowed;
  allowed.add(25, ior::ShortRange{0, 10});
  for (std::size_t n = 0; n < allowed.bytes().size(); ++n) {
    carry(allowed.bytes().first(n));
    add(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{5, 20});
    EXPECT_EQ(of_call(), own) << n;
  }
}

// --- Servers ---

struct ToldServer : ::testing::Test {
  explicit ToldServer(std::vector<std::string> options = {}) : server(std::move(options)) {}

  Heard say(ByteView policies, RawRequest r = {}) {
    const giop::ServiceContext contexts[] = {{giop::kInvocationPoliciesContext, policies}};
    r.contexts = contexts;
    r.id = ++id;
    EXPECT_TRUE(client.send(message(r)));
    return r.response == giop::ResponseFlags::None ? Heard{} : client.hear();
  }
  static Octets ends(std::uint32_t type, ior::Moment at, ByteOrder order = kNativeOrder) {
    ior::PolicyValues values(order);
    values.add(type, at);
    return copied(values.bytes());
  }
  void expect_late(const Heard& h) {
    EXPECT_EQ(h.status, giop::ReplyStatus::SystemException);
    EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/TIMEOUT:1.0");
    EXPECT_EQ(h.minor, omg(2));
    EXPECT_EQ(h.completed, giop::Completion::No);
  }

  EchoServer server;
  RawClient client{*server.core};
  std::uint32_t id = 0;
};

TEST_F(ToldServer, requests_whose_RequestEndTime_has_passed_are_TIMEOUT_2_NO) {
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little})
    for (const giop::Version v : {giop::kGiop10, giop::kGiop11, giop::kGiop12})
      expect_late(say(ends(28, utc_now() - 1, order), {.version = v, .order = order}));
  expect_late(say(ends(28, 0)));
  EXPECT_EQ(server.handler.requests, 0);
}

TEST_F(ToldServer, others_are_executed) {
  for (const Octets& told :
       {ends(28, utc_now() + kHour), ends(28, ~ior::Moment(0)), ends(30, 1), ends(27, 1), ends(0xffff'ffff, 1)})
    EXPECT_EQ(say(told).value, 1u);
  EXPECT_EQ(server.handler.requests, 5);
}

TEST_F(ToldServer, requests_are_held_until_their_RequestStartTime) {
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    const ior::Moment start = utc_now() + kSecond / 20;
    EXPECT_EQ(say(ends(27, start, order)).value, 1u);
    EXPECT_GE(utc_now(), start);
  }
}

TEST_F(ToldServer, requests_that_end_before_they_start_are_TIMEOUT_2_NO) {
  ior::PolicyValues values;
  values.add(27, utc_now() + 2 * kHour);
  values.add(28, utc_now() + kHour);
  expect_late(say(values.bytes()));
  EXPECT_EQ(server.handler.requests, 0);
}

TEST_F(ToldServer, requests_are_not_held_for_longer_than_a_call_may_take) {
  for (const ior::Moment start : {utc_now() + kHour, ~ior::Moment(0)}) {
    const Heard h = say(ends(27, start));
    EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/TRANSIENT:1.0");
    EXPECT_EQ(h.minor, orb::kNotHeld);
    EXPECT_EQ(h.completed, giop::Completion::No);
  }
  const RawRequest r{.operation = "tell", .argument = 5, .response = giop::ResponseFlags::WithServer};
  EXPECT_EQ(say(ends(27, utc_now() + kHour), r).status, giop::ReplyStatus::NoException) << "before it is looked at";
  EXPECT_EQ(server.handler.requests, 0);
  EXPECT_EQ(say(ends(30, 1)).value, 1u);
}

TEST_F(ToldServer, oneways_that_are_late_are_dropped) {
  say(ends(28, 1), {.operation = "tell", .argument = 5, .response = giop::ResponseFlags::None});
  say(ends(28, utc_now() + kHour), {.operation = "tell", .argument = 6, .response = giop::ResponseFlags::None});
  EXPECT_EQ(say(ends(30, 1), {.operation = "last", .argument = {}}).value, 6u);
  EXPECT_EQ(server.handler.requests, 2);
}

TEST_F(ToldServer, SYNC_WITH_SERVER_is_answered_once) {
  const RawRequest r{.operation = "tell", .argument = 5, .response = giop::ResponseFlags::WithServer};
  expect_late(say(ends(28, 1), r));
  EXPECT_EQ(say(ends(28, utc_now() + kHour), r).status, giop::ReplyStatus::NoException);
  EXPECT_EQ(say(ends(30, 1), {.operation = "last", .argument = {}}).value, 5u);
}

// The header is that of a request that has been executed; only time has gone on.
TEST_F(ToldServer, the_same_bytes_are_late_when_their_time_has_come) {
  const Octets told = ends(28, utc_now() + kSecond / 20);
  const giop::ServiceContext contexts[] = {{giop::kInvocationPoliciesContext, told}};
  const auto bytes = message({.contexts = contexts});
  Heard h;
  for (const auto start = utc_now(); utc_now() < start + 20 * kSecond;) {
    ASSERT_TRUE(client.send(bytes));
    h = client.hear();
    if (h.status == giop::ReplyStatus::SystemException) break;
  }
  expect_late(h);
}

TEST_F(ToldServer, malformed_policies_are_MARSHAL_NO_and_the_connection_stays) {
  const Octets whole = ends(28, utc_now() + kHour);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const Heard h = say(ByteView(whole).first(n));
    EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/MARSHAL:1.0") << n;
    EXPECT_EQ(h.completed, giop::Completion::No);
  }
  Octets count = whole;
  count[7] = count[4] = 0xff;
  EXPECT_EQ(say(count).status, giop::ReplyStatus::SystemException);
  EXPECT_EQ(server.handler.requests, 0);
  EXPECT_EQ(say(whole).value, 1u);
}

// On one connection, in the models with threads of the ORB's own: so many are held, and others are served meanwhile.
TEST(ToldServerThreads, are_not_all_held_by_one_client) {
  for (const char* model : {"pool", "connection"}) {
    ModelServer server(model);
    RawClient client(server.port());
    ior::PolicyValues values;
    values.add(27, utc_now() + 25 * kSecond);
    const giop::ServiceContext contexts[] = {{giop::kInvocationPoliciesContext, values.bytes()}};
    for (std::uint32_t id = 1; id <= 80; ++id)
      ASSERT_TRUE(client.send(message({.id = id, .contexts = contexts})));
    for (int i = 0; i < 16; ++i) EXPECT_EQ(client.hear().minor, orb::kNotHeld);
    ASSERT_TRUE(client.send(message({.argument = 7, .id = 100})));
    EXPECT_EQ(client.hear().value, 7u) << model;
    EXPECT_EQ(server.handler.requests, 1);
    server.core->shutdown(true);
    int answers = 0;
    while (client.hear().kind == giop::EventKind::Message) ++answers;
    EXPECT_EQ(answers, 64) << "none is lost";
  }
}

TEST(ToldServerThreads, of_the_application_are_not_held) {
  ModelServer server("single");
  RawClient client(server.port());
  ior::PolicyValues values;
  values.add(27, utc_now() + kSecond);
  const giop::ServiceContext contexts[] = {{giop::kInvocationPoliciesContext, values.bytes()}};
  ASSERT_TRUE(client.send(message({.contexts = contexts})));
  EXPECT_EQ(client.hear().minor, orb::kNotHeld);
}

struct ToldServerByOption : ToldServer {
  ToldServerByOption() : ToldServer({"-ORBEndTimes", "client"}) {}
};
TEST_F(ToldServerByOption, requests_are_executed_whatever_their_times) {
  EXPECT_EQ(say(ends(28, 1)).value, 1u);
  EXPECT_EQ(say(ends(27, utc_now() + kHour)).value, 1u);
}

}  // namespace
}  // namespace callis::messaging
