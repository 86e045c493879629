// SPDX-License-Identifier: Apache-2.0
// Calls that keep to policies allocate nothing of their own in the steady state. A program of its own: it counts what
// operator new is asked for.
#include <callis/messaging/testing/policies.h>
#include <cstdlib>
#include <new>

namespace {
thread_local int g_allocations = 0;
}

// Not inlined: GCC would see free() meet memory from new.
[[gnu::noinline]] void* operator new(std::size_t n) {
  ++g_allocations;
  if (void* p = std::malloc(n != 0 ? n : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace callis::messaging {
namespace {

using namespace testing;

struct Allocations : ::testing::Test {
  EchoServer server{{"-ORBEndpoint", "tcp:127.0.0.1:0"}};
  Client client;
  CORBA::Object_var object = server.object_for(*client.core);

  // Counts allocations of the client's thread in a hundred calls, after some calls that do not count.
  template <class Call>
  static int allocations_of(Call&& call) {
    for (int i = 0; i < 10; ++i) call();
    const int before = g_allocations;
    for (int i = 0; i < 100; ++i) call();
    return g_allocations - before;
  }
};

TEST_F(Allocations, a_call_on_a_reference_with_a_deadline_makes_none) {
  CORBA::Object_var limited = with(object, client.timeout(kHour));
  EXPECT_EQ(allocations_of([&] { EXPECT_EQ(echo(limited, 7), 7u); }), 0);
}

TEST_F(Allocations, policies_of_the_thread_and_the_orb_make_none) {
  ThreadPolicies thread(client);
  thread.set(client.timeout(kHour));
  client.manager()->set_policy_overrides(list_of({client.rebind(Messaging::NO_REBIND)}), CORBA::SET_OVERRIDE);
  EXPECT_EQ(allocations_of([&] { EXPECT_EQ(echo(object, 7), 7u); }), 0);
}

TEST_F(Allocations, oneways_of_another_scope_than_the_orb_s_make_none) {
  CORBA::Object_var target = with(object, client.scope(Messaging::SYNC_WITH_TARGET));
  EXPECT_EQ(allocations_of([&] { tell(target, 7); }), 0);
}

}  // namespace
}  // namespace callis::messaging
