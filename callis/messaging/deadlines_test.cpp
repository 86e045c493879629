// SPDX-License-Identifier: Apache-2.0
// Limits of calls (CORBA 3.0.3, 22.2.4): which limit counts, and TIMEOUT with its minor codes and completion status.
#include <callis/messaging/testing/policies.h>
#include <callis/orb/client/call_terms.h>
#include <callis/transport/testing/ports.h>

namespace callis::messaging {
namespace {

using namespace testing;
using orb::CallTerms;
using orb::omg;
using std::chrono::milliseconds;

// The moment that many units of 100 ns from now.
TimeBase::UtcT in_units(std::int64_t units) {
  using Units = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
  constexpr std::int64_t kUnixEpoch = 122'192'928'000'000'000;  // as the Time Service counts
  const auto now = std::chrono::duration_cast<Units>(std::chrono::system_clock::now().time_since_epoch()).count();
  return {static_cast<TimeBase::TimeT>(kUnixEpoch + now + units), 0, 0, 0};
}

// --- what counts ---

struct Terms : ::testing::Test {
  Client client{{"-ORBCallTimeout", "30000", "-ORBConnectTimeout", "5000"}};
  CORBA::Object_var object = client.core->string_to_object("corbaloc::127.0.0.1:1/x");
  const TimePoint now{std::chrono::hours(1000)};
  const Deadline usual = Deadline::at(now + milliseconds(30'000));

  template <class Value>
  void add(CORBA::PolicyType type, const Value& value) { object = with(object, client.policy(type, value)); }
  CallTerms terms() { return CallTerms::of(*object->_callis_reference(), now, usual); }
  static milliseconds after(TimePoint from, Deadline d) {
    return std::chrono::duration_cast<milliseconds>(d.time() - from);
  }
};

TEST_F(Terms, without_policies_are_those_of_the_options) {
  const CallTerms t = terms();
  EXPECT_EQ(t.send.time(), usual.time());
  EXPECT_EQ(t.reply.time(), usual.time());
  EXPECT_EQ(t.connect_timeout, Duration(5000));
}

TEST_F(Terms, RelativeRoundtripTimeout_goes_before_the_option) {
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(90 * kSecond));
  const CallTerms t = terms();
  EXPECT_EQ(t.reply.time(), now + std::chrono::seconds(90));
  EXPECT_EQ(t.send.time(), t.reply.time());
}

TEST_F(Terms, RelativeRoundtripTimeout_is_exact_to_100_ns_and_0_is_none) {
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1));
  EXPECT_EQ(terms().reply.time(), now + std::chrono::nanoseconds(100));
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(0));
  EXPECT_TRUE(terms().reply.is_never());
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, ~TimeBase::TimeT(0));
  EXPECT_TRUE(terms().reply.is_never()) << "58,000 years";
}

TEST_F(Terms, RelativeRequestTimeout_bounds_sending_alone) {
  add(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(2 * kSecond));
  const CallTerms t = terms();
  EXPECT_EQ(t.send.time(), now + std::chrono::seconds(2));
  EXPECT_EQ(t.reply.time(), usual.time());
}

TEST_F(Terms, a_longer_limit_for_the_request_does_not_lengthen_the_whole) {
  add(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour));
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kSecond));
  EXPECT_EQ(terms().send.time(), now + std::chrono::seconds(1));
}

TEST_F(Terms, the_earlier_of_a_span_and_a_moment_counts) {
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour));
  add(Messaging::REPLY_END_TIME_POLICY_TYPE, in_units(60 * kSecond));
  EXPECT_NEAR(static_cast<double>(after(now, terms().reply).count()), 60'000, 30'000);
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kSecond));
  EXPECT_EQ(terms().reply.time(), now + std::chrono::seconds(1));
}

TEST_F(Terms, moments_that_are_past_are_now) {
  add(Messaging::REQUEST_END_TIME_POLICY_TYPE, in_units(-1));
  EXPECT_EQ(terms().send.time(), now);
  EXPECT_EQ(terms().reply.time(), usual.time());
  add(Messaging::REPLY_END_TIME_POLICY_TYPE, TimeBase::UtcT{0, 0, 0, 0});
  EXPECT_EQ(terms().reply.time(), now);
}

TEST_F(Terms, connection_timeouts_are_rounded_up_to_milliseconds) {
  add(Callis::CONNECTION_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1));
  EXPECT_EQ(terms().connect_timeout, Duration(1));
  add(Callis::CONNECTION_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kSecond + 1));
  EXPECT_EQ(terms().connect_timeout, Duration(1001));
  add(Callis::CONNECTION_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(0));
  EXPECT_EQ(terms().connect_timeout, Duration(0));
}

// --- what calls make of it ---

struct Deadlines : ::testing::Test {
  Client client;
  bool answering = true;
  ScriptedPeer peer{"deadlines", [this](Turn& t) { return !answering || t.echo(); }};
  CORBA::Object_var object = peer.object(*client.core);

  // The TIMEOUT of a call with that policy added.
  template <class Value>
  CORBA::TIMEOUT timeout(CORBA::PolicyType type, const Value& value) {
    object = with(object, client.policy(type, value));
    return caught<CORBA::TIMEOUT>([&] { echo(object, 1); });
  }
};

TEST_F(Deadlines, a_round_trip_that_is_over_before_it_starts_is_TIMEOUT_3_NO) {
  expect(timeout(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1)), omg(3), CORBA::COMPLETED_NO);
  EXPECT_EQ(peer.requests(), 0);
}

TEST_F(Deadlines, the_same_on_a_connection_that_is_open) {
  EXPECT_EQ(echo(object, 5), 5u);
  expect(timeout(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1)), omg(3), CORBA::COMPLETED_NO);
  EXPECT_EQ(peer.requests(), 1);
}

