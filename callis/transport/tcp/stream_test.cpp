// SPDX-License-Identifier: Apache-2.0
// Streams over TCP: order, parts, deadlines, ends.
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/testing/bytes.h>
#include <callis/transport/testing/descriptors.h>
#include <gtest/gtest.h>
#include <atomic>
#include <cerrno>
#include <thread>
#include <unistd.h>
#include <vector>

namespace callis::transport {
namespace {

using testing::bytes;
using testing::kLong;
using testing::soon;

constexpr Duration kShort{30};

// A connected pair over the loopback interface.
struct Pair {
  std::unique_ptr<TcpListener> listener;
  std::unique_ptr<Stream> client, server;
};

Pair make_pair(const char* host = "127.0.0.1") {
  Pair p;
  p.listener = listen_tcp(host, 0).value();
  p.client = connect_tcp(p.listener->host(), p.listener->port(), soon()).value();
  p.server = p.listener->accept().value();
  return p;
}

std::string receive_exactly(Stream& s, std::size_t n) {
  std::string out;
  while (out.size() < n) {
    Byte buffer[4096];
    const Transfer t = s.receive({buffer, std::min(sizeof buffer, n - out.size())}, soon());
    if (!t.ok()) return out + "<" + fault_name(t.fault) + ">";
    out.append(reinterpret_cast<char*>(buffer), t.bytes);
  }
  return out;
}

TEST(TcpStream, sends_many_large_parts_to_a_slow_reader_whole_and_in_order) {
  Pair p = make_pair();
  std::string parts[40];
  std::vector<ByteView> views;
  std::string all;
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    parts[i].assign(i % 3 == 0 ? i : 100'000 + i, static_cast<char>('a' + i % 26));
    views.push_back(bytes(parts[i]));
    all += parts[i];
  }
  std::thread sender([&] {
    const Transfer t = p.client->send(views, soon());
    EXPECT_TRUE(t.ok());
    EXPECT_TRUE(t.waited);
    EXPECT_EQ(t.bytes, all.size());
  });
  EXPECT_TRUE(receive_exactly(*p.server, all.size()) == all);
  sender.join();
}

TEST(TcpStream, a_deadline_that_is_now_has_passed) {
  Pair p = make_pair();
  Byte b;
  const TimePoint now = Clock::steady().now();
  EXPECT_EQ(p.client->receive({&b, 1}, Deadline::at(now), now).fault, Fault::DeadlinePassed);
}

// Stream's own receive_now(), which transports above TCP have: it must not take a long past moment for a far one.
TEST(TcpStream, receives_nothing_without_waiting_by_the_way_that_all_streams_have) {
  Pair p = make_pair();
  Byte b;
  EXPECT_EQ(p.client->Stream::receive_now({&b, 1}).fault, Fault::DeadlinePassed);
}

TEST(TcpStream, carries_bytes_in_both_directions) {
  Pair p = make_pair();
  ASSERT_TRUE(p.client->send(bytes("request"), soon()).ok());
  EXPECT_EQ(receive_exactly(*p.server, 7), "request");
  ASSERT_TRUE(p.server->send(bytes("reply"), soon()).ok());
  EXPECT_EQ(receive_exactly(*p.client, 5), "reply");
}

TEST(TcpStream, sends_a_gather_list_in_order_and_passes_over_empty_parts) {
  Pair p = make_pair();
  const ByteView parts[] = {bytes("one "), {}, bytes("two "), bytes("three")};
  const Transfer t = p.client->send(parts, soon());
  EXPECT_TRUE(t.ok());
  EXPECT_EQ(t.bytes, 13u);
  EXPECT_EQ(receive_exactly(*p.server, 13), "one two three");
}

TEST(TcpStream, sends_more_parts_than_one_system_call_takes) {
  Pair p = make_pair();
  const std::vector<ByteView> parts(1000, bytes("ab"));
  EXPECT_EQ(p.client->send(parts, soon()).bytes, 2000u);
  EXPECT_EQ(receive_exactly(*p.server, 2000).substr(1996), "abab");
}

TEST(TcpStream, sends_everything_to_a_peer_that_reads_slowly) {
  Pair p = make_pair();
  const std::string big(8u << 20, 'x');
  std::size_t got = 0;
  std::thread reader([&] { got = receive_exactly(*p.server, big.size()).size(); });
  const Transfer t = p.client->send(bytes(big), soon());
  reader.join();
  EXPECT_TRUE(t.ok());
  EXPECT_EQ(got, big.size());
}

TEST(TcpStream, receive_ends_at_the_deadline) {
  Pair p = make_pair();
  Byte b;
  const auto start = Clock::steady().now();
  const Transfer t = p.client->receive({&b, 1}, Deadline::in(kShort));
  EXPECT_EQ(t.fault, Fault::DeadlinePassed);
  EXPECT_GE(Clock::steady().now() - start, kShort);
  ASSERT_TRUE(p.server->send(bytes("x"), soon()).ok());
  EXPECT_TRUE(p.client->receive({&b, 1}, soon()).ok()) << "a deadline passed does not spoil the stream";
}

TEST(TcpStream, a_short_deadline_does_not_shorten_a_later_long_one) {
  Pair p = make_pair();
  Byte b;
  EXPECT_EQ(p.client->receive({&b, 1}, Deadline::in(Duration(5))).fault, Fault::DeadlinePassed);
  const auto start = Clock::steady().now();
  EXPECT_EQ(p.client->receive({&b, 1}, Deadline::in(Duration(200))).fault, Fault::DeadlinePassed);
  EXPECT_GE(Clock::steady().now() - start, Duration(200));
}

TEST(TcpStream, a_long_deadline_does_not_lengthen_a_later_short_one) {
  Pair p = make_pair();
  Byte b;
  ASSERT_TRUE(p.server->send(bytes("x"), soon()).ok());
  EXPECT_TRUE(p.client->receive({&b, 1}, soon()).ok());
  const auto start = Clock::steady().now();
  EXPECT_EQ(p.client->receive({&b, 1}, Deadline::in(kShort)).fault, Fault::DeadlinePassed);
  EXPECT_LT(Clock::steady().now() - start, kLong / 2);
}

TEST(TcpStream, send_to_a_peer_that_does_not_read_ends_at_the_deadline) {
  Pair p = make_pair();
  const std::string big(64u << 20, 'x');
  const Transfer t = p.client->send(bytes(big), Deadline::in(Duration(100)));
  EXPECT_EQ(t.fault, Fault::DeadlinePassed);
  EXPECT_GT(t.bytes, 0u);
  EXPECT_LT(t.bytes, big.size());
}

TEST(TcpStream, end_of_stream_is_connection_lost_without_errno) {
  Pair p = make_pair();
  p.server.reset();
  Byte b;
  const Transfer t = p.client->receive({&b, 1}, soon());
  EXPECT_EQ(t.fault, Fault::ConnectionLost);
  EXPECT_EQ(t.os_error, 0);
}

TEST(TcpStream, reset_is_connection_lost_with_errno) {
  Pair p = make_pair();
  ASSERT_TRUE(p.client->send(bytes("unread"), soon()).ok());
  EXPECT_EQ(receive_exactly(*p.server, 1), "u");
  p.server.reset();  // closing with bytes unread makes the kernel send a reset
  Byte b;
  const Transfer t = p.client->receive({&b, 1}, soon());
  EXPECT_EQ(t.fault, Fault::ConnectionLost);
  EXPECT_EQ(t.os_error, ECONNRESET);
}

TEST(TcpStream, sending_after_the_peer_is_gone_is_a_fault_and_not_a_signal) {
  Pair p = make_pair();
  ASSERT_TRUE(p.client->send(bytes("unread"), soon()).ok());
  EXPECT_EQ(receive_exactly(*p.server, 1), "u");
  p.server.reset();
  Byte b;
  (void)p.client->receive({&b, 1}, soon());
  const Transfer t = p.client->send(bytes("more"), soon());
  EXPECT_EQ(t.fault, Fault::ConnectionLost);
  EXPECT_EQ(t.bytes, 0u);
}

// Without a reset the peer waits until its kernel asks again whether there is room.
TEST(TcpStream, shutdown_ends_the_sending_of_a_peer_that_waits_for_room) {
  Pair p = make_pair();
  Transfer t;
  std::thread sender([&] {
    const std::string much(1 << 20, 'x');
    while (t.ok()) t = p.client->send(bytes(much), soon());
  });
  std::vector<Byte> buffer(64 << 10);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(p.server->receive(buffer, soon()).ok());
  p.server->shutdown();
  while (p.server->receive(buffer, soon()).ok()) {}
  p.server.reset();
  sender.join();
  EXPECT_EQ(t.fault, Fault::ConnectionLost);
}

TEST(TcpStream, shutdown_from_another_thread_wakes_receive) {
  Pair p = make_pair();
  std::thread other([&] { p.client->shutdown(); });
  Byte b;
  EXPECT_EQ(p.client->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  other.join();
}

TEST(TcpStream, stop_receiving_wakes_receive_and_leaves_sending) {
  Pair p = make_pair();
  std::thread other([&] { p.client->stop_receiving(); });
  Byte b;
  EXPECT_EQ(p.client->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  other.join();
  EXPECT_TRUE(p.client->send(bytes("bye"), soon()).ok());
  EXPECT_EQ(receive_exactly(*p.server, 3), "bye");
}

TEST(TcpStream, finish_sending_ends_the_peers_receive_and_leaves_receiving) {
  Pair p = make_pair();
  p.client->finish_sending();
  Byte b;
  EXPECT_EQ(p.server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  EXPECT_TRUE(p.server->send(bytes("y"), soon()).ok());
  EXPECT_EQ(receive_exactly(*p.client, 1), "y");
}

TEST(TcpStream, quiet_tells_waiting_bytes_and_closing_from_silence) {
  Pair p = make_pair();
  EXPECT_TRUE(p.client->quiet());
  ASSERT_TRUE(p.server->send(bytes("z"), soon()).ok());
  Byte b;
  ASSERT_TRUE(p.client->receive({&b, 1}, soon()).ok());
  EXPECT_TRUE(p.client->quiet());
  ASSERT_TRUE(p.server->send(bytes("zz"), soon()).ok());
  ASSERT_TRUE(p.client->receive({&b, 1}, soon()).ok());
  EXPECT_FALSE(p.client->quiet()) << "one byte waits";
  ASSERT_TRUE(p.client->receive({&b, 1}, soon()).ok());
  p.server.reset();
  (void)p.client->receive({&b, 1}, soon());
  EXPECT_FALSE(p.client->quiet()) << "closed";
}

TEST(TcpStream, names_its_peer) {
  Pair p = make_pair();
  EXPECT_EQ(p.client->peer(), address_text("127.0.0.1", p.listener->port()));
  EXPECT_EQ(p.server->peer_identity().host, "127.0.0.1");
}

TEST(TcpListener, close_from_another_thread_wakes_accept) {
  auto listener = listen_tcp("127.0.0.1", 0).value();
  std::thread other([&] { listener->close(); });
  EXPECT_EQ(listener->accept().fault(), Fault::ConnectionClosed);
  other.join();
}

TEST(TcpListener, closed_sends_those_away_that_have_connected_already) {
  auto listener = listen_tcp("127.0.0.1", 0).value();
  listener->set_farewell(bytes("no"));
  auto early = connect_tcp("127.0.0.1", listener->port(), soon()).value();
  EXPECT_TRUE(early->send(bytes("a request"), soon()).ok());
  listener->close();
  EXPECT_EQ(receive_exactly(*early, 3), "no<ConnectionLost>");
  EXPECT_FALSE(connect_tcp("127.0.0.1", listener->port(), soon()).ok());
}

// A client that has connected may have sent a request. A reset would leave open whether it was executed.
TEST(TcpListener, closed_while_many_connect_sends_each_away_that_gets_through) {
  constexpr int kRounds = 150, kClients = 4;
  for (const char* host : {"127.0.0.1", "::1"}) {
    std::atomic<int> sent_away{0}, reset{0};
    for (int round = 0; round < kRounds; ++round) {
      const auto listener = listen_tcp(host, 0).value();
      listener->set_farewell(bytes("no"));
      std::atomic<int> ready{0};
      std::vector<std::thread> clients;
      for (int i = 0; i < kClients; ++i)
        clients.emplace_back([&] {
          ready.fetch_add(1);
          for (;;) {
            const auto client = connect_tcp(listener->host(), listener->port(), Deadline::in(Duration(5)));
            if (!client) return;
            (void)client.value()->send(bytes("?"), soon());
            ++(receive_exactly(*client.value(), 2) == "no" ? sent_away : reset);
          }
        });
      while (ready.load() < kClients) std::this_thread::yield();
      listener->close();
      for (std::thread& t : clients) t.join();
    }
    EXPECT_GT(sent_away.load(), 0);
    EXPECT_EQ(reset.load(), 0) << host;
  }
}

TEST(TcpListener, serves_ipv4_and_ipv6_when_bound_to_all_interfaces) {
  auto listener = listen_tcp("", 0).value();
  EXPECT_TRUE(listener->wildcard());
  EXPECT_TRUE(connect_tcp("127.0.0.1", listener->port(), soon()).ok());
  auto from = listener->accept();
  EXPECT_EQ(from.value()->peer_identity().host, "127.0.0.1") << "not ::ffff:127.0.0.1";
  if (listener->host() == "::" && listen_tcp("::1", 0)) {
    EXPECT_TRUE(connect_tcp("::1", listener->port(), soon()).ok());
  }
}

TEST(TcpListener, is_not_a_wildcard_when_bound_to_one_address) {
  auto listener = listen_tcp("127.0.0.1", 0).value();
  EXPECT_FALSE(listener->wildcard());
  EXPECT_EQ(listener->host(), "127.0.0.1");
  EXPECT_NE(listener->port(), 0);
}

TEST(TcpListener, says_which_address_is_in_use) {
  auto first = listen_tcp("127.0.0.1", 0).value();
  auto second = listen_tcp("127.0.0.1", first->port());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().os_error, EADDRINUSE);
  EXPECT_NE(second.error().detail.find(address_text("127.0.0.1", first->port())), std::string::npos);
}

TEST(TcpListener, turns_connections_away_while_descriptors_are_used_up_and_recovers) {
  auto listener = listen_tcp("127.0.0.1", 0).value();
  listener->set_farewell(bytes("no"));
  auto turned_away = connect_tcp("127.0.0.1", listener->port(), soon()).value();
  Result<std::unique_ptr<Stream>> accepted = Fault::None;
  std::thread server;
  {
    const testing::NoDescriptors none;
    server = std::thread([&] { accepted = listener->accept(); });
    EXPECT_EQ(receive_exactly(*turned_away, 3), "no<ConnectionLost>");
  }
  auto welcome = connect_tcp("127.0.0.1", listener->port(), soon());
  server.join();
  EXPECT_TRUE(welcome.ok());
  EXPECT_TRUE(accepted.ok());
}

}  // namespace
}  // namespace callis::transport
