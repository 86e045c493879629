// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/testing/ports.h>
#include <gtest/gtest.h>
#include <cerrno>

namespace callis::transport {
namespace {

constexpr Duration kLong{20'000};

using testing::DeadPort;
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

TEST(TcpAddress, text_puts_ipv6_into_brackets) {
  EXPECT_EQ(address_text("10.1.2.3", 80), "10.1.2.3:80");
  EXPECT_EQ(address_text("::1", 80), "[::1]:80");
  EXPECT_EQ(address_text("host.example", 2809), "host.example:2809");
}

TEST(TcpAddress, primary_address_is_never_a_wildcard) {
  const std::string a = primary_address();
  EXPECT_FALSE(a.empty());
  EXPECT_NE(a, "0.0.0.0");
  EXPECT_NE(a, "::");
}

}  // namespace
}  // namespace callis::transport
