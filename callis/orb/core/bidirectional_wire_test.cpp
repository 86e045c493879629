// SPDX-License-Identifier: Apache-2.0
// Bidirectional GIOP byte by byte: contexts, request ids, and what hostile peers do (CORBA 3.3 part 2, 9.8).
#include <gtest/gtest.h>
#include <callis/orb/testing/bidirectional.h>
#include <callis/orb/testing/raw_client.h>

namespace callis::orb {
namespace {

using namespace testing;

std::vector<Byte> request_with(const std::vector<Byte>& points, std::uint32_t id = 2) {
  const giop::ServiceContext context{giop::kBiDirIiopContext, points};
  return message({.id = id, .contexts = {&context, 1}});
}
std::vector<Byte> says(const std::vector<ior::Address>& points) { return ior::listen_points_context(points); }

std::vector<Byte> reply_to(std::uint32_t id, std::uint32_t value) {
  Buffer b;
  cdr::Encoder e(b);
  const auto s = giop::begin_reply(e, giop::kGiop12, id, giop::ReplyStatus::NoException);
  e.put_ulong(value);
  EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  return {b.data(), b.data() + b.size()};
}

CORBA::Object_var at(Core& core, const std::string& host, int port = 1) {
  return core.string_to_object(("corbaloc:iiop:1.2@" + host + ":" + std::to_string(port) + "/echo").c_str());
}

bool cannot_connect(CORBA::Object_ptr object) {
  try {
    echo(object, 1);
    return false;
  } catch (const CORBA::TRANSIENT&) {
    return true;
  }
}

// --- Who accepts ---

TEST(BidirectionalOnTheWire, who_accepts_calls_with_odd_ids_9_8) {
  CallsBack server;
  RawClient client(server.port());
  client.go_bidirectional();
  client.send(request_with(says({{"127.0.0.1", 1}})));
  EXPECT_EQ(client.hear().id, 2u);
  CORBA::Object_var back = at(*server.core, "127.0.0.1");
  std::thread calls([&] { for (std::uint32_t i = 10; i < 13; ++i) EXPECT_EQ(echo(back, i), i + 100); });
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Heard h = client.hear();
    EXPECT_EQ(h.header.type, giop::MessageType::Request);
    EXPECT_EQ(h.id, 1 + 2 * i);
    EXPECT_EQ(h.value, 10 + i);
    client.send(reply_to(h.id, h.value + 100));
  }
  calls.join();
}

TEST(BidirectionalOnTheWire, replies_that_nobody_waits_for_are_dropped) {
  CallsBack server;
  RawClient client(server.port());
  client.send(request_with(says({{"127.0.0.1", 1}})));
  (void)client.hear();
  for (std::uint32_t id = 0; id < 1000; ++id) client.send(reply_to(id, 1));
  client.send(message({.argument = 5, .id = 4}));
  EXPECT_EQ(client.hear().value, 5u);
}

TEST(BidirectionalOnTheWire, without_listen_points_replies_are_an_error) {
  CallsBack server;
  for (const bool malformed : {false, true}) {
    RawClient client(server.port());
    client.send(malformed ? request_with({0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}) : message({.id = 2}));
    EXPECT_EQ(client.hear().id, 2u);
    client.send(reply_to(1, 1));
    EXPECT_EQ(client.hear().kind, giop::EventKind::PeerError);
  }
}

TEST(BidirectionalOnTheWire, a_reply_that_cannot_be_read_ends_the_connection) {
  CallsBack server;
  RawClient client(server.port());
  client.send(request_with(says({{"127.0.0.1", 1}})));
  (void)client.hear();
  std::vector<Byte> bad = reply_to(1, 1);
  bad.resize(14);
  store(bad.data() + 8, std::uint32_t{2});
  client.send(bad);
  EXPECT_EQ(client.hear().kind, giop::EventKind::PeerError);
}

TEST(BidirectionalOnTheWire, listen_points_are_believed_of_the_hosts_they_come_from) {
  CallsBack server;
  RawClient client(server.port());
  client.go_bidirectional();
  client.send(request_with(says({{"192.0.2.1", 1}, {"some.host", 1}, {"127.0.0.1", 2}})));
  (void)client.hear();
  set_policies(*server.core, CallPolicy::ConnectTimeout, std::chrono::milliseconds(50));
  EXPECT_TRUE(cannot_connect(at(*server.core, "192.0.2.1")));
  EXPECT_TRUE(cannot_connect(at(*server.core, "127.0.0.1", 1)));
  CORBA::Object_var back = at(*server.core, "127.0.0.1", 2);
  std::thread calls([&] { EXPECT_EQ(echo(back, 1), 2u); });
  client.send(reply_to(client.hear().id, 2));
  calls.join();
}

TEST(BidirectionalOnTheWire, any_are_believed_where_that_is_asked_for) {
  CallsBack server("connection", [](Options& o) { o.listen_points = ListenPoints::Any; });
  RawClient client(server.port());
  client.go_bidirectional();
  client.send(request_with(says({{"192.0.2.1", 1}})));
  (void)client.hear();
  CORBA::Object_var back = at(*server.core, "192.0.2.1");
  std::thread calls([&] { EXPECT_EQ(echo(back, 1), 2u); });
  client.send(reply_to(client.hear().id, 2));
  calls.join();
}

TEST(BidirectionalOnTheWire, listen_points_add_up_to_the_limit) {
  CallsBack server("connection", [](Options& o) { o.limits.max_profiles = 2; });
  RawClient client(server.port());
  client.go_bidirectional();
  for (std::uint16_t port = 1; port <= 3; ++port) {
    client.send(request_with(says({{"127.0.0.1", port}}), 2u * port));
    EXPECT_EQ(client.hear().id, 2u * port);
  }
  for (const int port : {1, 2}) {
    CORBA::Object_var back = at(*server.core, "127.0.0.1", port);
    std::thread calls([&] { EXPECT_EQ(echo(back, 1), 2u); });
    client.send(reply_to(client.hear().id, 2));
    calls.join();
  }
  EXPECT_TRUE(cannot_connect(at(*server.core, "127.0.0.1", 3)));
}

TEST(BidirectionalOnTheWire, listen_points_end_with_their_connection) {
  CallsBack server;
  CORBA::Object_var back = at(*server.core, "127.0.0.1");
  {
    RawClient client(server.port());
    client.go_bidirectional();
    client.send(request_with(says({{"127.0.0.1", 1}})));
    (void)client.hear();
    std::thread calls([&] { EXPECT_THROW(echo(back, 1), CORBA::COMM_FAILURE); });
    (void)client.hear();
    client.finish_sending();
    calls.join();
  }
  EXPECT_TRUE(cannot_connect(back));
}

// --- Idle connections. One that has been idle for less shows that the time has come for the others.

TEST(BidirectionalOnTheWire, agreed_connections_outlive_idle_timeout) {
  CallsBack server("pool", [](Options& o) { o.limits.idle_timeout = Duration(50); });
  RawClient both(server.port()), usual(server.port());
  both.send(request_with(says({{"127.0.0.1", 1}})));
  EXPECT_EQ(both.hear().id, 2u);
  usual.send(message({.id = 2}));
  EXPECT_EQ(usual.hear().id, 2u);
  EXPECT_EQ(usual.hear().kind, giop::EventKind::PeerClosing);
  both.send(message({.argument = 5, .id = 4}));
  EXPECT_EQ(both.hear().value, 5u);
}

TEST(BidirectionalOnTheWire, agreed_connections_end_after_their_own_idle_timeout) {
  CallsBack server("connection", [](Options& o) {
    o.limits.idle_timeout = Duration(0);
    o.limits.bidirectional_idle_timeout = Duration(50);
  });
  RawClient client(server.port());
  client.send(request_with(says({{"127.0.0.1", 1}})));
  EXPECT_EQ(client.hear().id, 2u);
  EXPECT_EQ(client.hear().kind, giop::EventKind::PeerClosing);
  EXPECT_TRUE(cannot_connect(at(*server.core, "127.0.0.1")));
}

// Mere claims of a client make no difference.
TEST(BidirectionalOnTheWire, connections_of_clients_that_are_not_believed_end_after_idle_timeout) {
  CallsBack server("connection", [](Options& o) { o.limits.idle_timeout = Duration(50); });
  const std::vector<Byte> malformed = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
  for (const auto& points : {says({{"192.0.2.1", 1}}), says({}), malformed}) {
    RawClient client(server.port());
    client.send(request_with(points));
    EXPECT_EQ(client.hear().id, 2u);
    EXPECT_EQ(client.hear().kind, giop::EventKind::PeerClosing);
  }
}

TEST(BidirectionalOnTheWire, agreed_connections_end_after_idle_timeout_where_half_of_all_that_may_be_are_open) {
  CallsBack server("pool", [](Options& o) {
    o.limits.idle_timeout = Duration(50);
    o.limits.max_connections = 4;
  });
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::uint16_t port = 1; port <= 2; ++port) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send(request_with(says({{"127.0.0.1", port}})));
    EXPECT_EQ(clients.back()->hear().id, 2u);
  }
  RawClient usual(server.port());
  usual.send(message({.id = 2}));
  EXPECT_EQ(usual.hear().id, 2u);
  EXPECT_EQ(clients[0]->hear().kind, giop::EventKind::PeerClosing) << "idle for longer than the others";
}

