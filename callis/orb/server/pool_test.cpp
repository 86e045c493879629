// SPDX-License-Identifier: Apache-2.0
// The pool: several requests of a connection at once, order, cancellation, slow peers.
#include <gtest/gtest.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <future>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

TEST(Pool, serves_requests_of_one_connection_at_once_sent_apart_or_together) {
  for (bool together : {false, true}) {
    ModelServer server("pool");
    Meeting meeting(3);
    server.handler.before = [&](ServerRequest& r) { meeting(r); };
    RawClient client(server.port());
    const auto a = message({.operation = "wait", .id = 1}), b = message({.operation = "wait", .id = 2}),
               c = message({.operation = "wait", .id = 3});
    if (together) send_all(client, {a, b, c});
    else for (const auto& m : {a, b, c}) client.send(m);
    expect_ids(client, {1, 2, 3});
  }
}

TEST(Pool, answers_out_of_order_9_4_3) {
  ModelServer server("pool");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  client.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();
  client.send(message({.argument = 7, .id = 2}));
  EXPECT_EQ(client.hear().id, 2u);
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
}

TEST(Pool, keeps_the_order_of_oneways_and_of_what_follows_them) {
  ModelServer server("pool");
  std::mutex mutex;
  std::vector<std::uint32_t> order;
  struct Handler final : RequestHandler {
    std::function<void(std::uint32_t)> told;
    void handle(ServerRequest& r) noexcept override {
      const auto v = r.arguments().get_ulong();
      told(v);
      if (r.response_expected()) r.reply().put_ulong(v);
    }
    Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  } handler;
  handler.told = [&](std::uint32_t v) {
    const std::lock_guard lock(mutex);
    order.push_back(v);
  };
  server.core->set_handler(&handler);
  RawClient client(server.port());
  constexpr std::uint32_t kMany = 3000;
  for (std::uint32_t i = 0; i < kMany; ++i)
    client.send(message({.operation = "tell", .argument = i, .id = i, .response = giop::ResponseFlags::None}));
  client.send(message({.argument = kMany, .id = kMany}));
  EXPECT_EQ(client.hear().id, kMany);
  ASSERT_EQ(order.size(), kMany + 1);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Pool, a_oneway_that_lasts_does_not_hold_its_connection_for_ever) {
  Gate gate;  // outlives the upcall, whose end nobody hears of
  ModelServer server("pool", [](Options& o) { o.limits.message_timeout = Duration(40); });
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  send_all(client, {message({.operation = "wait", .id = 1, .response = giop::ResponseFlags::None}),
                    message({.argument = 4, .id = 2})});
  EXPECT_EQ(client.hear().value, 4u) << "whoever opens the gate may wait for this answer";
  gate.open();
  client.send(message({.argument = 5, .id = 3}));
  EXPECT_EQ(client.hear().value, 5u);
}

TEST(Pool, CancelRequest_suppresses_the_reply_of_a_running_upcall_9_4_4) {
  ModelServer server("pool");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port()), other(server.port());
  client.send(message({.operation = "wait", .id = 5}));
  gate.wait_until_entered();
  other.send(giop::cancel_request(giop::kGiop12, 5));
  other.send(message({.argument = 1, .id = 5}));
  EXPECT_EQ(other.hear().id, 5u);
  client.send(giop::cancel_request(giop::kGiop12, 5));
  client.send(message({.argument = 2, .id = 6}));
  EXPECT_EQ(client.hear().id, 6u) << "so the CancelRequest has been read";
  server.core->shutdown(false);
  gate.open();
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing) << "all is answered, and 5 was not";
  EXPECT_EQ(server.handler.requests, 3);
}

TEST(Pool, serves_others_while_the_application_is_asked_where_an_object_is) {
  ModelServer server("pool");
  std::promise<void> entered, opened;
  server.handler.asked = [&](ior::Ior&, giop::SystemExceptionBody&) {
    entered.set_value();
    opened.get_future().wait();
    return Locate::Unknown;
  };
  RawClient client(server.port());
  auto whole = locate_message(giop::kGiop12, kNativeOrder, "where only the application knows, in fragments", 5);
  giop::FragmentedMessage pieces;
  ASSERT_EQ(pieces.cut(whole, 48), Fault::None);
  ASSERT_GT(pieces.messages(), 1u);
  for (ByteView v : pieces.views()) client.send(v);
  entered.get_future().wait();
  client.send(message({.argument = 7, .id = 6}));
  EXPECT_EQ(client.hear().id, 6u);
  opened.set_value();
  const Heard located = client.hear();
  EXPECT_EQ(located.id, 5u);
  EXPECT_EQ(located.locate, giop::LocateStatus::UnknownObject);
}

