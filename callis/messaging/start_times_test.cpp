// SPDX-License-Identifier: Apache-2.0
// Clients keep to RequestStartTime and ReplyStartTime (CORBA 3.0.3, 22.2.4.1 and 22.2.4.3), whatever the server does.
#include <callis/messaging/testing/policies.h>
#include <callis/orb/base/utc.h>
#include <callis/orb/client/call_terms.h>
#include <thread>

namespace callis::messaging {
namespace {

using namespace testing;
using orb::omg;
using orb::utc_now;

struct StartTimes : ::testing::Test {
  StartTimes() {
    server.handler.before = [this](orb::ServerRequest&) { executed = utc_now(); };
  }
  void start(CORBA::PolicyType type, ior::Moment m) { object = with(object, client.policy(type, at(m))); }
  void expect_timeout(CORBA::ULong minor) {
    expect(caught<CORBA::TIMEOUT>([&] { echo(object, 1); }), omg(minor), CORBA::COMPLETED_NO);
    EXPECT_EQ(server.handler.requests, 0);
  }

  ior::Moment executed = 0;
  EchoServer server{{"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndTimes", "client"}};
  Client client;
  CORBA::Object_var object = server.object_for(*client.core);
};

TEST_F(StartTimes, of_requests_are_waited_for_before_they_are_sent) {
  const ior::Moment moment = utc_now() + kSecond / 20;
  start(Messaging::REQUEST_START_TIME_POLICY_TYPE, moment);
  EXPECT_EQ(echo(object, 7), 7u);
  EXPECT_GE(executed, moment);
  EXPECT_EQ(echo(object, 8), 8u) << "the moment has passed";
}

TEST_F(StartTimes, of_replies_are_waited_for_behind_the_upcall) {
  const ior::Moment moment = utc_now() + kSecond / 10;
  start(Messaging::REPLY_START_TIME_POLICY_TYPE, moment);
  EXPECT_EQ(echo(object, 7), 7u);
  EXPECT_GE(utc_now(), moment);
  EXPECT_GT(executed, 0u);
}

TEST_F(StartTimes, of_replies_hold_for_exceptions_of_the_server_and_not_for_ours) {
  const ior::Moment moment = utc_now() + kSecond / 20;
  start(Messaging::REPLY_START_TIME_POLICY_TYPE, moment);
  (void)caught<CORBA::BAD_OPERATION>([&] { call_ulong(object, "no such operation", 1, false); });
  EXPECT_GE(utc_now(), moment);
  object = client.core->string_to_object("corbaloc:iiop:1.2@127.0.0.1:1/x");
  const ior::Moment later = utc_now() + 20 * kSecond;
  start(Messaging::REPLY_START_TIME_POLICY_TYPE, later);
  (void)caught<CORBA::TRANSIENT>([&] { echo(object, 1); });
  EXPECT_LT(utc_now(), later);
}

TEST_F(StartTimes, beyond_the_end_are_TIMEOUT_at_once_and_nothing_is_sent) {
  const CORBA::Object_var plain = object;
  start(Messaging::REQUEST_START_TIME_POLICY_TYPE, utc_now() + kHour);  // the call's own limit is 30 s
  expect_timeout(2);
  object = plain;
  start(Messaging::REPLY_START_TIME_POLICY_TYPE, utc_now() + kHour);
  expect_timeout(3);
  object = with(plain, client.policy(Messaging::REPLY_END_TIME_POLICY_TYPE, at(utc_now() + kSecond)));
  start(Messaging::REPLY_START_TIME_POLICY_TYPE, utc_now() + 2 * kSecond);
  expect_timeout(3);
}

TEST_F(StartTimes, of_all_policies_are_given_back) {
  const CORBA::Policy_var p = client.policy(Messaging::REQUEST_START_TIME_POLICY_TYPE, at(4711));
  EXPECT_EQ(p->policy_type(), Messaging::REQUEST_START_TIME_POLICY_TYPE);
  const auto typed = Messaging::RequestStartTimePolicy_var(Messaging::RequestStartTimePolicy::_narrow(p));
  EXPECT_EQ(typed->start_time().time, 4711u);
}

TEST_F(StartTimes, end_with_the_orb) {
  client.manager()->set_policy_overrides(
      list_of({client.policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(0)),
               client.policy(Messaging::REQUEST_START_TIME_POLICY_TYPE, at(utc_now() + kHour))}),
      CORBA::SET_OVERRIDE);
  std::thread shutdown([&] { client.core->shutdown(true); });
  expect(caught<CORBA::BAD_INV_ORDER>([&] { echo(object, 1); }), omg(4), CORBA::COMPLETED_NO);
  shutdown.join();
  EXPECT_EQ(server.handler.requests, 0);
}

}  // namespace
}  // namespace callis::messaging