TEST_F(Deadlines, no_reply_in_time_is_TIMEOUT_3_MAYBE) {
  answering = false;  // over the memory transport what has not come will not come
  expect(timeout(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour)), omg(3), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(peer.requests(), 1);
}

TEST_F(Deadlines, ReplyEndTime_in_the_past_is_TIMEOUT_3_NO_and_later_MAYBE) {
  expect(timeout(Messaging::REPLY_END_TIME_POLICY_TYPE, in_units(-1)), omg(3), CORBA::COMPLETED_NO);
  answering = false;
  expect(timeout(Messaging::REPLY_END_TIME_POLICY_TYPE, in_units(kHour)), omg(3), CORBA::COMPLETED_MAYBE);
}

TEST_F(Deadlines, a_request_that_cannot_be_sent_in_time_is_TIMEOUT_2_NO) {
  expect(timeout(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1)), omg(2), CORBA::COMPLETED_NO);
  EXPECT_EQ(peer.requests(), 0);
}

TEST_F(Deadlines, RequestEndTime_in_the_past_is_TIMEOUT_2_NO) {
  expect(timeout(Messaging::REQUEST_END_TIME_POLICY_TYPE, in_units(-1)), omg(2), CORBA::COMPLETED_NO);
  EXPECT_EQ(peer.requests(), 0);
}

TEST_F(Deadlines, a_late_reply_is_no_matter_of_the_request_s_limit) {
  answering = false;
  object = with(object, client.timeout(kHour));
  expect(timeout(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kSecond)), omg(3),
         CORBA::COMPLETED_MAYBE);
}

TEST_F(Deadlines, the_option_s_limit_stays_TIMEOUT_2) {
  answering = false;
  expect(timeout(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour)), omg(2),
         CORBA::COMPLETED_MAYBE);
}

// The exception says the operation, the limit, and its scope.
TEST_F(Deadlines, are_named_with_their_scope_in_what) {
  answering = false;
  const auto has = [](const CORBA::TIMEOUT& e, const char* text) {
    return std::string_view(e.what()).find(text) != std::string_view::npos ? ::testing::AssertionSuccess()
                                                                          : ::testing::AssertionFailure() << e.what();
  };
  EXPECT_TRUE(has(caught<CORBA::TIMEOUT>([&] { echo(object, 1); }),
                  "echo() was not answered within 30000 ms (the default of -ORBCallTimeout); "));
  client.manager()->set_policy_overrides(list_of({client.timeout(kHour).in()}), CORBA::ADD_OVERRIDE);
  EXPECT_TRUE(has(caught<CORBA::TIMEOUT>([&] { echo(object, 1); }),
                  "within 3600000 ms (RelativeRoundtripTimeoutPolicy of the ORB); "));
  {
    ThreadPolicies thread(client);
    thread.set(client.policy(Messaging::REPLY_END_TIME_POLICY_TYPE, in_units(kSecond * 60)));
    EXPECT_TRUE(has(caught<CORBA::TIMEOUT>([&] { echo(object, 1); }),
                    "before the moment that ReplyEndTimePolicy of the thread sets; "));
  }
  EXPECT_TRUE(has(timeout(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kSecond * 60)),
                  "within 60000 ms (RelativeRoundtripTimeoutPolicy of the reference); "));
  EXPECT_TRUE(has(timeout(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1)),
                  "echo() could not be sent within 1 ms (RelativeRequestTimeoutPolicy of the reference); "));
}

TEST_F(Deadlines, calls_within_their_limits_succeed) {
  object = with(object, client.timeout(kHour));
  object = with(object, client.policy(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kHour)));
  object = with(object, client.policy(Messaging::REPLY_END_TIME_POLICY_TYPE, in_units(kHour)));
  object = with(object, client.policy(Messaging::REQUEST_END_TIME_POLICY_TYPE, in_units(kHour)));
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(echo(object, i), i);
  EXPECT_EQ(peer.connections(), 1);
}

TEST(DeadlinesOverTcp, while_connecting_are_TIMEOUT_3_NO) {
  Client client;
  transport::testing::SilentPort silent;
  CORBA::Object_var o =
      client.core->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(silent.port()) + "/x").c_str());
  CORBA::Object_var limited = with(o, client.timeout(kSecond / 20));
  expect(caught<CORBA::TIMEOUT>([&] { echo(limited, 1); }), omg(3), CORBA::COMPLETED_NO);
}

TEST(DeadlinesOverTcp, an_address_that_does_not_answer_is_TRANSIENT_after_ConnectionTimeout) {
  Client client;
  transport::testing::SilentPort silent;
  CORBA::Object_var o =
      client.core->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(silent.port()) + "/x").c_str());
  ThreadPolicies thread(client);
  thread.set(client.policy(Callis::CONNECTION_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(kSecond / 20)));
  expect(caught<CORBA::TRANSIENT>([&] { echo(o, 1); }), orb::own(Fault::ConnectTimeout), CORBA::COMPLETED_NO);
}

TEST(DeadlinesOverTcp, a_server_that_does_not_answer_is_TIMEOUT_3_MAYBE_each_time) {
  Client client;
  TcpPeer peer([](transport::Stream& s, int) {
    std::array<Byte, 1024> in;
    while (s.receive(in, Deadline()).ok()) {
    }
  });
  CORBA::Object_var o = with(peer.object(*client.core), client.timeout(kSecond / 20));
  for (int i = 1; i <= 2; ++i)
    expect(caught<CORBA::TIMEOUT>([&] { echo(o, 1); }), omg(3), CORBA::COMPLETED_MAYBE);
}

}  // namespace
}  // namespace callis::messaging