TEST(BidirectionalOnTheWire, a_connection_is_not_idle_while_a_call_back_is_under_way) {
  CallsBack server("pool", [](Options& o) { o.limits.bidirectional_idle_timeout = Duration(50); });
  RawClient client(server.port()), idle(server.port());
  client.go_bidirectional();
  client.send(request_with(says({{"127.0.0.1", 1}})));
  EXPECT_EQ(client.hear().id, 2u);
  CORBA::Object_var back = at(*server.core, "127.0.0.1");
  std::thread calls([&] { EXPECT_EQ(echo(back, 1), 2u); });
  const Heard request = client.hear();
  idle.send(request_with(says({{"127.0.0.1", 2}})));
  EXPECT_EQ(idle.hear().id, 2u);
  EXPECT_EQ(idle.hear().kind, giop::EventKind::PeerClosing);
  client.send(reply_to(request.id, 2));
  calls.join();
  EXPECT_EQ(client.hear().kind, giop::EventKind::PeerClosing) << "idle since the call was over";
}

TEST(BidirectionalOnTheWire, close_connection_says_that_a_call_back_was_not_processed_9_5_1_1) {
  CallsBack server;
  CORBA::Object_var back = at(*server.core, "127.0.0.1");
  RawClient client(server.port());
  client.go_bidirectional();
  client.send(request_with(says({{"127.0.0.1", 1}})));
  (void)client.hear();
  std::thread calls([&] { EXPECT_TRUE(cannot_connect(back)) << "COMPLETED_NO: it was sent again, where nobody is"; });
  (void)client.hear();
  client.send(giop::close_connection(giop::kGiop12));
  calls.join();
}

