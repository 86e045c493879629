// SPDX-License-Identifier: Apache-2.0
// Idle connections and their places: who finds them, and what becomes of them when endpoints close.
#include <gtest/gtest.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/testing/echo.h>
#include <callis/orb/testing/peer_stream.h>
#include <barrier>
#include <thread>

namespace callis::orb {
namespace {

using namespace testing;

std::shared_ptr<Endpoint> endpoint_of(CORBA::Object_ptr o) {
  return o->_callis_reference()->paths()[0].endpoint;
}

struct EndpointTest : ::testing::Test {
  EchoServer server{{"-ORBEndpoint", "tcp:127.0.0.1:0"}};
  Counted<Core> client = make_core();
  CORBA::Object_var object = server.object_for(*client);
};

TEST_F(EndpointTest, AConnectionComesBackToThePlaceFromWhichItWasTaken) {
  EXPECT_EQ(echo(object, 1), 1u);
  const auto endpoint = endpoint_of(object.in());
  auto c = endpoint->checkout(Clock::steady().now());
  ASSERT_TRUE(c);
  EXPECT_TRUE(c->place());
  EXPECT_EQ(endpoint->idle(), 0u);
  EXPECT_FALSE(endpoint->checkout(Clock::steady().now())) << "the place is kept, and holds nothing";
  endpoint->checkin(std::move(c), Clock::steady().now());
  EXPECT_EQ(endpoint->idle(), 1u);
  client->destroy();
}

TEST_F(EndpointTest, APlaceIsFreeAgainWhenItsConnectionIsDestroyed) {
  EXPECT_EQ(echo(object, 1), 1u);
  const auto endpoint = endpoint_of(object.in());
  endpoint->checkout(Clock::steady().now()).reset();
  EXPECT_EQ(endpoint->idle(), 0u);
  EXPECT_EQ(echo(object, 2), 2u);
  EXPECT_EQ(endpoint->idle(), 1u);
  auto c = endpoint->checkout(Clock::steady().now());
  EXPECT_TRUE(c && c->place()) << "the new connection has a place";
  endpoint->checkin(std::move(c), Clock::steady().now());
  client->destroy();
}

// A call that is not plain may hold its connection for longer than the endpoint lives.
TEST_F(EndpointTest, AnInvocationsConnectionHasNoPlace) {
  EXPECT_EQ(echo(object, 1), 1u);
  const auto endpoint = endpoint_of(object.in());
  auto c = endpoint->find({}, Clock::steady().now());
  ASSERT_TRUE(c);
  EXPECT_FALSE(c->place());
  auto another = endpoint->connect({}, Clock::steady().now(), Deadline());
  ASSERT_TRUE(another);
  endpoint->give_back(std::move(another).value(), Clock::steady().now());
  endpoint->give_back(std::move(c), Clock::steady().now());
  EXPECT_EQ(endpoint->idle(), 2u) << "one in the place, one in the list";
  EXPECT_EQ(endpoint->close_unneeded(false, Clock::steady().now() + Duration(1000)), 2u);
  EXPECT_EQ(endpoint->idle(), 0u);
  client->destroy();
}

TEST_F(EndpointTest, ThreadsWithOnePlaceDoNotDisturbEachOther) {
  constexpr std::uint32_t kThreads = 24;
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      together.arrive_and_wait();
      for (std::uint32_t i = 0; i < 50; ++i) wrong += echo(object, 100 * t + i) != 100 * t + i;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  const std::size_t idle = endpoint_of(object.in())->idle();
  EXPECT_GE(idle, 1u);
  EXPECT_LE(idle, kThreads);
  client->destroy();
}

// Calls put connections back without a locked operation; close_idle() must find them nevertheless.
TEST_F(EndpointTest, AnEndpointThatIsClosedWhileThreadsCallKeepsNoConnection) {
  for (int round = 0; round < 20; ++round) {
    Counted<Core> c = make_core();
    const CORBA::Object_var o = server.object_for(*c);
    EXPECT_EQ(echo(o, 1), 1u);
    const auto endpoint = endpoint_of(o.in());
    std::atomic<int> calls{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        try {
          for (;; ++calls) echo(o, 7);
        } catch (const CORBA::Exception&) {
        }
      });
    while (calls < 100) std::this_thread::yield();
    c->destroy();
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(endpoint->idle(), 0u);
  }
  client->destroy();
}

}  // namespace
}  // namespace callis::orb
