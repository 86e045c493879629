// SPDX-License-Identifier: Apache-2.0
// SyncScopePolicy (CORBA 3.0.3, 22.2.2): what a oneway waits for, chosen for each reference.
#include <callis/messaging/testing/policies.h>

namespace callis::messaging {
namespace {

using namespace testing;

// An operation that the server refuses, called as a oneway.
void refused_oneway(CORBA::Object_ptr o) {
  ULongBody body;
  orb::call(orb::reference_of(o), {"nonsense", true, "nonsense"}, body);
}

struct SyncScopes : ::testing::TestWithParam<const char*> {
  EchoServer server{{"-ORBEndpoint", "tcp:127.0.0.1:0"}};
  Client client{{"-ORBSyncScope", GetParam()}};
  CORBA::Object_var object = server.object_for(*client.core);
  CORBA::Object_var scoped(Messaging::SyncScope s) { return with(object, client.scope(s)); }
};

TEST_P(SyncScopes, target_tells_of_an_exception_and_the_others_do_not) {
  CORBA::Object_var none = scoped(0), transport = scoped(1), server_has_it = scoped(2), target = scoped(3);
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_NO_THROW(refused_oneway(none));
    EXPECT_THROW(refused_oneway(target), CORBA::BAD_OPERATION);
    EXPECT_NO_THROW(refused_oneway(transport));
    EXPECT_THROW(refused_oneway(target), CORBA::BAD_OPERATION);
    EXPECT_NO_THROW(refused_oneway(server_has_it));
    EXPECT_EQ(echo(object, i), i) << "the connection is in step";
  }
}

TEST_P(SyncScopes, target_returns_after_the_servant) {
  CORBA::Object_var target = scoped(Messaging::SYNC_WITH_TARGET);
  for (std::uint32_t i = 1; i < 50; ++i) {
    tell(target, i);
    EXPECT_EQ(server.handler.last, i);
  }
}

TEST_P(SyncScopes, one_thread_s_oneways_arrive_in_order_whatever_their_scopes) {
  CORBA::Object_var all[] = {scoped(0), scoped(1), scoped(2), scoped(3), object};
  for (std::uint32_t i = 1; i < 500; ++i) {
    tell(all[i % 5], i);
    if (i % 7 != 0) continue;
    EXPECT_EQ(call_ulong(object, "last", {}), i);
  }
}

TEST_P(SyncScopes, of_a_two_way_call_does_not_matter) {
  for (Messaging::SyncScope s = 0; s < 4; ++s) EXPECT_EQ(echo(scoped(s), 7), 7u);
}

TEST_P(SyncScopes, none_by_the_thread_s_policy_sends_at_the_latest_with_the_next_call) {
  {
    ThreadPolicies thread(client);
    thread.set(client.scope(Messaging::SYNC_NONE));
    for (std::uint32_t i = 1; i <= 20; ++i) tell(object, i);
  }
  EXPECT_EQ(call_ulong(object, "last", {}), 20u);
}

INSTANTIATE_TEST_SUITE_P(WithTheOrbs, SyncScopes, ::testing::Values("none", "transport", "server", "target"),
                         [](const auto& p) { return p.param; });

// The request says the same as the policy.
TEST(SyncScopeOnTheWire, response_flags_are_the_policy_s) {
  std::vector<std::uint8_t> flags;
  TcpPeer peer([&](transport::Stream& s, int) {
    for (int i = 0; i < 3; ++i) {
      std::array<Byte, 1024> in;
      std::size_t n = 0;
      while (n < 17) {
        const auto t = s.receive({in.data() + n, in.size() - n}, Deadline());
        if (!t.ok()) return;
        n += t.bytes;
      }
      flags.push_back(static_cast<std::uint8_t>(in[16]));
      if (flags.back() == 0) continue;
      Buffer out;
      cdr::Encoder e(out);
      const auto started =
          giop::begin_reply(e, giop::kGiop12, load<std::uint32_t>(in.data() + 12), giop::ReplyStatus::NoException);
      (void)giop::finish_message(e, started);
      (void)s.send(out.view(), Deadline());
    }
  });
  Client client;
  CORBA::Object_var object = peer.object(*client.core);
  tell(with(object, client.scope(Messaging::SYNC_WITH_SERVER)), 1);
  tell(with(object, client.scope(Messaging::SYNC_WITH_TARGET)), 1);
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{1, 3}));
}

}  // namespace
}  // namespace callis::messaging
