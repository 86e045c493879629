// SPDX-License-Identifier: Apache-2.0
// Calls from inside upcalls where the pool serves: however few threads it may have, and however they wait.
#include <gtest/gtest.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/shared_client.h>
#include <barrier>

namespace callis::orb {
namespace {

using namespace testing;

struct Given {
  std::uint32_t threads;
  const char* connections;
};

std::unique_ptr<ModelServer> pool_server(const Given& g, const std::function<void(Options&)>& tune = {}) {
  return std::make_unique<ModelServer>("pool:" + std::to_string(g.threads), [&](Options& o) {
    o.share_connections = std::string_view(g.connections) == "shared";
    o.limits.call_timeout = Duration(60'000);
    if (tune) tune(o);
  });
}

class NestedCallsOnAPool : public ::testing::TestWithParam<Given> {
 protected:
  // Each server asks the other from inside its upcalls, as often as the argument says.
  NestedCallsOnAPool() {
    one->handler.before = [this](ServerRequest& r) { ask_on(r, to_other); };
    other->handler.before = [this](ServerRequest& r) { ask_on(r, to_one); };
  }
  void ask_on(ServerRequest& r, CORBA::Object_ptr next) {
    if (r.operation() != "tell") return;
    const auto left = r.arguments().get_ulong();
    ++upcalls;
    if (left != 0) tell_and_wait(next, left - 1);
  }
  static void tell_and_wait(CORBA::Object_ptr o, std::uint32_t depth) {
    try {
      call_ulong(o, "tell", depth, false);
    } catch (const CORBA::SystemException& e) {
      ADD_FAILURE() << depth << ": " << e._name() << " " << e.detail();
    }
  }

  std::unique_ptr<ModelServer> one = pool_server(GetParam()), other = pool_server(GetParam());
  CORBA::Object_var to_other = other->object_for(*one->core), to_one = one->object_for(*other->core);
  std::atomic<std::uint32_t> upcalls{0};
};

TEST_P(NestedCallsOnAPool, twenty_deep) {
  tell_and_wait(to_other, 20);
  EXPECT_EQ(upcalls, 21u);
}

TEST_P(NestedCallsOnAPool, of_many_clients_again_and_again) {
  SharingClient client;
  const CORBA::Object_var object = one->object_for(*client.core);
  auto results = call_each(6, [&](std::uint32_t v) {
    for (int i = 0; i < 20; ++i) tell_and_wait(object, v);
    return v;
  });
  for (auto& r : results) (void)r.get();
  EXPECT_EQ(upcalls, 20u * (2 + 3 + 4 + 5 + 6 + 7));
}

TEST_P(NestedCallsOnAPool, leave_no_more_threads_than_there_may_be) {
  for (int round = 0; round < 3; ++round) {
    tell_and_wait(to_other, 12);
    Pool& pool = *other->core->server().pool();
    while (pool.threads() > GetParam().threads) tell_and_wait(to_other, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, NestedCallsOnAPool,
                         ::testing::Values(Given{1, "exclusive"}, Given{2, "exclusive"}, Given{3, "exclusive"},
                                           Given{4, "exclusive"}, Given{1, "shared"}, Given{2, "shared"},
                                           Given{3, "shared"}, Given{4, "shared"}),
                         [](const auto& p) { return std::to_string(p.param.threads) + "_" + p.param.connections; });

// Each sender waits until the other side reads.
TEST(CallsFromAPool, both_ways_with_large_arguments_and_a_thread_each) {
  const auto tune = [](Options& o) { o.limits.max_message_bytes = 64u << 20; };
  const auto one = pool_server({1, "exclusive"}, tune), other = pool_server({1, "exclusive"}, tune);
  const CORBA::Object_var to_other = other->object_for(*one->core), to_one = one->object_for(*other->core);
  std::barrier both(2);
  const auto on = [&both](CORBA::Object_ptr next) {
    return [&both, next](ServerRequest& r) {
      if (r.operation() != "echo") return;
      both.arrive_and_wait();
      SentOctets large(24u << 20);  // more than the sockets' buffers hold
      EXPECT_NO_THROW(call(reference_of(next), {"ping"}, large));
    };
  };
  one->handler.before = on(to_other);
  other->handler.before = on(to_one);
  auto client = make_core();
  const CORBA::Object_var objects[] = {one->object_for(*client), other->object_for(*client)};
  auto results = call_each(2, [&](std::uint32_t v) { return echo(objects[v - 1], v); });
  for (std::uint32_t v : {1u, 2u}) EXPECT_EQ(results[v - 1].get(), v);
  client->destroy();
}

TEST(CallsFromAPool, take_no_more_threads_than_max_dispatches) {
  const auto front = pool_server({1, "exclusive"}, [](Options& o) { o.limits.max_dispatches = 3; });
  EchoServer back({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const CORBA::Object_var to_back = back.object_for(*front->core);
  std::atomic<int> inside{0}, most{0};
  std::barrier three(3);
  back.handler.before = [&](ServerRequest&) {
    const int now = ++inside;
    if (now > most) most = now;
    three.arrive_and_wait();
    --inside;
    three.arrive_and_wait();
  };
  front->handler.before = [&](ServerRequest&) { EXPECT_EQ(echo(to_back, 4), 4u); };
  auto client = make_core();
  const CORBA::Object_var object = front->object_for(*client);
  auto results = call_each(9, [&](std::uint32_t v) { return echo(object, v); });
  for (std::uint32_t v = 1; v <= 9; ++v) EXPECT_EQ(results[v - 1].get(), v);
  EXPECT_EQ(most, 3);
  EXPECT_LE(front->core->server().pool()->threads(), 3u);
  client->destroy();
}

}  // namespace
}  // namespace callis::orb
