// SPDX-License-Identifier: Apache-2.0
// Policies that are set while calls run.
#include <callis/messaging/testing/policies.h>
#include <atomic>
#include <thread>

namespace callis::messaging {
namespace {

using namespace testing;
using orb::CallPolicies;
using orb::CallPolicy;

TEST(PoliciesOfAnOrb, are_read_as_they_were_written_together) {
  orb::SharedCallPolicies shared;
  std::atomic<bool> over{false};
  std::atomic<int> reads{0}, torn{0};
  const auto reader = [&] {
    while (!over) {
      const CallPolicies p = shared.read();
      ++reads;
      const bool both = p.has(CallPolicy::RequestEnd) && p.has(CallPolicy::Rebind);
      if (p.given != 0 && (!both || p[CallPolicy::RequestEnd] != p[CallPolicy::Rebind])) ++torn;
    }
  };
  std::thread a(reader), b(reader);
  for (std::uint64_t i = 1; i <= 20'000 || reads < 100; ++i) {
    CallPolicies p;
    if (i % 3 != 0) {
      p.set(CallPolicy::RequestEnd, i);
      p.set(CallPolicy::Rebind, i);
    }
    shared.write(p);
  }
  over = true;
  a.join();
  b.join();
  EXPECT_EQ(torn, 0);
}

TEST(PoliciesOfAnOrb, may_change_while_calls_run) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  Client client;
  CORBA::Object_var object = server.object_for(*client.core);
  std::atomic<bool> over{false};
  std::atomic<int> calls{0};
  const auto caller = [&](bool own) {
    ThreadPolicies thread(client);
    for (std::uint32_t i = 0; !over; ++i) {
      if (own) thread.set(client.timeout(kHour + i));
      EXPECT_EQ(echo(object, i), i);
      tell(with(object, client.scope(static_cast<Messaging::SyncScope>(i % 4))), i);
      ++calls;
    }
  };
  std::thread a(caller, true), b(caller, false);
  auto manager = client.manager();
  for (int i = 0; i < 300 || calls < 100; ++i) {
    const CORBA::SetOverrideType how = i % 5 == 0 ? CORBA::SET_OVERRIDE : CORBA::ADD_OVERRIDE;
    if (i % 7 == 0) manager->set_policy_overrides({}, CORBA::SET_OVERRIDE);
    else manager->set_policy_overrides(list_of({client.timeout(kHour + static_cast<TimeBase::TimeT>(i))}), how);
    EXPECT_LE(CORBA::PolicyList_var(manager->get_policy_overrides({}))->length(), 1u);
  }
  over = true;
  a.join();
  b.join();
}

}  // namespace
}  // namespace callis::messaging