TEST(Pool, CancelRequest_of_another_connection_does_nothing) {
  ModelServer server("pool");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port()), other(server.port());
  client.send(message({.operation = "wait", .id = 5}));
  gate.wait_until_entered();
  other.send(giop::cancel_request(giop::kGiop12, 5));
  other.send(message({.argument = 1, .id = 7}));
  EXPECT_EQ(other.hear().id, 7u);
  gate.open();
  EXPECT_EQ(client.hear().id, 5u);
}

// --- Limits ---

TEST(Pool, stops_reading_at_max_dispatches_per_connection_and_goes_on_below_it) {
  ModelServer server("pool", [](Options& o) { o.limits.max_dispatches_per_connection = 2; });
  std::promise<void> opened;
  auto open = opened.get_future().share();
  std::atomic<int> inside{0};
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() != "wait") return;
    ++inside;
    open.wait();
  };
  RawClient client(server.port()), other(server.port());
  for (std::uint32_t i = 1; i <= 6; ++i) client.send(message({.operation = "wait", .id = i}));
  while (inside < 2) std::this_thread::yield();
  for (std::uint32_t i = 1; i <= 50; ++i) {  // the pool has time enough to read on
    other.send(message({.argument = i, .id = i}));
    EXPECT_EQ(other.hear().id, i);
  }
  EXPECT_EQ(inside, 2);
  opened.set_value();
  expect_ids(client, {1, 2, 3, 4, 5, 6});
}

// A server that reads one request of a connection at a time, and a connection that so waits for its own upcall, with
// a message in fragments begun.
class ParkedInFragments : public ::testing::Test {
 protected:
  ParkedInFragments()
      : server_("pool", [](Options& o) {
          o.limits.max_dispatches_per_connection = 1;
          o.limits.message_timeout = Duration(200);
        }) {
    server_.handler.before = [this](ServerRequest& r) { gate_(r); };
    std::vector<Byte> whole = message({.argument = 7, .id = 2});
    giop::FragmentedMessage pieces;
    EXPECT_EQ(pieces.cut(whole, 48), Fault::None);
    begin_ = {pieces.views()[0].begin(), pieces.views()[0].end()};
    for (const ByteView v : pieces.views().subspan(1)) rest_.insert(rest_.end(), v.begin(), v.end());
    client_ = std::make_unique<RawClient>(server_.port());
    send_all(*client_, {begin_, message({.operation = "wait", .id = 1})});
    gate_.wait_until_entered();
  }
  // Until message_timeout has passed: as others see, whose messages do not become whole.
  void wait_for_message_timeout() {
    for (int i = 0; i < 2; ++i) {
      RawClient other(server_.port());
      other.send(begin_);
      EXPECT_TRUE(other.hear_end());
    }
  }

  Gate gate_;
  ModelServer server_;
  std::vector<Byte> begin_, rest_;
  std::unique_ptr<RawClient> client_;
};

TEST_F(ParkedInFragments, the_time_of_the_message_stands_still_9_4_9) {
  wait_for_message_timeout();
  client_->send(rest_);
  gate_.open();
  expect_ids(*client_, {1, 2});
}

TEST_F(ParkedInFragments, the_time_of_the_message_goes_on_afterwards) {
  wait_for_message_timeout();
  gate_.open();
  EXPECT_EQ(client_->hear().id, 1u);
  EXPECT_TRUE(client_->hear_end()) << "nothing more has come of it";
}

// Calls that have it parked again and again do not put the deadline off.
TEST_F(ParkedInFragments, the_time_of_the_message_does_not_begin_anew) {
  gate_.open();
  EXPECT_EQ(client_->hear().id, 1u);
  std::uint32_t id = 10;
  Heard h;
  do {
    client_->send(message({.argument = 5, .id = ++id}));
    h = client_->hear();
  } while (h.kind != EventKind::Closed && id < 1'000'000);
  EXPECT_EQ(h.kind, EventKind::Closed);
}

TEST(Pool, half_sent_messages_hold_no_thread) {
  ModelServer server("pool:2");
  std::vector<std::unique_ptr<RawClient>> slow;
  const auto m = message({});
  for (std::size_t i = 0; i < 3 * m.size(); ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port()));
    slow.back()->send(ByteView(m).first(1 + i % (m.size() - 1)));
  }
  RawClient good(server.port());
  for (std::uint32_t i = 1; i <= 100; ++i) {
    good.send(message({.argument = i, .id = i}));
    EXPECT_EQ(good.hear().value, i);
  }
  for (std::size_t i = 0; i < slow.size(); ++i) {
    slow[i]->send(ByteView(m).subspan(1 + i % (m.size() - 1)));
    EXPECT_EQ(slow[i]->hear().value, 1u);
  }
  EXPECT_LE(server.core->server().pool()->threads(), 2u);
}

