// SPDX-License-Identifier: Apache-2.0
// The waits of calls: calls of one server beside other servers' calls, and calls of one client beside other clients'
// calls. Also the remembered ids of queries.
#include <gtest/gtest.h>
#include <services/trading/federation.h>
#include <services/trading/workers.h>
#include <future>
#include <set>

namespace callis::trading {
namespace {

using namespace std::chrono_literals;
using End = Workers::End;

// Calls that hang until they are let go.
struct Hanging {
  std::promise<void> let_go;
  std::shared_future<void> held = let_go.get_future().share();
  std::shared_ptr<std::atomic<int>> running = std::make_shared<std::atomic<int>>(0);

  Workers::Task call(const std::string& server) {
    return {server, [held = held, running = running] {
              ++*running;
              held.wait();
              return End::Hung;
            }};
  }
};

Workers::Task answering(const std::string& server, std::shared_ptr<std::atomic<int>> count) {
  return {server, [count] {
            ++*count;
            return End::Answered;
          }};
}

std::vector<Workers::Task> list(Workers::Task task) {
  std::vector<Workers::Task> out;
  out.push_back(std::move(task));
  return out;
}

TEST(Workers, make_calls_of_a_server_that_answers_beside_many_that_hang) {
  Hanging hanging;
  const auto count = std::make_shared<std::atomic<int>>(0);
  Workers workers(16);
  workers.run(list(answering("good", count)), "", 10s);
  std::vector<Workers::Task> all;
  for (int i = 0; i < 100; ++i) all.push_back(hanging.call("hangs " + std::to_string(i)));
  workers.run(std::move(all), "", 1ms);
  for (int i = 0; i < 20; ++i) workers.run(list(answering("good", count)), "", 10s);
  EXPECT_EQ(*count, 21);
  EXPECT_LE(*hanging.running, 8);  // half of the threads
  hanging.let_go.set_value();
}

TEST(Workers, make_two_calls_at_once_of_a_server_that_is_new) {
  Hanging hanging;
  const auto count = std::make_shared<std::atomic<int>>(0);
  Workers workers(16);
  std::vector<Workers::Task> all;
  for (int i = 0; i < 50; ++i) all.push_back(hanging.call("hangs"));
  workers.run(std::move(all), "", 1ms);
  for (int i = 0; i < 20; ++i)
    workers.run(list(answering("other " + std::to_string(i), count)), "", 10s);  // also new
  EXPECT_EQ(*count, 20);
  EXPECT_LE(*hanging.running, 2);
  hanging.let_go.set_value();
}

TEST(Workers, keep_threads_for_other_clients) {
  Hanging hanging;
  const auto count = std::make_shared<std::atomic<int>>(0);
  Workers workers(4);
  for (const char* server : {"a", "b", "c", "d", "e", "f"}) workers.run(list(answering(server, count)), "", 10s);
  std::vector<Workers::Task> all;
  for (const char* server : {"a", "b", "c", "d", "e"}) all.push_back(hanging.call(server));  // all good up to now
  workers.run(std::move(all), "one", 1ms);
  workers.run(list(answering("f", count)), "two", 10s);
  EXPECT_EQ(*count, 7);
  EXPECT_LE(*hanging.running, 3);
  hanging.let_go.set_value();
}

TEST(Workers, drop_what_has_not_begun_when_the_time_is_over) {
  Hanging hanging;
  const auto count = std::make_shared<std::atomic<int>>(0);
  {
    Workers workers(1);
    while (*hanging.running == 0) workers.run(list(hanging.call("a")), "", 1ms);  // until its thread has begun
    workers.run(list(answering("a", count)), "", 1ms);
    hanging.let_go.set_value();
    workers.run(list(answering("b", count)), "", 10s);
  }
  EXPECT_EQ(*count, 1);
}

TEST(Workers, leave_a_server_that_hung_alone_and_try_it_again_later) {
  const auto count = std::make_shared<std::atomic<int>>(0);
  const auto hang_once = [count] { return list({"a", [count] { return ++*count, End::Hung; }}); };
  Workers resting(4);
  resting.run(hang_once(), "", 10s);
  resting.run(list(answering("a", count)), "", 10s);  // returns at once
  EXPECT_EQ(*count, 1);
  resting.run(list(answering("b", count)), "", 10s);
  EXPECT_EQ(*count, 2);
  Workers again(4, 0s);
  again.run(hang_once(), "", 10s);
  again.run(list(answering("a", count)), "", 10s);
  EXPECT_EQ(*count, 4);
}

TEST(RequestIds, cannot_be_told_from_those_before) {
  CosTrading::Admin::OctetSeq stem(1, 1, reinterpret_cast<CORBA::Octet*>(const_cast<char*>("s")), false);
  std::set<std::string> halves;
  for (int i = 0; i < 100; ++i) {
    const std::string id = Federation::next_request_id(stem);
    ASSERT_EQ(id.size(), 1 + 1 + 32u);
    EXPECT_EQ(id.substr(0, 2), "s:");
    halves.insert(id.substr(2, 16));
    halves.insert(id.substr(18));
  }
  EXPECT_EQ(halves.size(), 200u);
}

TEST(RequestIds, of_one_client_do_not_push_out_those_of_another) {
  RequestIds ids;
  EXPECT_TRUE(ids.add("mine", "me"));
  for (std::size_t i = 0; i < RequestIds::kMost + 10; ++i) ids.add("flood " + std::to_string(i), "stranger");
  EXPECT_FALSE(ids.add("mine", "me"));
  EXPECT_LE(ids.size(), RequestIds::kMost);
  EXPECT_TRUE(ids.add("flood 0", "stranger"));  // its own are forgotten
}

TEST(RequestIds, are_bounded_in_bytes) {
  RequestIds ids;
  for (std::size_t i = 0; i < 70'000; ++i) ids.add(std::string(240, 'x') + std::to_string(i), "");
  EXPECT_LE(ids.size(), RequestIds::kMostBytes / 240);
}

}  // namespace
}  // namespace callis::trading
