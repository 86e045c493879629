// SPDX-License-Identifier: Apache-2.0
// The timekeeper of a pool with nothing to do sleeps until the first deadline, or for ever; and no deadline is missed
// for that. Short limits make its grain short, so it goes to sleep soon.
#include <gtest/gtest.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <thread>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

// message_timeout gives a grain of a millisecond.
struct IdlePool : ::testing::Test {
  explicit IdlePool(Duration idle = Duration(0))
      : server("pool", [idle](Options& o) {
          o.limits.message_timeout = Duration(8);
          o.limits.idle_timeout = idle;
        }) {}
  std::int64_t sleeps_until() const { return server.core->server().pool()->timekeeper_sleeps_until(); }
  std::int64_t wait_until_asleep() const {
    std::int64_t until;
    while ((until = sleeps_until()) == 0) std::this_thread::yield();
    return until;
  }
  void call(RawClient& client, std::uint32_t id) {
    client.send(message({.argument = id, .id = id}));
    ASSERT_EQ(client.hear().value, id);
  }

  ModelServer server;
};
struct IdlePoolThatCloses : IdlePool {
  static constexpr Duration kIdle{300};
  IdlePoolThatCloses() : IdlePool(kIdle) {}
};

TEST_F(IdlePool, sleeps_for_ever_with_connections_that_may_stay) {
  RawClient one(server.port()), other(server.port());
  for (std::uint32_t round = 1; round < 20; ++round) {
    call(round % 2 == 0 ? one : other, round);
    EXPECT_EQ(wait_until_asleep(), PoolTimekeeper::kForEver);
  }
}

TEST_F(IdlePool, ends_a_message_in_time_that_begins_while_it_sleeps) {
  RawClient client(server.port());
  call(client, 1);
  wait_until_asleep();
  const std::vector<Byte> whole = message({.argument = 2, .id = 2});
  client.send(ByteView(whole).first(whole.size() - 1));
  EXPECT_TRUE(client.hear_end());
  RawClient next(server.port());
  call(next, 3);
}

TEST_F(IdlePool, wakes_up_for_a_new_connection) {
  RawClient one(server.port());
  call(one, 1);
  wait_until_asleep();
  RawClient other(server.port());
  const std::vector<Byte> whole = message({.argument = 2, .id = 2});
  other.send(ByteView(whole).first(20));
  EXPECT_TRUE(other.hear_end());
  call(one, 3);
}

TEST_F(IdlePool, lets_go_of_a_long_upcall_that_begins_while_it_sleeps) {
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  call(client, 1);
  wait_until_asleep();
  client.send(message({.operation = "wait", .id = 2}));
  gate.wait_until_entered();
  call(client, 3);
  gate.open();
  EXPECT_EQ(client.hear().id, 2u);
}

// Its connection is kept during the upcall, as nobody waits for a one-way's end, and only the timekeeper lets it go.
TEST_F(IdlePool, lets_go_of_a_long_oneway_that_begins_while_it_sleeps) {
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  call(client, 1);
  wait_until_asleep();
  client.send(message({.operation = "wait", .id = 2, .response = giop::ResponseFlags::None}));
  gate.wait_until_entered();
  call(client, 3);
  gate.open();
}

TEST_F(IdlePoolThatCloses, sleeps_until_the_first_connection_is_idle_for_too_long) {
  RawClient client(server.port());
  call(client, 1);
  const TimePoint used = Clock::steady().now();
  const std::int64_t until = wait_until_asleep();
  if (until == PoolTimekeeper::kForEver) GTEST_SKIP() << "a machine that stood still";
  EXPECT_LE(until, ticks(used + kIdle));
  EXPECT_GT(until, ticks(used + kIdle - std::chrono::milliseconds(100)));
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  EXPECT_GE(ticks(Clock::steady().now()), until) << "not before";
}

TEST_F(IdlePoolThatCloses, a_call_meanwhile_puts_the_end_off) {
  RawClient client(server.port());
  call(client, 1);
  const std::int64_t before = wait_until_asleep();
  while (ticks(Clock::steady().now()) < before - ticks(TimePoint(Duration(150)))) std::this_thread::yield();
  call(client, 2);
  const std::int64_t after = wait_until_asleep();
  EXPECT_GT(after, before);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  EXPECT_GE(ticks(Clock::steady().now()), after);
}

}  // namespace
}  // namespace callis::orb