TEST(Pool, gives_others_their_turn_after_what_one_receive_has_brought) {
  constexpr std::size_t kReceive = 64u << 10, kReceives = 8;
  ModelServer server("pool:1");
  Gate gate;
  std::atomic<std::size_t> told{0}, told_before{0};
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "tell") ++told;
    if (r.operation() == "echo") told_before = told.load();
    gate(r);
  };
  RawClient blocks(server.port()), floods(server.port()), good(server.port());
  good.send(message({.id = 1}));
  EXPECT_EQ(good.hear().id, 1u) << "it has been accepted";
  blocks.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();  // now nobody reads
  const auto one = message({.operation = "tell", .response = giop::ResponseFlags::None});
  std::vector<Byte> together;
  while (together.size() < kReceive) together.insert(together.end(), one.begin(), one.end());
  EXPECT_TRUE(floods.send(together));
  std::thread flood([&] {
    for (std::size_t n = 1; n != kReceives; ++n) EXPECT_TRUE(floods.send(together));
  });
  EXPECT_TRUE(good.send(message({.id = 2})));
  gate.open();
  EXPECT_EQ(good.hear().id, 2u);
  EXPECT_LE(told_before, kReceive / one.size() + 1);
  flood.join();
}

struct Locator final : RequestHandler {
  Gate gate;
  std::atomic<int> located{0}, located_before{0};
  void handle(ServerRequest& r) noexcept override {
    gate(r);
    located_before = located.load();
    r.reply().put_ulong(r.arguments().get_ulong());
  }
  Locate locate(ByteView, ior::Ior&) noexcept override {
    ++located;
    return Locate::Here;
  }
};

TEST(Pool, gives_others_their_turn_after_some_LocateReplies) {
  constexpr std::uint32_t kMany = 500;
  Locator locator;
  ModelServer server("pool:1", {}, &locator);
  RawClient blocks(server.port()), floods(server.port()), good(server.port());
  good.send(message({.id = 1}));
  EXPECT_EQ(good.hear().id, 1u) << "it has been accepted";
  blocks.send(message({.operation = "wait", .id = 1}));
  locator.gate.wait_until_entered();  // now nobody reads
  std::vector<Byte> together;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    const auto m = locate_message(giop::kGiop12, kNativeOrder, "key", i);
    together.insert(together.end(), m.begin(), m.end());
  }
  EXPECT_TRUE(floods.send(together));
  EXPECT_TRUE(good.send(message({.id = 2})));
  locator.gate.open();
  EXPECT_EQ(good.hear().id, 2u);
  EXPECT_LE(locator.located_before, 100);
  for (std::uint32_t i = 0; i < kMany; ++i) EXPECT_EQ(floods.hear().id, i) << "in order, and all of them";
}

// As long as nobody has more to be read than can be served, all have their turns in the order in which they came.
TEST(Pool, serves_others_before_those_who_send_faster_than_they_are_served) {
  constexpr int kFloods = 30, kRequests = 200, kServedBefore = kFloods * 150;
  ModelServer server("pool:1");
  Gate gate;
  std::promise<void> reached, opened;
  std::atomic<int> served{0}, served_before{0};
  server.handler.before = [&](ServerRequest& r) {
    gate(r);
    if (r.operation() == "tell") served_before = served.load();
    if (r.operation() != "echo" || ++served != kServedBefore) return;
    reached.set_value();
    opened.get_future().wait();
  };
  RawClient blocks(server.port()), good(server.port());
  good.send(message({.operation = "other", .id = 1}));
  EXPECT_EQ(good.hear().id, 1u) << "it has been accepted";
  blocks.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();  // now nobody reads
  std::vector<Byte> together;
  for (std::uint32_t i = 0; i < kRequests; ++i) {
    const auto m = message({.argument = i, .id = i});
    together.insert(together.end(), m.begin(), m.end());
  }
  std::vector<std::unique_ptr<RawClient>> floods;
  for (int i = 0; i < kFloods; ++i)
    EXPECT_TRUE(floods.emplace_back(std::make_unique<RawClient>(server.port()))->send(together));
  gate.open();
  reached.get_future().wait();
  EXPECT_TRUE(good.send(message({.operation = "tell", .id = 2})));
  opened.set_value();
  EXPECT_EQ(good.hear().id, 2u);
  EXPECT_LE(served_before - kServedBefore, 5);
  for (auto& flood : floods)
    for (std::uint32_t i = 0; i < kRequests; ++i) ASSERT_EQ(flood->hear().id, i) << "in order, and all of them";
}

