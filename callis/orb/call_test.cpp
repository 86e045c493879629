// SPDX-License-Identifier: Apache-2.0
// Calls from one ORB to another over each transport, with a handler in place of an object adapter.
#include <callis/corba.h>
#include <callis/orb/testing/echo.h>
#include <gtest/gtest.h>

namespace callis::orb {
namespace {

using testing::EchoServer;
using testing::make_core;

TEST(Call, twoway_over_memory_returns_the_reply) {
  EchoServer server({"-ORBEndpoint", "memory:call-test"});
  auto client = make_core();
  EXPECT_EQ(testing::echo(server.object_for(*client), 42), 42u);
  client->destroy();
}

TEST(Call, twoway_over_tcp_returns_the_reply) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core();
  EXPECT_EQ(testing::echo(server.object_for(*client), 42), 42u);
  EXPECT_EQ(testing::echo(server.object_for(*client), 43), 43u);
  client->destroy();
}

}  // namespace
}  // namespace callis::orb
