// SPDX-License-Identifier: Apache-2.0
// Upcalls that last, on connections with threads of their own. The requests behind them are served meanwhile, since
// clients may send all requests over one connection (CORBA 3.3 part 2, 9.4.3: replies in any order).
#include <gtest/gtest.h>
#include <callis/base/blocking_scope.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <future>
#include <mutex>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

std::uint64_t pooled(ModelServer& server) {
  const Pool* const pool = server.core->server().pool();
  return pool ? pool->connections() : 0;
}

TEST(LastingUpcalls, requests_behind_one_are_answered_before_it_9_4_3) {
  ModelServer server("connection");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  client.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();
  client.send(message({.argument = 7, .id = 2}));
  EXPECT_EQ(client.hear().id, 2u);
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
  client.send(message({.argument = 8, .id = 3}));
  EXPECT_EQ(client.hear().value, 8u);
}

TEST(LastingUpcalls, four_of_one_connection_run_at_once_sent_apart_or_together) {
  for (bool together : {false, true}) {
    ModelServer server("connection");
    Meeting meeting(4);
    server.handler.before = [&](ServerRequest& r) { meeting(r); };
    RawClient client(server.port());
    const auto a = message({.operation = "wait", .id = 1}), b = message({.operation = "wait", .id = 2}),
               c = message({.operation = "wait", .id = 3}), d = message({.operation = "wait", .id = 4});
    if (together) send_all(client, {a, b, c, d});
    else
      for (const auto& m : {a, b, c, d}) client.send(m);
    expect_ids(client, {1, 2, 3, 4});
  }
}

TEST(LastingUpcalls, many_connections_have_one_each_and_one_behind_it) {
  constexpr int kMany = 40;
  ModelServer server("connection", [](Options& o) { o.limits.max_pool_threads = 2; });
  Meeting meeting(2 * kMany);
  server.handler.before = [&](ServerRequest& r) { meeting(r); };
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < kMany; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    send_all(*clients.back(), {message({.operation = "wait", .id = 1}), message({.operation = "wait", .id = 2})});
  }
  for (auto& c : clients) expect_ids(*c, {1, 2});
}

TEST(LastingUpcalls, what_has_come_in_part_behind_one_is_read_on) {
  ModelServer server("connection");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  const auto second = message({.argument = 7, .id = 2});
  auto both = message({.operation = "wait", .id = 1});
  both.insert(both.end(), second.begin(), second.begin() + 20);
  client.send(both);
  gate.wait_until_entered();
  client.send(ByteView(second).subspan(20));
  EXPECT_EQ(client.hear().value, 7u);
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
}

TEST(LastingUpcalls, a_message_of_fragments_around_one_is_put_together_9_4_9) {
  ModelServer server("connection");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  auto whole = message({.argument = 7, .id = 2});
  giop::FragmentedMessage pieces;
  ASSERT_EQ(pieces.cut(whole, 48), Fault::None);
  std::vector<Byte> first(pieces.views()[0].begin(), pieces.views()[0].end()), rest;
  for (ByteView v : pieces.views().subspan(1)) rest.insert(rest.end(), v.begin(), v.end());
  send_all(client, {first, message({.operation = "wait", .id = 1})});
  gate.wait_until_entered();
  client.send(rest);
  EXPECT_EQ(client.hear().value, 7u);
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
}

TEST(LastingUpcalls, fragments_that_do_not_come_are_not_waited_for_longer_than_else) {
  ModelServer server("connection", [](Options& o) { o.limits.message_timeout = Duration(200); });
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  auto whole = message({.argument = 7, .id = 2});
  giop::FragmentedMessage pieces;
  ASSERT_EQ(pieces.cut(whole, 48), Fault::None);
  std::vector<Byte> first(pieces.views()[0].begin(), pieces.views()[0].end());
  send_all(client, {first, message({.operation = "wait", .id = 1})});
  gate.wait_until_entered();
  EXPECT_TRUE(client.hear_end());
  gate.open();
}

TEST(LastingUpcalls, one_that_waits_for_a_call_whose_servant_needs_this_connection_gets_its_reply) {
  ModelServer server("connection"), other("connection");
  CORBA::Object_var next = other.object_for(*server.core);
  Gate gate;
  other.handler.before = [&](ServerRequest& r) { gate(r); };
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "ping") caught<CORBA::BAD_OPERATION>([&] { call_ulong(next, "wait", 1, false); });
  };
  RawClient client(server.port());
  client.send(message({.operation = "ping", .argument = {}, .id = 1}));
  gate.wait_until_entered();
  client.send(message({.argument = 7, .id = 2}));
  EXPECT_EQ(client.hear().value, 7u);
  EXPECT_EQ(pooled(server), 1u);
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
}

