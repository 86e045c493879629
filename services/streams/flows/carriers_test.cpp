// SPDX-License-Identifier: Apache-2.0
// UDP, UDP multicast and TCP over loopback: what comes from whom.
#include <gtest/gtest.h>
#include <poll.h>
#include <services/streams/flows/datagrams.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/tcp.h>
#include <cerrno>
#include <string>
#include <thread>

namespace callis::streams {
namespace {

const SocketAddress kAny("127.0.0.1", 0);

ByteView bytes(const std::string& text) { return {reinterpret_cast<const Byte*>(text.data()), text.size()}; }
std::string text(ByteView view) { return {reinterpret_cast<const char*>(view.data()), view.size()}; }

bool readable(int fd, int ms = 5000) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, ms) == 1;
}

// The next datagrams' texts, with commas.
std::string next(const DatagramSocket& socket) {
  static DatagramSocket::Batch batch;
  if (!readable(socket.fd())) return "nothing";
  int error = 0;
  std::string out;
  const std::size_t count = batch.receive(socket, false, error);
  for (std::size_t i = 0; i < count; ++i) out += (i ? "," : "") + text(batch[i]);
  return out;
}

TEST(Datagrams, come_from_the_agreed_peer_alone) {
  DatagramSocket a = DatagramSocket::bound(kAny), b = DatagramSocket::bound(kAny),
                 stranger = DatagramSocket::bound(kAny);
  stranger.connect(b.local());
  ASSERT_TRUE(stranger.send({}, bytes("before")));
  ASSERT_TRUE(readable(b.fd()));
  b.connect(a.local());  // throws the stranger's away
  a.connect(b.local());
  ASSERT_TRUE(stranger.send({}, bytes("after")));
  ASSERT_TRUE(a.send(bytes("head "), bytes("body")));
  EXPECT_EQ(next(b), "head body");
}

TEST(Datagrams, of_a_pair_have_an_even_port_and_the_next) {
  const auto [data, control] = DatagramSocket::bound_pair(kAny);
  EXPECT_EQ(data.local().port() % 2, 0);
  EXPECT_EQ(control.local().port(), data.local().port() + 1);
}

TEST(Datagrams, of_a_port_that_is_taken_fail_with_its_address) {
  const DatagramSocket first = DatagramSocket::bound(kAny);
  try {
    DatagramSocket::bound(first.local());
    FAIL();
  } catch (const FlowFailed& e) {
    EXPECT_NE(std::string(e.what()).find(first.local().text()), std::string::npos) << e.what();
  }
}

TEST(Datagrams, go_on_where_the_peer_has_no_socket_yet) {
  DatagramSocket a = DatagramSocket::bound(kAny);
  const SocketAddress gone = DatagramSocket::bound(kAny).local();
  a.connect(gone);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(a.send({}, bytes("x")));
}

TEST(Multicast, comes_to_all_members_and_from_the_agreed_sender) {
  const SocketAddress group("239.255.77.1", DatagramSocket::bound(kAny).local().port());
  const SocketAddress loopback = kAny;
  DatagramSocket sender = DatagramSocket::sending_to(group, loopback, 0);
  DatagramSocket stranger = DatagramSocket::sending_to(group, loopback, 0);
  DatagramSocket one = DatagramSocket::joined(group, loopback, sender.local());
  DatagramSocket two = DatagramSocket::joined(group, loopback, {});
  ASSERT_TRUE(stranger.send({}, bytes("stranger")));
  ASSERT_TRUE(sender.send(bytes("to "), bytes("all")));
  EXPECT_EQ(next(two), "stranger,to all");
  EXPECT_EQ(next(one), "to all");
  EXPECT_EQ(one.strangers(), 1u);
}

TEST(Multicast, refuses_addresses_that_are_no_groups) {
  EXPECT_THROW(DatagramSocket::sending_to(SocketAddress("127.0.0.1", 9), kAny, 1), FlowFailed);
  EXPECT_THROW(DatagramSocket::joined(SocketAddress("ff02::1", 9), kAny, {}), FlowFailed);
}

TEST(Tcp, carries_bytes_both_ways_and_tells_the_end) {
  TcpListener listener(kAny);
  TcpConnection a = TcpConnector(kAny).connect(listener.local(), std::chrono::seconds(5));
  ASSERT_TRUE(readable(listener.fd()));
  TcpConnection b = listener.accept(kAny);
  ASSERT_TRUE(b);
  ASSERT_TRUE(a.send(bytes("one "), bytes("two"), std::chrono::seconds(5)));
  Byte into[64];
  ASSERT_TRUE(readable(b.fd()));
  EXPECT_EQ(text({into, static_cast<std::size_t>(b.receive(into))}), "one two");
  EXPECT_EQ(b.receive(into), 0);
  a.shut_down();
  ASSERT_TRUE(readable(b.fd()));
  EXPECT_EQ(b.receive(into), -1);
}

TEST(Tcp, closes_connections_from_others) {
  TcpListener listener(kAny);
  const TcpConnection a = TcpConnector(kAny).connect(listener.local(), std::chrono::seconds(5));
  ASSERT_TRUE(readable(listener.fd()));
  EXPECT_FALSE(listener.accept(SocketAddress("127.0.0.2", 0)));
  EXPECT_EQ(listener.strangers(), 1u);
  TcpConnector agreed(kAny);
  const SocketAddress its = agreed.local();
  const TcpConnection same_host = TcpConnector(kAny).connect(listener.local(), std::chrono::seconds(5));
  const TcpConnection good = agreed.connect(listener.local(), std::chrono::seconds(5));
  ASSERT_TRUE(readable(listener.fd()));
  const TcpConnection taken = listener.accept(its);
  EXPECT_EQ(taken.peer(), its);
  EXPECT_EQ(listener.strangers(), 2u);
  Byte into[1];
  ASSERT_TRUE(readable(a.fd()));
  EXPECT_EQ(a.receive(into), -1);
}

TEST(Tcp, sends_for_as_long_as_the_deadline_allows) {
  TcpListener listener(kAny);
  const TcpConnection a = TcpConnector(kAny).connect(listener.local(), std::chrono::seconds(5));
  const std::string much(1 << 20, 'x');
  bool sent = true;
  for (int i = 0; i < 100 && sent; ++i) sent = a.send({}, bytes(much), std::chrono::milliseconds(50));
  EXPECT_FALSE(sent);
  EXPECT_EQ(errno, ETIMEDOUT);
}

TEST(Tcp, sends_more_than_the_kernel_takes_at_once) {
  TcpListener listener(kAny);
  const TcpConnection a = TcpConnector(kAny).connect(listener.local(), std::chrono::seconds(5));
  const std::string head(3 << 20, 'h'), body(5 << 20, 'b');
  std::string got;
  std::thread reader([&] {
    ASSERT_TRUE(readable(listener.fd()));
    const TcpConnection b = listener.accept(kAny);
    std::vector<Byte> into(1 << 16);
    while (got.size() < head.size() + body.size() && readable(b.fd())) {
      const std::ptrdiff_t n = b.receive(into);
      if (n > 0) got += text({into.data(), static_cast<std::size_t>(n)});
    }
  });
  EXPECT_TRUE(a.send(bytes(head), bytes(body), std::chrono::seconds(20)));
  reader.join();
  EXPECT_TRUE(got == head + body);
}

}  // namespace
}  // namespace callis::streams
