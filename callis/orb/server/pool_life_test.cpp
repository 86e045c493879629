// SPDX-License-Identifier: Apache-2.0
// Connections of the pool from their beginning to their end: some come from a thread of their own, some hold bytes
// back, some are closed by their client. Also the end of the pool.
#include <gtest/gtest.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <unistd.h>
#include <algorithm>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

TEST(Pool, an_idle_connection_that_is_closed_loses_no_request) {
  ModelServer server("pool", [](Options& o) { o.limits.idle_timeout = Duration(8); });
  int answered = 0, closed = 0;
  for (int round = 0; round < 60; ++round) {
    RawClient client(server.port());
    for (std::uint32_t i = 1;; ++i) {
      // The first at once; then pauses near the server's, by what the client has to do anyway.
      if (i > 1 && client.hear(Duration(7 + round % 4)).kind == EventKind::PeerClosing) break;
      const int before = server.handler.requests;
      if (!client.send(message({.argument = i, .id = i}))) break;
      const Heard h = client.hear();
      if (h.kind == EventKind::Message) {
        EXPECT_EQ(h.value, i);
        ++answered;
        if (i < 3) continue;
      } else {
        EXPECT_EQ(h.kind, EventKind::PeerClosing) << "never just the end: the request may be sent again";
        EXPECT_EQ(server.handler.requests, before) << "and was not executed";
        ++closed;
      }
      break;
    }
  }
  EXPECT_GT(answered, 0);
}

TEST(Pool, a_client_that_has_closed_its_side_still_gets_its_answers) {
  ModelServer server("pool");
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  client.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();
  client.finish_sending();
  gate.open();
  EXPECT_EQ(client.hear().id, 1u);
  EXPECT_TRUE(client.hear_end());
}

TEST(Pool, serves_nothing_more_of_a_connection_that_takes_no_replies_any_more) {
  const std::string path = ::testing::TempDir() + "pool_test." + std::to_string(::getpid());
  // A Unix-domain socket: sending fails as soon as the peer has closed.
  ModelServer server("pool:1", [&](Options& o) { o.endpoints.push_back({{unix_transport(), path, 0}, {}}); });
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  {
    RawClient client(transport::connect_unix(path, Deadline::in(RawClient::kPatience)).value());
    std::vector<Byte> together = message({.operation = "wait", .id = 1});
    for (std::uint32_t i = 2; i <= 100; ++i) {
      const auto m = message({.argument = i, .id = i});
      together.insert(together.end(), m.begin(), m.end());
    }
    client.send(together);
    gate.wait_until_entered();
  }  // has gone
  gate.open();
  while (server.core->server().connections() != 0) std::this_thread::yield();
  EXPECT_EQ(server.handler.requests, 1);
}

// Takes in all bytes of its socket, and gives them piece by piece, like a transport that decrypts whole records.
class HoldingStream final : public transport::Stream {
 public:
  explicit HoldingStream(std::unique_ptr<transport::Stream> socket) : socket_(std::move(socket)) {}

  using Stream::receive;
  using Stream::send;
  transport::Transfer send(std::span<const ByteView> parts, Deadline d) override { return socket_->send(parts, d); }
  transport::Transfer receive(MutableBytes into, Deadline d, TimePoint now) override {
    if (held_.empty()) {
      held_.resize(64u << 10);
      const transport::Transfer t = socket_->receive({held_.data(), held_.size()}, d, now);
      held_.resize(t.bytes);
      if (!t.ok()) return t;
    }
    const std::size_t n = std::min({into.size(), held_.size(), kPiece});
    std::copy_n(held_.begin(), n, into.begin());
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(n));
    return {n};
  }
  bool pending() const override { return !held_.empty(); }
  int descriptor() const override { return socket_->descriptor(); }
  bool quiet() override { return held_.empty() && socket_->quiet(); }
  void finish_sending() noexcept override { socket_->finish_sending(); }
  void stop_receiving() noexcept override { socket_->stop_receiving(); }
  void shutdown() noexcept override { socket_->shutdown(); }
  const std::string& peer() const override { return socket_->peer(); }
  const transport::Peer& peer_identity() const override { return socket_->peer_identity(); }

 private:
  static constexpr std::size_t kPiece = 40;  // less than a message

  const std::unique_ptr<transport::Stream> socket_;
  std::vector<Byte> held_;
};