TEST(LastingUpcalls, those_that_nobody_waits_for_keep_the_order_of_requests) {
  ModelServer server("connection");
  std::mutex mutex;
  std::vector<std::uint32_t> order;
  server.handler.before = [&](ServerRequest& r) {
    const BlockingScope waits;  // would hand the connection over if the client waited
    const std::lock_guard lock(mutex);
    order.push_back(r.header()->request_id);
  };
  RawClient client(server.port());
  constexpr std::uint32_t kMany = 1000;
  for (std::uint32_t i = 0; i < kMany; ++i)
    client.send(message({.operation = "tell", .argument = i, .id = i, .response = giop::ResponseFlags::None}));
  client.send(message({.argument = kMany, .id = kMany}));
  EXPECT_EQ(client.hear().id, kMany);
  ASSERT_EQ(order.size(), kMany + 1);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(LastingUpcalls, one_that_nobody_waits_for_does_not_hold_its_connection_for_ever) {
  Gate gate;  // outlives the upcall, whose end nobody hears of
  ModelServer server("connection");
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  send_all(client, {message({.operation = "wait", .id = 1, .response = giop::ResponseFlags::None}),
                    message({.argument = 4, .id = 2})});
  EXPECT_EQ(client.hear().value, 4u) << "whoever opens the gate may wait for this answer";
  gate.open();
  client.send(message({.argument = 5, .id = 3}));
  EXPECT_EQ(client.hear().value, 5u);
}

TEST(LastingUpcalls, requests_wait_for_one_another_where_a_connection_may_have_one_upcall) {
  ModelServer server("connection", [](Options& o) { o.limits.max_dispatches_per_connection = 1; });
  std::atomic<int> inside{0};
  server.handler.before = [&](ServerRequest&) {
    EXPECT_EQ(++inside, 1);
    const BlockingScope waits;
    --inside;
  };
  RawClient client(server.port());
  for (std::uint32_t i = 1; i <= 100; ++i) client.send(message({.argument = i, .id = i}));
  for (std::uint32_t i = 1; i <= 100; ++i) EXPECT_EQ(client.hear().id, i);
  EXPECT_EQ(pooled(server), 0u);
}

TEST(LastingUpcalls, shutdown_waits_for_one_and_its_client_gets_the_reply_and_CloseConnection) {
  ModelServer server("connection");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  client.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();
  client.send(message({.argument = 7, .id = 2}));
  EXPECT_EQ(client.hear().id, 2u);
  server.core->shutdown(false);
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  server.core->shutdown(true);
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST(LastingUpcalls, shutdown_meets_those_that_are_about_to_be_handed_over) {
  for (int round = 0; round < 20; ++round) {
    ModelServer server("connection");
    std::promise<void> entered;
    server.handler.before = [&](ServerRequest&) {
      entered.set_value();
      const BlockingScope waits;
    };
    RawClient client(server.port());
    client.send(message({.argument = 7, .id = 1}));
    entered.get_future().wait();
    server.core->shutdown(true);
    EXPECT_EQ(client.hear().value, 7u);
    EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  }
}

TEST(LastingUpcalls, a_client_that_leaves_during_one_leaves_nothing_behind) {
  ModelServer server("connection");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  {
    RawClient client(server.port());
    client.send(message({.operation = "wait", .id = 1}));
    gate.wait_until_entered();
    client.send(message({.argument = 7, .id = 2}));
    EXPECT_EQ(client.hear().id, 2u);
  }
  gate.open();
  server.core->shutdown(true);
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST(LastingUpcalls, of_many_clients_that_come_and_go_answer_all) {
  ModelServer server("connection");
  server.handler.before = [&](ServerRequest& r) {
    if (r.header()->request_id % 3 == 0) const BlockingScope waits;  // hands the connection over at once
  };
  std::vector<std::thread> clients;
  for (int c = 0; c < 6; ++c)
    clients.emplace_back([&] {
      for (int round = 0; round < 30; ++round) {
        RawClient client(server.port());
        std::vector<std::uint32_t> ids;
        for (std::uint32_t i = 1; i <= 10; ++i) {
          client.send(message({.argument = i, .id = i}));
          ids.push_back(i);
        }
        expect_ids(client, ids);
      }
    });
  for (auto& t : clients) t.join();
  EXPECT_EQ(server.handler.requests, 6 * 30 * 10);
}

}  // namespace
}  // namespace callis::orb