// --- Who opens ---

// A server of one connection, by hand.
class Peer {
 public:
  Peer() : listener_(transport::listen_tcp("127.0.0.1", 0).value()) {}
  std::uint16_t port() const { return listener_->port(); }
  void accept() { stream_ = listener_->accept().value(); }
  void send(ByteView bytes) { EXPECT_TRUE(stream_->send(bytes, Deadline::in(Duration(20'000))).ok()); }
  void close() { stream_.reset(); }

  // The next message whole.
  std::vector<Byte> message() {
    std::vector<Byte> m = take(giop::kHeaderBytes);
    giop::MessageHeader h;
    EXPECT_EQ(giop::parse_header(m, limits_, h), Fault::None);
    const std::vector<Byte> body = take(h.body_bytes);
    m.insert(m.end(), body.begin(), body.end());
    return m;
  }
  giop::RequestHeader request() {
    message_ = message();
    giop::Message m;
    EXPECT_EQ(giop::parse_header(message_, limits_, m.header), Fault::None);
    EXPECT_EQ(m.header.type, giop::MessageType::Request);
    m.body = ByteView(message_).subspan(giop::kHeaderBytes);
    cdr::Budget budget = cdr::Budget::of(limits_, m.body_bytes());
    cdr::Decoder d = m.decoder(budget);
    giop::RequestHeader r;
    EXPECT_TRUE(giop::decode(d, m.header.version, r, limits_));
    return r;
  }

 private:
  std::vector<Byte> take(std::size_t n) {
    std::vector<Byte> bytes(n);
    for (std::size_t have = 0; have < n;) {
      const auto t = stream_->receive({bytes.data() + have, n - have}, Deadline::in(Duration(20'000)));
      EXPECT_TRUE(t.ok());
      if (!t.ok()) break;
      have += t.bytes;
    }
    return bytes;
  }

  const Limits limits_;
  std::unique_ptr<transport::TcpListener> listener_;
  std::unique_ptr<transport::Stream> stream_;
  std::vector<Byte> message_;
};

TEST(BidirectionalOnTheWire, who_opens_tells_its_listen_points_once_and_calls_with_even_ids_9_8_1) {
  CalledBack client;
  Peer peer;
  CORBA::Object_var there = at(*client.core, "127.0.0.1", peer.port());
  std::thread calls([&] { for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(echo(there, i), 7u); });
  peer.accept();
  for (std::uint32_t i = 0; i < 3; ++i) {
    const giop::RequestHeader r = peer.request();
    EXPECT_EQ(r.request_id, 2 * (i + 1));
    const giop::ServiceContext* c = r.contexts.find(giop::kBiDirIiopContext);
    ASSERT_EQ(c != nullptr, i == 0);
    if (c) {
      EXPECT_EQ(std::vector<Byte>(c->data.begin(), c->data.end()), says({{"127.0.0.1", 1}}));
    }
    peer.send(reply_to(r.request_id, 7));
  }
  calls.join();
}

TEST(BidirectionalOnTheWire, who_opens_serves_requests_whether_it_waits_or_not) {
  CalledBack client;
  Peer peer;
  CORBA::Object_var there = at(*client.core, "127.0.0.1", peer.port());
  std::thread calls([&] { EXPECT_EQ(echo(there, 1), 7u); });
  peer.accept();
  const std::uint32_t id = peer.request().request_id;
  peer.send(message({.argument = 5, .id = 1}));
  EXPECT_EQ(peer.message(), reply_to(1, 5));
  peer.send(reply_to(id, 7));
  calls.join();
  peer.send(message({.argument = 6, .id = 3}));
  EXPECT_EQ(peer.message(), reply_to(3, 6));
}

TEST(BidirectionalOnTheWire, after_close_connection_a_call_is_sent_again_with_the_listen_points_9_5_1_1) {
  CalledBack client;
  Peer peer;
  CORBA::Object_var there = at(*client.core, "127.0.0.1", peer.port());
  std::thread calls([&] { EXPECT_EQ(echo(there, 1), 7u); });
  peer.accept();
  (void)peer.request();
  peer.send(giop::close_connection(giop::kGiop12));
  peer.accept();
  const giop::RequestHeader r = peer.request();
  EXPECT_NE(r.contexts.find(giop::kBiDirIiopContext), nullptr);
  peer.send(reply_to(r.request_id, 7));
  calls.join();
}

TEST(BidirectionalOnTheWire, a_call_whose_connection_is_lost_is_not_sent_again) {
  CalledBack client;
  Peer peer;
  CORBA::Object_var there = at(*client.core, "127.0.0.1", peer.port());
  std::thread calls([&] {
    try {
      echo(there, 1);
      ADD_FAILURE() << "answered by nobody";
    } catch (const CORBA::COMM_FAILURE& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
    }
  });
  peer.accept();
  (void)peer.request();
  peer.close();
  calls.join();
}

TEST(BidirectionalOnTheWire, a_call_that_is_given_up_is_cancelled_and_its_late_reply_dropped) {
  CalledBack client;
  Peer peer;
  CORBA::Object_var there = at(*client.core, "127.0.0.1", peer.port());
  std::thread calls([&] {
    set_policies(*client.core, CallPolicy::RoundtripTimeout, std::chrono::milliseconds(100));
    EXPECT_THROW(echo(there, 1), CORBA::TIMEOUT);
    set_policies(*client.core);
    EXPECT_EQ(echo(there, 2), 8u);
  });
  peer.accept();
  const std::uint32_t id = peer.request().request_id;
  const auto cancelled = giop::cancel_request(giop::kGiop12, id);
  EXPECT_EQ(peer.message(), std::vector<Byte>(cancelled.begin(), cancelled.end()));
  peer.send(reply_to(id, 7));
  peer.send(reply_to(peer.request().request_id, 8));
  calls.join();
}

TEST(BidirectionalOnTheWire, shutdown_says_close_connection_when_the_calls_are_over) {
  CalledBack client;
  Peer peer;
  CORBA::Object_var there = at(*client.core, "127.0.0.1", peer.port());
  std::thread calls([&] { EXPECT_EQ(echo(there, 1), 7u); });
  peer.accept();
  const std::uint32_t id = peer.request().request_id;
  client.core->shutdown(false);
  peer.send(message({.argument = 5, .id = 1}));
  const std::vector<Byte> refused = peer.message();
  EXPECT_NE(std::string(refused.begin(), refused.end()).find("CORBA/TRANSIENT"), std::string::npos);
  peer.send(reply_to(id, 7));
  calls.join();
  const auto farewell = giop::close_connection(giop::kGiop12);
  EXPECT_EQ(peer.message(), std::vector<Byte>(farewell.begin(), farewell.end()));
  peer.close();
  client.core->destroy();
}

}  // namespace
}  // namespace callis::orb