// Answers with so many bytes as the argument says.
struct Large final : RequestHandler {
  std::atomic<int> requests{0};
  void handle(ServerRequest& r) noexcept override {
    ++requests;
    const auto n = r.arguments().get_ulong();
    r.reply().put_octets(std::vector<Byte>(n, 7));
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Unknown; }
};

TEST(Pool, slow_readers_hold_no_thread_and_get_all_when_they_read) {
  Large large;
  ModelServer server("pool:1", {}, &large);
  RawClient slow(server.port()), good(server.port());
  slow.send(message({.argument = 12u << 20, .id = 1}));
  while (large.requests == 0) std::this_thread::yield();
  for (std::uint32_t i = 1; i <= 20; ++i) {
    good.send(message({.argument = 4, .id = i}));
    EXPECT_EQ(good.hear().id, i);
  }
  const Heard h = slow.hear();
  EXPECT_EQ(h.id, 1u);
  EXPECT_GE(h.header.body_bytes, 12u << 20);
  slow.send(message({.argument = 4, .id = 2}));
  EXPECT_EQ(slow.hear().id, 2u);
}

TEST(Pool, stops_reading_requests_of_a_peer_that_has_too_much_output_queued) {
  Large large;
  ModelServer server("pool:1", [](Options& o) { o.limits.max_queued_output_bytes = 1u << 20; }, &large);
  RawClient slow(server.port()), good(server.port());
  slow.send(message({.argument = 14u << 20, .id = 1}));
  while (large.requests == 0) std::this_thread::yield();
  // The only thread queues the reply before it reads on. The next request finds out and is taken still.
  for (std::uint32_t i = 2; i <= 9; ++i) slow.send(message({.argument = 1u << 20, .id = i}));
  for (std::uint32_t i = 1; i <= 50; ++i) {
    good.send(message({.argument = 4, .id = i}));
    EXPECT_EQ(good.hear().id, i);
  }
  EXPECT_LE(large.requests, 52) << "some of the slow one's are not read yet";
  expect_ids(slow, {1, 2, 3, 4, 5, 6, 7, 8, 9});
}

// Says of all objects that they are elsewhere, at great length.
struct Elsewhere final : RequestHandler {
  std::atomic<int> located{0};
  const std::string type = std::string(1u << 20, 'x');
  void handle(ServerRequest& r) noexcept override { r.reply().put_ulong(r.arguments().get_ulong()); }
  Locate locate(ByteView, ior::Ior& forward) noexcept override {
    ++located;
    forward.type_id = type;
    return Locate::Forward;
  }
};

TEST(Pool, stops_reading_LocateRequests_of_a_peer_that_has_too_much_output_queued) {
  for (const char* const model : {"pool:1", "single"}) {
    constexpr std::uint32_t kRequests = 40;  // so many MiB of answers: the system takes some 10
    Elsewhere elsewhere;
    ModelServer server(model, [](Options& o) { o.limits.max_queued_output_bytes = 1u << 20; }, &elsewhere);
    RawClient slow(server.port()), good(server.port());
    std::vector<Byte> all;
    for (std::uint32_t i = 0; i < kRequests; ++i) {
      const auto m = locate_message(giop::kGiop12, kNativeOrder, std::string(8u << 10, 'k'),
                                    i);  // there is always more to be read
      all.insert(all.end(), m.begin(), m.end());
    }
    slow.send(all);
    while (elsewhere.located == 0) std::this_thread::yield();
    EXPECT_TRUE(good.hear(Duration(300)).silent) << "nothing was asked: the server has time for the slow one alone";
    EXPECT_LE(elsewhere.located, 25) << model;
    good.send(message({.argument = 4, .id = 1}));
    EXPECT_EQ(good.hear().id, 1u);
    for (std::uint32_t i = 0; i < kRequests; ++i) {
      const Heard h = slow.hear();
      ASSERT_EQ(h.id, i) << model;
      ASSERT_EQ(h.locate, giop::LocateStatus::ObjectForward) << model;
    }
  }
}

TEST(Pool, a_servant_may_call_back_and_wait_for_a_request_to_its_own_server) {
  ModelServer a("pool"), b("pool");
  CORBA::Object_var a_from_b = a.object_for(*b.core), b_from_a = b.object_for(*a.core);
  std::atomic<int> depth{0};
  a.handler.before = [&](ServerRequest&) {
    if (++depth < 20) echo(b_from_a, 1);
  };
  b.handler.before = [&](ServerRequest&) {
    if (++depth < 20) echo(a_from_b, 1);
  };
  auto client = make_core();
  EXPECT_EQ(echo(a.object_for(*client), 3), 3u);
  EXPECT_EQ(depth, 20);
  client->destroy();
}

}  // namespace
}  // namespace callis::orb
