// SPDX-License-Identifier: Apache-2.0
// The number of the pool's threads: more while upcalls keep the existing threads, and none for work that goes on by
// itself.
#include <gtest/gtest.h>
#include <callis/base/peer_memory.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <algorithm>
#include <cerrno>
#include <thread>

namespace callis::orb {
namespace {

using namespace testing;

TEST(Pool, threads_without_work_hold_no_buffers) {
  const std::size_t before = PeerMemory::held();
  ModelServer server("pool");
  RawClient client(server.port());
  client.send(message({}));
  EXPECT_EQ(client.hear().value, 1u);
  while (PeerMemory::held() != before) std::this_thread::yield();  // soon
  client.send(message({.id = 2}));
  EXPECT_EQ(client.hear().id, 2u);
}

// On two processors, more than two threads that compute only take them from each other.
TEST(Pool, no_threads_come_while_upcalls_compute_for_a_short_time) {
  constexpr std::uint32_t kClients = 32, kRequests = 3;
  ModelServer server("pool:32");
  server.handler.before = [](ServerRequest&) {
    const auto end = Clock::steady().now() + Duration(5);
    while (Clock::steady().now() < end) {}
  };
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::uint32_t i = 0; i < kClients; ++i) clients.push_back(std::make_unique<RawClient>(server.port()));
  for (std::uint32_t id = 1; id <= kRequests; ++id)
    for (auto& client : clients) client->send(message({.id = id}));
  for (auto& client : clients)
    for (std::uint32_t id = 1; id <= kRequests; ++id) (void)client->hear();
  EXPECT_LE(server.core->server().pool()->threads(), std::max(2u, std::thread::hardware_concurrency()) + 4);
}

TEST(Pool, threads_come_when_upcalls_compute_for_long) {
  ModelServer server("pool:12");
  std::atomic<int> computing{0};
  std::atomic<bool> all{false};
  server.handler.before = [&](ServerRequest&) {
    if (++computing == 8) all = true;
    while (!all) {}
  };
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::uint32_t i = 0; i < 8; ++i)
    clients.emplace_back(std::make_unique<RawClient>(server.port()))->send(message({.id = i}));
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(clients[i]->hear().id, i);
}

TEST(Pool, threads_come_when_upcalls_wait_for_requests_and_not_beyond_the_limit) {
  ModelServer server("pool:12");
  Meeting meeting(12);
  server.handler.before = [&](ServerRequest& r) { meeting(r); };
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::uint32_t i = 0; i < 12; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send(message({.operation = "wait", .id = i}));
  }
  for (std::uint32_t i = 0; i < 12; ++i) EXPECT_EQ(clients[i]->hear().id, i);
  EXPECT_EQ(server.core->server().pool()->threads(), 12u);
}

// A pool of PoolTerms, which callis/rt makes for its lanes.
TEST(Pool, of_terms_has_all_its_threads_from_the_beginning) {
  ModelServer server("connection");
  const auto pool = Pool::create(*server.core, {.threads = 5});
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool.value()->threads(), 5u);
}

TEST(Pool, of_terms_takes_threads_until_it_stops) {
  ModelServer server("connection");
  const auto pool = Pool::create(*server.core, {.threads = 2});
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool.value()->add_thread({}), 0);
  pthread_attr_t attributes;
  ASSERT_EQ(::pthread_attr_init(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, std::size_t{1} << 46), 0);  // more than there are addresses for
  EXPECT_NE(pool.value()->add_thread({.attributes = &attributes}), 0);
  (void)::pthread_attr_destroy(&attributes);
  EXPECT_EQ(pool.value()->threads(), 2u) << "those from the beginning";
  pool.value()->stop();
  EXPECT_EQ(pool.value()->add_thread({}), ECANCELED);
}

TEST(Pool, of_terms_says_why_it_has_no_threads) {
  ModelServer server("connection");
  pthread_attr_t attributes;
  ASSERT_EQ(::pthread_attr_init(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, std::size_t{1} << 46), 0);  // more than there are addresses for
  const auto pool = Pool::create(*server.core, {.threads = 2, .attributes = &attributes});
  (void)::pthread_attr_destroy(&attributes);
  ASSERT_FALSE(pool);
  EXPECT_TRUE(pool.error().os_error == EAGAIN || pool.error().os_error == ENOMEM) << pool.error().os_error;
}

}  // namespace
}  // namespace callis::orb
