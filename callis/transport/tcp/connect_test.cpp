// SPDX-License-Identifier: Apache-2.0
// Connecting: names, addresses, deadlines, and what is said of failures.
#include <callis/transport/tcp/socket.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/testing/bytes.h>
#include <callis/transport/testing/ports.h>
#include <gtest/gtest.h>
#include <cerrno>
#include <future>
#include <thread>

namespace callis::transport {
namespace {

using testing::DeadPort;
using testing::kLong;
using testing::SilentPort;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TcpConnect, refusal_names_address_errno_and_time) {
  DeadPort dead;
  const auto r = connect_tcp("127.0.0.1", dead.port(), Deadline::in(kLong));
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.fault(), Fault::ConnectRefused);
  EXPECT_EQ(r.error().os_error, ECONNREFUSED);
  EXPECT_TRUE(contains(r.error().detail, address_text("127.0.0.1", dead.port()))) << r.error().detail;
  EXPECT_TRUE(contains(r.error().detail, "errno 111")) << r.error().detail;
  EXPECT_TRUE(contains(r.error().detail, " ms")) << r.error().detail;
}

TEST(TcpConnect, every_address_of_a_name_is_tried_and_named) {
  DeadPort dead;
  const auto r = connect_tcp("localhost", dead.port(), Deadline::in(kLong));
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(contains(r.error().detail, address_text("127.0.0.1", dead.port()))) << r.error().detail;
}

TEST(TcpConnect, a_name_that_does_not_resolve_is_named) {
  const auto r = connect_tcp("no-such-host.invalid", 2809, Deadline::in(kLong));
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.fault(), Fault::ResolveFailed);
  EXPECT_TRUE(contains(r.error().detail, "no-such-host.invalid"));
}

TEST(TcpConnect, an_empty_name_is_refused) {
  EXPECT_EQ(connect_tcp("", 2809, Deadline::in(kLong)).fault(), Fault::ResolveFailed);
}

TEST(TcpConnect, a_silent_host_costs_no_more_than_the_deadline) {
  SilentPort silent;
  const auto start = Clock::steady().now();
  const auto r = connect_tcp("127.0.0.1", silent.port(), Deadline::in(Duration(100)));
  const auto took = Clock::steady().now() - start;
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.fault(), Fault::ConnectTimeout);
  EXPECT_TRUE(contains(r.error().detail, "timed out after 1")) << r.error().detail;
  EXPECT_GE(took, Duration(100));
  EXPECT_LT(took, kLong / 2);
}

// A name server that does not answer until it is told to.
class SilentNameServer {
 public:
  SilentNameServer() {
    answer_ = {};
    asked = answered = 0;
    tcp::look_up = [](const char*, const char*, const addrinfo*, addrinfo**) {
      ++asked;
      answer_.get_future().wait();
      ++answered;
      return EAI_AGAIN;
    };
  }
  ~SilentNameServer() {
    answer_.set_value();
    while (answered != asked) std::this_thread::yield();
    tcp::look_up = &::getaddrinfo;
  }
  static inline std::atomic<int> asked{0}, answered{0};

 private:
  static inline std::promise<void> answer_;
};

TEST(TcpConnect, a_silent_name_server_costs_no_more_than_the_deadline) {
  const SilentNameServer silent;
  const auto start = Clock::steady().now();
  const auto r = connect_tcp("a-name.example", 2809, Deadline::in(Duration(100)));
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.fault(), Fault::ConnectTimeout);
  EXPECT_TRUE(contains(r.error().detail, "a-name.example")) << r.error().detail;
  EXPECT_LT(Clock::steady().now() - start, kLong / 2);
  EXPECT_EQ(SilentNameServer::asked, 1);
}

TEST(TcpConnect, numeric_addresses_ask_no_name_server) {
  const SilentNameServer silent;
  DeadPort dead;
  EXPECT_EQ(connect_tcp("127.0.0.1", dead.port(), Deadline::in(kLong)).fault(), Fault::ConnectRefused);
  EXPECT_EQ(SilentNameServer::asked, 0);
}

TEST(TcpAddress, text_puts_ipv6_into_brackets) {
  EXPECT_EQ(address_text("10.1.2.3", 80), "10.1.2.3:80");
  EXPECT_EQ(address_text("::1", 80), "[::1]:80");
  EXPECT_EQ(address_text("host.example", 2809), "host.example:2809");
}

TEST(TcpAddress, ipv6_is_counted_by_its_network_of_64_bits) {
  const auto counted = [](const char* address) { return counted_with(Peer::at(address)); };
  EXPECT_EQ(counted("2001:db8::1"), counted("2001:db8:0:0:ffff:ffff:ffff:ffff"));
  EXPECT_NE(counted("2001:db8::1"), counted("2001:db8:0:1::1"));
  EXPECT_NE(counted("2001:db8::1"), counted("2001:db9::1"));
  EXPECT_NE(counted("::1"), counted("2001:db8::1"));
}

TEST(TcpAddress, others_are_counted_alone) {
  EXPECT_EQ(counted_with(Peer::at("10.1.2.3")), "10.1.2.3");
  EXPECT_NE(counted_with(Peer::at("10.1.2.3")), counted_with(Peer::at("10.1.2.4")));
  for (const Peer::Kind kind : {Peer::Kind::Memory, Peer::Kind::Local})
    for (const char* host : {"user 1000", "memory:x", "2001:db8::1", ""})
      EXPECT_EQ(counted_with({.kind = kind, .host = host}), host);
}

TEST(TcpAddress, ipv4_inside_ipv6_is_counted_as_ipv4) {
  auto listener = listen_tcp("", 0).value();
  if (listener->host() != "::") GTEST_SKIP() << "no IPv6 here";
  auto client = connect_tcp("127.0.0.1", listener->port(), Deadline()).value();
  EXPECT_EQ(counted_with(listener->accept().value()->peer_identity()), "127.0.0.1");
}

TEST(TcpAddress, primary_address_is_never_a_wildcard) {
  const std::string a = primary_address();
  EXPECT_FALSE(a.empty());
  EXPECT_NE(a, "0.0.0.0");
  EXPECT_NE(a, "::");
}

}  // namespace
}  // namespace callis::transport