TEST(Pool, reads_on_what_a_stream_holds_though_nothing_shows_at_its_descriptor) {
  ModelServer server("pool");
  auto listener = transport::listen_tcp("127.0.0.1", 0).value();
  RawClient client(transport::connect_tcp("127.0.0.1", listener->port(), Deadline::in(RawClient::kPatience)).value());
  std::unique_ptr<transport::Stream> stream = std::make_unique<HoldingStream>(listener->accept().value());
  std::vector<Byte> together;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    const auto m = message({.argument = i, .id = i});
    together.insert(together.end(), m.begin(), m.end());
  }
  client.send(together);
  ASSERT_TRUE(server.core->server().pool()->take(stream));
  for (std::uint32_t i = 1; i <= 20; ++i) EXPECT_NE(client.hear().value, 0u) << i;
}

TEST(Pool, idle_connections_change_over_to_it_when_threads_are_short) {
  ModelServer server("connection:2", [](Options& o) { o.limits.thread_idle_timeout = Duration(20); });
  Server& s = server.core->server();
  RawClient a(server.port()), b(server.port()), c(server.port());
  for (RawClient* client : {&a, &b, &c}) {
    client->send(message({.argument = 1}));
    EXPECT_EQ(client->hear().value, 1u);
  }
  while (s.short_of_threads()) std::this_thread::yield();
  EXPECT_EQ(s.connections(), 3u);
  for (RawClient* client : {&a, &b, &c}) {
    client->send(message({.argument = 2}));
    EXPECT_EQ(client->hear().value, 2u);
  }
  server.core->shutdown(true);
  for (RawClient* client : {&a, &b, &c}) EXPECT_EQ(client->hear().kind, EventKind::PeerClosing);
}

TEST(Pool, threads_that_sleep_on_idle_connections_wake_up_for_input_and_when_threads_are_short) {
  constexpr Duration kPatience{100};
  bool at_once = false;  // not only when the other thread's patience is over; a busy machine may take as long
  for (int attempt = 0; attempt < 5 && !at_once; ++attempt) {
    ModelServer server("connection:2", [kPatience](Options& o) { o.limits.thread_idle_timeout = kPatience; });
    Server& s = server.core->server();
    RawClient a(server.port());
    for (std::uint32_t i = 1; i <= 2; ++i) {
      a.send(message({.argument = i}));
      EXPECT_EQ(a.hear().value, i);
      while (s.pool()->sleepers() != 1) std::this_thread::yield();
    }
    EXPECT_EQ(s.pool()->connections(), 0u);
    const TimePoint before = Clock::steady().now();
    RawClient b(server.port());
    while (s.pool()->connections() == 0) std::this_thread::yield();
    at_once = Clock::steady().now() - before < kPatience;
    for (RawClient* client : {&a, &b}) {
      client->send(message({.argument = 3}));
      EXPECT_EQ(client->hear().value, 3u);
    }
  }
  EXPECT_TRUE(at_once);
}

TEST(Pool, a_connection_on_which_a_thread_sleeps_is_closed_when_it_was_idle_for_too_long) {
  ModelServer server("connection", [](Options& o) {
    o.limits.thread_idle_timeout = Duration(5);
    o.limits.idle_timeout = Duration(60);
  });
  RawClient client(server.port());
  const TimePoint before = Clock::steady().now();
  client.send(message({.argument = 1}));
  EXPECT_EQ(client.hear().value, 1u);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  EXPECT_GE(Clock::steady().now() - before, Duration(60));
}

// A thread of the application that has looked at the ORB's phase, and not yet begun to wait when shutdown comes.
TEST(Pool, threads_that_come_after_the_end_do_not_wait_for_a_nudge) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", "single"});
  Pool* const pool = server.core->server().pool();
  server.core->shutdown(false);
  pool->serve_once(-1);  // is nudged
  pool->serve_once(-1);
}

}  // namespace
}  // namespace callis::orb
