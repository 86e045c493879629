// SPDX-License-Identifier: Apache-2.0
// callis::deadline() and ThreadDeadline: what calls keep to, for how long, and what they leave alone.
#include <callis/deadline.h>
#include <callis/messaging/testing/policies.h>
#include <callis/orb/client/call_terms.h>
#include <thread>
#include "log.h"

namespace callis::messaging {
namespace {

using namespace testing;
using namespace std::chrono_literals;
using orb::CallTerms;
using orb::omg;

constexpr char kNowhere[] = "corbaloc::127.0.0.1:1/x";

struct DeadlineInOneLine : ::testing::Test {
  Client client{{"-ORBCallTimeout", "30000"}};
  CORBA::Object_var object = client.core->string_to_object(kNowhere);
  const TimePoint now{std::chrono::hours(1000)};

  // Returns how long a call may take that begins now.
  std::chrono::nanoseconds limit_of(CORBA::Object_ptr o) {
    return CallTerms::of(*o->_callis_reference(), now, Deadline::at(now + 30s)).reply.time() - now;
  }
};

TEST_F(DeadlineInOneLine, is_that_of_the_new_reference_alone) {
  const CORBA::Object_var quick = callis::deadline(object, 200ms);
  EXPECT_EQ(limit_of(quick), 200ms);
  EXPECT_EQ(limit_of(object), 30s);
  EXPECT_EQ(limit_of(CORBA::Object_var(callis::deadline(quick, 1s))), 1s) << "the last one counts";
}

TEST_F(DeadlineInOneLine, keeps_the_reference_s_type) {
  MessagingLog::Remote_var remote = MessagingLog::Remote::_unchecked_narrow(object);
  auto of_var = callis::deadline(remote, 1s);
  auto of_pointer = callis::deadline(remote.in(), 1s);
  static_assert(std::is_same_v<decltype(of_var), MessagingLog::Remote_var>);
  static_assert(std::is_same_v<decltype(of_pointer), MessagingLog::Remote_var>);
  EXPECT_EQ(limit_of(of_var), 1s);
  EXPECT_EQ(limit_of(of_pointer), 1s);
  classic::ReferenceSequence<MessagingLog::Remote> several;
  several.length(1);
  several[0] = MessagingLog::Remote::_duplicate(remote);
  auto of_element = callis::deadline(several[0], 1s);
  static_assert(std::is_same_v<decltype(of_element), MessagingLog::Remote_var>);
  EXPECT_EQ(limit_of(of_element), 1s);
}

TEST_F(DeadlineInOneLine, keeps_the_other_policies) {
  object = with(object, client.scope(Messaging::SYNC_WITH_SERVER));
  const CORBA::Object_var quick = callis::deadline(object, 200ms);
  EXPECT_EQ(CORBA::PolicyList_var(quick->_get_policy_overrides({}))->length(), 2u);
}

TEST_F(DeadlineInOneLine, is_rounded_up_and_may_be_as_long_as_one_likes) {
  EXPECT_EQ(limit_of(CORBA::Object_var(callis::deadline(object, 1ns))), 100ns);
  EXPECT_EQ(limit_of(CORBA::Object_var(callis::deadline(object, 101ns))), 200ns);
  EXPECT_GT(limit_of(CORBA::Object_var(callis::deadline(object, std::chrono::nanoseconds::max()))), 24h * 365 * 200);
}

TEST_F(DeadlineInOneLine, refuses_nil) {
  EXPECT_THROW(callis::deadline(CORBA::Object_var(), 1s), CORBA::INV_OBJREF);
  EXPECT_THROW(callis::deadline(MessagingLog::Remote::_nil(), 1s), CORBA::INV_OBJREF);
}

TEST_F(DeadlineInOneLine, that_has_passed_is_TIMEOUT_and_nothing_is_sent) {
  ScriptedPeer peer("passed", [](Turn& t) { return t.echo(); });
  for (const auto limit : {0ms, -1ms}) {
    CORBA::Object_var late = callis::deadline(peer.object(*client.core), limit);
    expect(caught<CORBA::TIMEOUT>([&] { echo(late, 1); }), omg(3), CORBA::COMPLETED_NO);
  }
  EXPECT_EQ(peer.requests(), 0);
}

TEST_F(DeadlineInOneLine, of_the_thread_ends_with_its_block) {
  {
    const ThreadDeadline outer(2s);
    EXPECT_EQ(limit_of(object), 2s);
    {
      const ThreadDeadline inner(5s);
      EXPECT_EQ(limit_of(object), 5s) << "the innermost counts";
    }
    EXPECT_EQ(limit_of(object), 2s);
    EXPECT_EQ(limit_of(CORBA::Object_var(callis::deadline(object, 9s))), 9s) << "a reference's goes before it";
  }
  EXPECT_EQ(limit_of(object), 30s);
}

TEST_F(DeadlineInOneLine, of_the_thread_is_of_no_other) {
  const ThreadDeadline mine(2s);
  std::thread([&] { EXPECT_EQ(limit_of(object), 30s); }).join();
}

TEST_F(DeadlineInOneLine, of_the_thread_leaves_other_policies_as_they_are) {
  ThreadPolicies thread(client);
  thread.set(client.timeout(7 * kSecond));
  thread.set(client.scope(Messaging::SYNC_WITH_SERVER));
  {
    const ThreadDeadline mine(2s);
    thread.set(client.rebind(Messaging::NO_REBIND));
    EXPECT_EQ(limit_of(object), 2s);
  }
  EXPECT_EQ(limit_of(object), 7s);
  EXPECT_EQ(CORBA::PolicyList_var(thread.current->get_policy_overrides({}))->length(), 3u);
  {
    const ThreadDeadline mine(2s);
    thread.current->set_policy_overrides({}, CORBA::SET_OVERRIDE);
    EXPECT_EQ(limit_of(object), 30s);
  }
  EXPECT_EQ(limit_of(object), 7s);
}

// A server that takes connections and requests, and answers none.
struct SilentServer : DeadlineInOneLine {
  TcpPeer peer{[](transport::Stream& s, int) {
    std::array<Byte, 1024> in;
    while (s.receive(in, Deadline()).ok()) {
    }
  }};
  CORBA::Object_var silent = peer.object(*client.core);

  template <class Call>
  void expect_timeout_after(std::chrono::milliseconds limit, Call&& call) {
    const TimePoint start = Clock::steady().now();
    expect(caught<CORBA::TIMEOUT>(call), omg(3), CORBA::COMPLETED_MAYBE);
    const auto passed = Clock::steady().now() - start;
    EXPECT_GE(passed, limit - 10ms);
    EXPECT_LT(passed, 20s) << "-ORBCallTimeout is 30 s";
  }
};

TEST_F(SilentServer, is_waited_for_until_the_reference_s_deadline) {
  CORBA::Object_var quick = callis::deadline(silent, 50ms);
  for (int i = 0; i < 2; ++i) expect_timeout_after(50ms, [&] { echo(quick, 1); });
}

TEST_F(SilentServer, is_waited_for_until_the_thread_s_deadline) {
  const ThreadDeadline limit(50ms);
  for (int i = 0; i < 2; ++i) expect_timeout_after(50ms, [&] { echo(silent, 1); });
}

}  // namespace
}  // namespace callis::messaging
