// SPDX-License-Identifier: Apache-2.0
// Lanes, sets and subscribers, without an ORB.
#include <services/events/rtchannel/lane.h>
#include <services/events/rtchannel/sets.h>
#include <services/events/rtchannel/subscriber.h>
#include <services/events/rtchannel/wire.h>
#include <services/events/testing/watched.h>
#include <gtest/gtest.h>
#include <atomic>
#include <thread>

namespace callis::rtevents {
namespace {

using events::EventSet;
using events::testing::kLong;
using events::testing::Watched;
using namespace std::chrono_literals;

// Writes its number down, once for each of `times`. hold: it waits until it is let go.
struct Noting final : Lane::Job {
  Noting(std::int32_t urgency, int number, Watched<std::vector<int>>& to, int repeat = 1)
      : Lane::Job(urgency), number_(number), to_(to), times_(repeat) {}
  Lane::Next run() noexcept override {
    inside.change([](int& n) { ++n; });
    held.wait([](bool is) { return !is; });
    to_.change([this](auto& all) { all.push_back(number_); });
    return --times_ > 0 ? Lane::Next{Lane::Next::Again, {}} : Lane::Next{};
  }
  Watched<bool> held;
  Watched<int> inside;

 private:
  const int number_;
  Watched<std::vector<int>>& to_;
  int times_;
};

std::shared_ptr<Noting> held(Watched<std::vector<int>>& to, int number = 0) {
  auto out = std::make_shared<Noting>(0, number, to);
  out->held.change([](bool& is) { is = true; });
  return out;
}
void let_go(Noting& job) {
  job.held.change([](bool& is) { is = false; });
}

TEST(RtLane, runs_the_most_urgent_first_and_of_those_the_one_that_waited_longest) {
  Watched<std::vector<int>> order;
  Lane lane({.priority = 0, .threads = 1, .most_threads = 2, .begin = {}});
  // Both threads are held: one as one of the lane's, the other in place of that.
  const auto first = held(order, 0), second = held(order, 0);
  for (const auto& each : {first, second}) {
    lane.wake(each);
    ASSERT_TRUE(each->inside.wait([](int n) { return n == 1; }));
  }
  const std::vector<std::pair<int, int>> jobs{{5, 1}, {40, 2}, {5, 3}, {90, 4}, {40, 5}, {-3, 6}};
  for (const auto& [urgency, number] : jobs) lane.wake(std::make_shared<Noting>(urgency, number, order));
  let_go(*first);
  ASSERT_TRUE(order.wait([](const auto& all) { return all.size() == 7; }));
  EXPECT_EQ(order.value(), (std::vector<int>{0, 4, 2, 5, 1, 3, 6}));
  let_go(*second);
}

TEST(RtLane, lets_what_is_more_urgent_come_between_two_parts_of_a_job) {
  Watched<std::vector<int>> order;
  Lane lane({.priority = 0, .threads = 1, .most_threads = 2, .begin = {}});
  const auto first = held(order, 0), second = held(order, 0);
  for (const auto& each : {first, second}) {
    lane.wake(each);
    ASSERT_TRUE(each->inside.wait([](int n) { return n == 1; }));
  }
  lane.wake(std::make_shared<Noting>(10, 1, order, 3));
  lane.wake(std::make_shared<Noting>(10, 2, order, 2));
  lane.wake(std::make_shared<Noting>(50, 3, order, 2));
  let_go(*first);
  ASSERT_TRUE(order.wait([](const auto& all) { return all.size() == 8; }));
  EXPECT_EQ(order.value(), (std::vector<int>{0, 3, 3, 1, 2, 1, 2, 1}));
  let_go(*second);
}

TEST(RtLane, lets_no_slow_job_go_before_what_is_more_urgent) {
  Watched<std::vector<int>> order;
  Lane lane({.priority = 0, .threads = 1, .most_threads = 2, .begin = {}});
  const auto slow = std::make_shared<Noting>(1, 1, order, 2);  // its first part makes it slow
  slow->held.change([](bool& is) { is = true; });
  lane.wake(slow);
  ASSERT_TRUE(slow->inside.wait([](int n) { return n == 1; }));
  const auto blocked = std::chrono::steady_clock::now() + 2 * Lane::kSlow;
  const auto first = held(order, 2);
  lane.wake(first);
  ASSERT_TRUE(first->inside.wait([](int n) { return n == 1; })) << "in the place of the slow one";
  lane.wake(std::make_shared<Noting>(7, 3, order));
  std::this_thread::sleep_until(blocked);  // the time that the test is about
  let_go(*slow);
  ASSERT_TRUE(order.wait([](const auto& all) { return all.size() >= 3; }));
  EXPECT_EQ(order.value(), (std::vector<int>{1, 3, 1}));
  let_go(*first);
}

TEST(RtLane, begins_its_threads_with_its_priority) {
  Watched<std::vector<int>> begun;
  Lane lane({.priority = 7, .threads = 3, .most_threads = 3,
             .begin = [&](std::int16_t priority) { begun.change([&](auto& all) { all.push_back(priority); }); }});
  EXPECT_TRUE(begun.wait([](const auto& all) { return all == std::vector<int>{7, 7, 7}; }));
  EXPECT_EQ(lane.threads(), 3u);
}

TEST(RtLane, is_not_held_up_by_jobs_that_wait_for_their_peers) {
  Watched<std::vector<int>> order;
  Lane lane({.priority = 0, .threads = 1, .most_threads = 8, .begin = {}});
  std::vector<std::shared_ptr<Noting>> stuck;
  for (int i = 0; i < 4; ++i) {
    stuck.push_back(held(order));
    lane.wake(stuck.back());
  }
  lane.wake(std::make_shared<Noting>(0, 1, order));
  EXPECT_TRUE(order.wait([](const auto& all) { return all == std::vector<int>{1}; }));
  for (const auto& each : stuck) let_go(*each);
}

TEST(RtLane, wakes_a_job_once_more_that_is_woken_while_it_runs) {
  Watched<std::vector<int>> order;
  Lane lane({.priority = 0, .threads = 2, .most_threads = 2, .begin = {}});
  const auto job = held(order, 3);
  lane.wake(job);
  ASSERT_TRUE(job->inside.wait([](int n) { return n == 1; }));
  lane.wake(job);
  lane.wake(job);
  let_go(*job);
  EXPECT_TRUE(order.wait([](const auto& all) { return all == std::vector<int>{3, 3}; }));
}

// A burst, and one event afterwards. The event must not wait for a thread that watches for a place at work.
TEST(RtLane, runs_a_job_at_once_when_a_thread_is_free) {
  Watched<std::vector<int>> order;
  Lane lane({.priority = 0, .threads = 1, .most_threads = 4, .begin = {}});
  std::vector<std::chrono::steady_clock::duration> took;
  for (int round = 0; round < 21; ++round) {
    const std::size_t before = order.value().size();
    for (int i = 0; i < 8; ++i) lane.wake(std::make_shared<Noting>(0, i, order));
    ASSERT_TRUE(order.wait([&](const auto& all) { return all.size() == before + 8; }));
    const auto begin = std::chrono::steady_clock::now();
    lane.wake(std::make_shared<Noting>(0, 9, order));
    ASSERT_TRUE(order.wait([&](const auto& all) { return all.size() == before + 9; }));
    took.push_back(std::chrono::steady_clock::now() - begin);
  }
  std::sort(took.begin(), took.end());
  EXPECT_LT(took[took.size() / 2], Lane::kBlocked / 2);
}

EventSet set_of(std::size_t group) {
  EventSet out;
  events::TypedEvent event;
  event.header = {.source = 1, .type = 16};
  event.bytes = 10;
  auto data = std::make_shared<Held>();
  data->alone.length(1);
  event.data = std::move(data);
  out.events.push_back(std::move(event));
  out.group = group;
  return out;
}

std::vector<std::size_t> rest_of(Sets& sets, std::initializer_list<std::int32_t> priorities) {
  std::vector<std::size_t> out;
  for (const std::int32_t p : priorities)
    while (auto next = sets.take(p)) out.push_back(next->set.group);
  return out;
}

TEST(RtSets, that_are_full_discard_by_their_policy) {
  Sets oldest({3, 1'000, Overflow::DiscardOldest}), newest({3, 1'000, Overflow::DiscardNewest}),
      lowest({3, 1'000, Overflow::DiscardByPriority});
  for (Sets* each : {&oldest, &newest, &lowest}) {
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(each->offer(set_of(i), 10, i == 1 ? 2 : 7), Sets::Offered::Kept);
    EXPECT_EQ(each->discarded(), 2u);
    EXPECT_EQ(each->size(), 3u);
  }
  EXPECT_EQ(rest_of(oldest, {7, 2}), (std::vector<std::size_t>{2, 3, 4}));
  EXPECT_EQ(rest_of(newest, {7, 2}), (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_EQ(rest_of(lowest, {7, 2}), (std::vector<std::size_t>{2, 3, 4}));
  EXPECT_EQ(lowest.offer(set_of(1), 10, 9), Sets::Offered::Kept);
  EXPECT_EQ(lowest.offer(set_of(2), 10, 9), Sets::Offered::Kept);
  EXPECT_EQ(lowest.offer(set_of(3), 10, 9), Sets::Offered::Kept);
  EXPECT_EQ(lowest.offer(set_of(4), 10, 3), Sets::Offered::Kept) << "lower than all";
  EXPECT_EQ(rest_of(lowest, {9, 3}), (std::vector<std::size_t>{1, 2, 3}));
}

TEST(RtSets, are_bounded_in_bytes) {
  Sets sets({100, 25, Overflow::DiscardOldest});
  for (std::size_t i = 0; i < 3; ++i) sets.offer(set_of(i), 10, 0);
  EXPECT_EQ(sets.size(), 2u);
  sets.offer(set_of(9), 26, 0);  // never fits
  EXPECT_EQ(sets.bytes(), 20u);
  EXPECT_EQ(sets.discarded(), 2u);
  Sets strict({100, 25, Overflow::Disconnect});
  EXPECT_EQ(strict.offer(set_of(0), 26, 0), Sets::Offered::Full);
}

// The events that a consumer got, by its groups' priorities.
struct Peer final : Sink {
  struct Seen {
    Watched<std::vector<std::size_t>> got;
    Watched<std::string> dropped;
    Watched<bool> held;
    Watched<int> inside;
    std::atomic<Sink::Result> answer{Sink::Result::Taken};
  };
  explicit Peer(Seen& of) : seen(of) {}
  Result deliver(const EventSet& set) noexcept override {
    seen.inside.change([](int& n) { ++n; });
    seen.held.wait([](bool is) { return !is; });
    seen.got.change([&](auto& all) { all.push_back(set.group); });
    return seen.answer;
  }
  void dropped(const std::string& why) noexcept override {
    seen.dropped.change([&](std::string& to) { to = why; });
  }
  Seen& seen;
};

struct Subscribed : ::testing::Test {
  services::Counters counters;
  Tally tally{counters};
  Lanes lanes;
  Peer::Seen seen;
  std::shared_ptr<Subscriber> make(SubscriberOptions options) {
    options.first_pause = options.longest_pause = 1ms;
    for (const std::int16_t p : {std::int16_t{60}, std::int16_t{20}})
      lanes.push_back(std::make_unique<Lane>(
          Lane::Options{.priority = p, .threads = 1, .most_threads = 4, .begin = {}}));
    auto out = std::make_shared<Subscriber>(lanes, std::make_unique<Peer>(seen), options, tally);
    out->set_priorities(std::vector<std::int32_t>{70, 60, 59, 0});
    return out;
  }
};

TEST_F(Subscribed, sets_go_to_the_nearest_lane_that_is_not_above_them) {
  make({});
  EXPECT_EQ(&lane_for(lanes, 70), lanes[0].get());
  EXPECT_EQ(&lane_for(lanes, 60), lanes[0].get());
  EXPECT_EQ(&lane_for(lanes, 59), lanes[1].get());
  EXPECT_EQ(&lane_for(lanes, 0), lanes[1].get()) << "the lowest lane takes what is below it";
}

TEST_F(Subscribed, sets_of_a_higher_priority_are_pushed_while_one_of_a_lower_is_under_way) {
  const auto subscriber = make({});
  seen.held.change([](bool& is) { is = true; });
  subscriber->take(set_of(3));
  ASSERT_TRUE(seen.inside.wait([](int n) { return n == 1; }));
  subscriber->take(set_of(0));
  EXPECT_TRUE(seen.inside.wait([](int n) { return n == 2; })) << "in the other lane";
  seen.held.change([](bool& is) { is = false; });
  EXPECT_TRUE(seen.got.wait([](const auto& all) { return all.size() == 2; }));
}

TEST_F(Subscribed, is_dropped_when_its_queue_is_full_and_its_policy_says_so) {
  SubscriberOptions options;
  options.bounds = {2, 1'000, Overflow::Disconnect};
  const auto subscriber = make(options);
  seen.held.change([](bool& is) { is = true; });
  subscriber->take(set_of(1));
  ASSERT_TRUE(seen.inside.wait([](int n) { return n == 1; }));
  for (int i = 0; i < 3; ++i) subscriber->take(set_of(1));
  seen.held.change([](bool& is) { is = false; });
  EXPECT_TRUE(seen.dropped.wait([](const std::string& why) { return why == "its queue was full"; }));
  EXPECT_EQ(subscriber->waiting(), 0u);
}

TEST_F(Subscribed, gets_nothing_while_it_is_suspended) {
  const auto subscriber = make({});
  subscriber->suspend();
  subscriber->take(set_of(0));
  subscriber->resume();
  subscriber->take(set_of(2));
  EXPECT_TRUE(seen.got.wait([](const auto& all) { return !all.empty(); }));
  EXPECT_EQ(seen.got.value(), (std::vector<std::size_t>{2}));
}

TEST_F(Subscribed, is_called_again_where_it_was_not_reached_and_dropped_in_the_end) {
  SubscriberOptions options;
  options.failures = 3;
  const auto subscriber = make(options);
  seen.answer = Sink::Result::Refused;
  subscriber->take(set_of(1));
  EXPECT_TRUE(seen.dropped.wait([](const std::string& why) { return why == "3 calls failed one after the other"; }));
  EXPECT_EQ(seen.got.value(), (std::vector<std::size_t>{1, 1, 1}));
}

}  // namespace
}  // namespace callis::rtevents
