// SPDX-License-Identifier: Apache-2.0
// A server's promises to good and bad clients in every model (a thread for each connection, the pool, threads of the
// application): limits, slow and broken clients, shutdown.
#include <gtest/gtest.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

class EveryModel : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::Values("connection", "connection:1", "pool", "single"),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name)
                             if (c == ':') c = '_';
                           return name;
                         });

TEST_P(EveryModel, one_clients_garbage_does_not_disturb_anothers_call) {
  ModelServer server(GetParam());
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient good(server.port());
  good.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();
  for (int i = 0; i < 20; ++i) {
    RawClient bad(server.port());
    bad.send(bytes_of("this is not GIOP at all, sorry"));
    EXPECT_EQ(bad.hear().kind, EventKind::PeerError);
  }
  gate.open();
  EXPECT_EQ(good.hear().id, 1u);
  good.send(message({.argument = 2, .id = 2}));
  EXPECT_EQ(good.hear().value, 2u);
}

TEST_P(EveryModel, a_message_that_never_ends_is_cut_off_at_its_deadline) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.message_timeout = Duration(40); });
  RawClient client(server.port());
  const auto m = message({});
  client.send(ByteView(m).first(20));
  EXPECT_TRUE(client.hear_end());
}

TEST_P(EveryModel, a_fragment_train_that_never_ends_is_cut_off_though_other_requests_are_answered) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.message_timeout = Duration(500); });
  RawClient client(server.port());
  auto whole = message({.id = 1});
  giop::FragmentedMessage pieces;
  ASSERT_EQ(pieces.cut(whole, 48), Fault::None);
  client.send(pieces.views()[0]);  // the first piece, whole
  client.send(message({.argument = 2, .id = 2}));
  EXPECT_EQ(client.hear().value, 2u);
  EXPECT_TRUE(client.hear_end());
}

// --- Limits on connections ---

TEST_P(EveryModel, a_connection_beyond_the_total_is_told_CloseConnection) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.max_connections = 2; });
  RawClient a(server.port()), b(server.port());
  a.send(message({.argument = 1}));
  b.send(message({.argument = 2}));
  EXPECT_EQ(a.hear().value, 1u);
  EXPECT_EQ(b.hear().value, 2u);
  RawClient c(server.port());
  EXPECT_EQ(c.hear().kind, EventKind::PeerClosing);
  a.send(message({.argument = 3}));
  EXPECT_EQ(a.hear().value, 3u);
}

TEST_P(EveryModel, a_connection_beyond_its_peers_share_is_told_CloseConnection) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.max_connections_per_peer = 1; });
  auto first = std::make_optional<RawClient>(server.port());
  first->send(message({.argument = 1}));
  EXPECT_EQ(first->hear().value, 1u);
  RawClient second(server.port());
  EXPECT_EQ(second.hear().kind, EventKind::PeerClosing);
}

TEST_P(EveryModel, an_idle_connection_is_told_CloseConnection) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.idle_timeout = Duration(30); });
  RawClient client(server.port());
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
}

TEST_P(EveryModel, a_connection_with_a_request_in_progress_is_never_idle) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.idle_timeout = Duration(300); });
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient busy(server.port());
  busy.send(message({.operation = "wait", .id = 4}));
  gate.wait_until_entered();
  RawClient idle(server.port());
  EXPECT_EQ(idle.hear().kind, EventKind::PeerClosing) << "connected later, idle sooner";
  gate.open();
  EXPECT_EQ(busy.hear().id, 4u);
}

TEST_P(EveryModel, a_client_that_does_not_read_its_reply_is_cut_off_after_send_timeout) {
  struct Large final : RequestHandler {
    std::atomic<bool> asked{false};
    void handle(ServerRequest& r) noexcept override {
      asked = true;
      r.reply().put_octets(std::vector<Byte>(64u << 20));
    }
    Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Unknown; }
  } large;
  ModelServer server(GetParam(), [](Options& o) { o.limits.send_timeout = Duration(50); }, &large);
  RawClient client(server.port());
  client.send(message({}));
  while (!large.asked || server.core->server().connections() != 0) std::this_thread::yield();
  SUCCEED() << "the connection's thread has ended though the client still holds the connection";
}

TEST_P(EveryModel, upcalls_beyond_max_dispatches_wait) {
  ModelServer server(GetParam(), [](Options& o) { o.limits.max_dispatches = 1; });
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient first(server.port()), second(server.port());
  first.send(message({.operation = "wait", .id = 1}));
  gate.wait_until_entered();
  second.send(message({.argument = 5, .id = 2}));
  if (GetParam() != std::string("pool"))  // which has no thread more than upcalls that may run
    while (server.core->upcalls().waiting() == 0) std::this_thread::yield();
  EXPECT_EQ(server.handler.requests, 1);
  gate.open();
  EXPECT_EQ(first.hear().id, 1u);
  EXPECT_EQ(second.hear().value, 5u);
}

// --- Shutdown ---

TEST_P(EveryModel, shutdown_tells_idle_clients_CloseConnection) {
  ModelServer server(GetParam());
  RawClient client(server.port());
  client.send(message({.argument = 1}));
  EXPECT_EQ(client.hear().value, 1u);
  server.core->shutdown(true);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST_P(EveryModel, shutdown_lets_requests_in_progress_finish_and_answers_them) {
  ModelServer server(GetParam());
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  RawClient client(server.port());
  client.send(message({.operation = "wait", .id = 6}));
  gate.wait_until_entered();
  server.core->shutdown(false);
  gate.open();
  EXPECT_EQ(client.hear().id, 6u);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
}

TEST_P(EveryModel, shutdown_accepts_no_connections_any_more) {
  ModelServer server(GetParam());
  const auto port = server.port();
  server.core->shutdown(true);
  EXPECT_EQ(transport::connect_tcp("127.0.0.1", port, Deadline::in(RawClient::kPatience)).fault(),
            Fault::ConnectRefused);
}

}  // namespace
}  // namespace callis::orb
