// SPDX-License-Identifier: Apache-2.0
// Queues, lanes, mailboxes and the pool, without an ORB.
#include <services/events/hub.h>
#include <services/events/lane.h>
#include <services/events/mailbox.h>
#include <services/events/poll.h>
#include <services/events/testing/watched.h>
#include <gtest/gtest.h>
#include <list>
#include <thread>

namespace callis::events {
namespace {

using testing::Watched;
using namespace std::chrono_literals;

Event event(int n, std::size_t bytes = 1, std::uint8_t priority = 0) {
  return {std::make_shared<const int>(n), bytes, priority};
}
int number(const Event& e) { return *static_cast<const int*>(e.data.get()); }

std::vector<int> rest_of(Queue& queue) {
  std::vector<int> out;
  while (auto next = queue.take()) out.push_back(number(next->event));
  return out;
}
Queue filled(Overflow overflow, std::size_t events = 3, std::size_t bytes = 100) {
  return Queue({events, bytes, overflow});
}

TEST(Queue, keeps_the_order_whatever_the_priorities) {
  Queue q = filled(Overflow::DiscardByPriority, 10);
  for (int i = 0; i < 6; ++i) q.offer(event(i, 1, static_cast<std::uint8_t>(i % 3)));
  EXPECT_EQ(rest_of(q), (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(Queue, that_is_full_discards_by_its_policy) {
  Queue oldest = filled(Overflow::DiscardOldest), newest = filled(Overflow::DiscardNewest);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(oldest.offer(event(i)), Queue::Offered::Kept);
    EXPECT_EQ(newest.offer(event(i)), Queue::Offered::Kept);
  }
  EXPECT_EQ(oldest.discarded(), 2u);
  EXPECT_EQ(rest_of(oldest), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(newest.discarded(), 2u);
  EXPECT_EQ(rest_of(newest), (std::vector<int>{0, 1, 2}));
}

TEST(Queue, discards_the_lowest_priority_and_of_that_the_oldest) {
  Queue q = filled(Overflow::DiscardByPriority);
  q.offer(event(0, 1, 2));
  q.offer(event(1, 1, 1));
  q.offer(event(2, 1, 1));
  q.offer(event(3, 1, 7));  // in the place of 1
  q.offer(event(4, 1, 0));  // lower than all
  q.offer(event(5, 1, 200));  // counts as the highest; in the place of 2
  EXPECT_EQ(rest_of(q), (std::vector<int>{0, 3, 5}));
  EXPECT_EQ(q.discarded(), 3u);
}

TEST(Queue, says_when_it_is_full_where_that_disconnects) {
  Queue q = filled(Overflow::Disconnect, 1);
  EXPECT_EQ(q.offer(event(0)), Queue::Offered::Kept);
  EXPECT_EQ(q.offer(event(1)), Queue::Offered::Full);
}

TEST(Queue, counts_bytes_and_never_takes_what_is_larger_than_all) {
  Queue q = filled(Overflow::DiscardOldest, 100, 10);
  q.offer(event(0, 6));
  q.offer(event(1, 11));
  EXPECT_EQ(q.size(), 1u);
  q.offer(event(2, 5));
  EXPECT_EQ(q.bytes(), 5u);
  EXPECT_EQ(rest_of(q), std::vector<int>{2});
  EXPECT_EQ(q.bytes(), 0u);
}

TEST(Queue, gets_back_what_was_taken_as_the_first) {
  Queue q = filled(Overflow::DiscardNewest, 2);
  q.offer(event(0));
  q.offer(event(1));
  auto first = q.take();
  q.offer(event(2));
  q.put_back(std::move(*first));
  EXPECT_EQ(q.size(), 3u);
  EXPECT_EQ(rest_of(q), (std::vector<int>{0, 1, 2}));
}

TEST(Overflow, is_known_by_its_word) {
  EXPECT_EQ(overflow_of("priority"), Overflow::DiscardByPriority);
  EXPECT_FALSE(overflow_of("Oldest"));
}

// Does what a script says with each event; afterwards it takes all.
struct Scripted final : Sink {
  struct Log {
    Watched<std::vector<int>> taken;
    Watched<std::string> dropped;
    Watched<bool> held, inside;
    std::deque<Result> script;  // set before it runs
  };
  explicit Scripted(Log& l) : log(l) {}
  Result deliver(const Event& e) noexcept override {
    log.inside.change([](bool& b) { b = true; });
    log.held.wait([](bool is) { return !is; });
    Result out = Result::Taken;
    if (!log.script.empty()) {
      out = log.script.front();
      log.script.pop_front();
    }
    if (out == Result::Taken) log.taken.change([&](auto& all) { all.push_back(number(e)); });
    return out;
  }
  void dropped(const std::string& why) noexcept override {
    log.dropped.change([&](std::string& s) { s = why; });
  }
  Log& log;
};

struct Lanes : ::testing::Test {
  services::Counters counters;
  Tally tally{counters};
  std::list<Scripted::Log> logs;
  Hub hub;
  LaneOptions options;
  Pool pool{{4, 100ms}};

  Lanes() { options.first_pause = options.longest_pause = 1ms; }
  ~Lanes() override {
    for (auto& l : logs) l.held.change([](bool& b) { b = false; });
    pool.stop();
  }
  Scripted::Log& add(std::deque<Sink::Result> script = {}) {
    Scripted::Log& log = logs.emplace_back();
    log.script = std::move(script);
    hub.add(std::make_shared<Lane>(pool, std::make_unique<Scripted>(log), options, tally));
    return log;
  }
  void publish(int from, int to) {
    for (int i = from; i < to; ++i) hub.publish(event(i));
  }
  static bool has(Scripted::Log& log, std::size_t n) {
    return log.taken.wait([&](const auto& all) { return all.size() >= n; });
  }
};

std::vector<int> numbers(int from, int to) {
  std::vector<int> out;
  for (int i = from; i < to; ++i) out.push_back(i);
  return out;
}

TEST_F(Lanes, deliver_everything_to_everybody_in_order) {
  auto &a = add(), &b = add();
  publish(0, 900);
  ASSERT_TRUE(has(a, 900) && has(b, 900));
  EXPECT_EQ(a.taken.value(), numbers(0, 900));
  EXPECT_EQ(b.taken.value(), numbers(0, 900));
  pool.stop();  // counted is what has returned
  EXPECT_EQ(tally.delivered, 1800);
}

TEST_F(Lanes, that_are_stopped_delay_no_other) {
  std::vector<Scripted::Log*> stopped;
  for (int i = 0; i < 3; ++i) {  // of four threads
    stopped.push_back(&add());
    stopped.back()->held.change([](bool& b) { b = true; });
  }
  publish(0, 1);
  for (auto* s : stopped) ASSERT_TRUE(s->inside.wait([](bool b) { return b; }));
  auto& good = add();
  publish(1, 900);
  ASSERT_TRUE(has(good, 899));
  EXPECT_EQ(good.taken.value(), numbers(1, 900));
  for (auto* s : stopped) EXPECT_TRUE(s->taken.value().empty());
}

TEST_F(Lanes, that_are_stopped_keep_the_newest_events_and_no_more_than_they_may) {
  options.bounds.events = 5;
  auto& slow = add();
  slow.held.change([](bool& b) { b = true; });
  publish(0, 1);
  ASSERT_TRUE(slow.inside.wait([](bool b) { return b; }));
  publish(1, 101);
  EXPECT_EQ(hub.waiting(), 5u);
  EXPECT_EQ(hub.discarded(), 95u);
  EXPECT_EQ(tally.discarded, 95);
  slow.held.change([](bool& b) { b = false; });
  ASSERT_TRUE(has(slow, 6));
  EXPECT_EQ(slow.taken.value(), (std::vector<int>{0, 96, 97, 98, 99, 100}));
}

TEST_F(Lanes, try_again_what_has_not_arrived_and_lose_what_may_have) {
  using enum Sink::Result;
  auto& log = add({Taken, Refused, Refused, Taken, Unknown, Taken});
  publish(0, 5);
  ASSERT_TRUE(has(log, 4));
  EXPECT_EQ(log.taken.value(), (std::vector<int>{0, 1, 3, 4}));
  pool.stop();
  EXPECT_EQ(tally.failed, 3);
  EXPECT_EQ(tally.lost, 1);
  EXPECT_EQ(tally.dropped, 0);
}

TEST_F(Lanes, give_up_who_fails_so_often_one_after_the_other) {
  using enum Sink::Result;
  options.failures = 3;
  auto& log = add({Refused, Refused, Taken, Unknown, Refused, Refused});
  publish(0, 10);
  ASSERT_TRUE(log.dropped.wait([](const std::string& s) { return !s.empty(); }));
  EXPECT_EQ(log.dropped.value(), "3 calls failed one after the other");
  EXPECT_EQ(log.taken.value(), numbers(0, 1));
  pool.stop();
  EXPECT_EQ(tally.dropped, 1);
  EXPECT_EQ(hub.waiting(), 0u);
}

TEST_F(Lanes, give_up_at_once_who_has_gone) {
  auto& log = add({Sink::Result::Gone});
  publish(0, 1);
  EXPECT_TRUE(log.dropped.wait([](const std::string& s) { return s.find("disconnected") != std::string::npos; }));
}

TEST_F(Lanes, give_up_who_is_full_where_that_disconnects) {
  options.bounds = {2, 100, Overflow::Disconnect};
  auto& log = add();
  log.held.change([](bool& b) { b = true; });
  publish(0, 1);
  ASSERT_TRUE(log.inside.wait([](bool b) { return b; }));
  publish(1, 9);
  log.held.change([](bool& b) { b = false; });
  ASSERT_TRUE(log.dropped.wait([](const std::string& s) { return !s.empty(); }));
  EXPECT_EQ(log.dropped.value(), "its queue was full");
}

TEST_F(Lanes, that_have_ended_deliver_nothing_more) {
  Scripted::Log log;
  const auto lane = std::make_shared<Lane>(pool, std::make_unique<Scripted>(log), options, tally);
  log.held.change([](bool& b) { b = true; });
  lane->offer(event(0));
  ASSERT_TRUE(log.inside.wait([](bool b) { return b; }));
  lane->offer(event(1));
  lane->end();
  lane->offer(event(2));
  log.held.change([](bool& b) { b = false; });
  pool.stop();
  EXPECT_EQ(log.taken.value(), numbers(0, 1));
  EXPECT_EQ(log.dropped.value(), "");
}

TEST_F(Lanes, that_are_slow_have_half_of_the_threads) {
  Pool few{{4, 1ms}};
  struct Slow final : Pool::Task {
    explicit Slow(Watched<int>& n, Watched<bool>& h) : inside(n), held(h) {}
    Pool::Next run() noexcept override {
      if (first) {
        first = false;
        const auto end = Pool::Clock::now() + 3ms;
        while (Pool::Clock::now() < end) std::this_thread::yield();
        return {Pool::Next::Again, {}};
      }
      inside.change([](int& n) { ++n; });
      held.wait([](bool is) { return is; });
      return {};
    }
    Watched<int>& inside;
    Watched<bool>& held;
    bool first = true;
  };
  Watched<int> inside;
  Watched<bool> held, ran;
  for (int i = 0; i < 8; ++i) few.wake(std::make_shared<Slow>(inside, held));
  EXPECT_TRUE(inside.wait([](int n) { return n == 2; }));
  few.run([&] { ran.change([](bool& b) { b = true; }); });
  EXPECT_TRUE(ran.wait([](bool b) { return b; }));
  EXPECT_EQ(inside.value(), 2);
  held.change([](bool& b) { b = true; });
  EXPECT_TRUE(inside.wait([](int n) { return n == 8; }));
  few.stop();
}

TEST(Mailbox, gives_what_waits_and_waits_for_what_comes) {
  services::Counters counters;
  Tally tally(counters);
  Mailbox box({}, tally);
  EXPECT_FALSE(box.try_pull());
  box.offer(event(1));
  EXPECT_EQ(number(*box.try_pull()), 1);
  std::thread later([&] { box.offer(event(2)); });
  const auto got = box.pull(testing::kLong, [] { return false; });
  later.join();
  ASSERT_TRUE(got);
  EXPECT_EQ(number(*got), 2);
  EXPECT_FALSE(box.pull(1ms, [] { return false; }));
  EXPECT_FALSE(box.pull(testing::kLong, [] { return true; }));
}

TEST(Mailbox, lets_who_waits_go_when_it_ends) {
  services::Counters counters;
  Tally tally(counters);
  Mailbox box({}, tally);
  std::thread later([&] { box.end(); });
  EXPECT_FALSE(box.pull(testing::kLong, [] { return false; }));
  later.join();
  EXPECT_TRUE(box.ended());
}

struct Counting final : Source {
  struct Log {
    Watched<int> asked;
    Watched<std::string> dropped;
    std::deque<Result> script;
  };
  explicit Counting(Log& l) : log(l) {}
  Result ask() noexcept override {
    Result out = Result::Nothing;
    if (!log.script.empty()) {
      out = log.script.front();
      log.script.pop_front();
    }
    log.asked.change([](int& n) { ++n; });
    return out;
  }
  void dropped(const std::string& why) noexcept override {
    log.dropped.change([&](std::string& s) { s = why; });
  }
  Log& log;
};

TEST(Poll, asks_again_and_again_and_gives_up_who_fails_so_often) {
  using enum Source::Result;
  services::Counters counters;
  Tally tally(counters);
  Counting::Log log;
  log.script = {Event, Event, Nothing, Failed, Failed, Nothing, Failed, Failed, Failed, Event};
  Pool pool{{2, 100ms}};
  const auto poll = std::make_shared<Poll>(std::make_unique<Counting>(log), PollOptions{1ms, 4ms, 3}, tally);
  pool.wake(poll);
  EXPECT_TRUE(log.dropped.wait([](const std::string& s) { return !s.empty(); }));
  pool.stop();
  EXPECT_EQ(log.asked.value(), 9);
  EXPECT_EQ(tally.failed, 5);
}

TEST(Poll, asks_nothing_when_it_has_ended) {
  services::Counters counters;
  Tally tally(counters);
  Counting::Log log;
  Pool pool{{2, 100ms}};
  const auto poll = std::make_shared<Poll>(std::make_unique<Counting>(log), PollOptions{1ms, 4ms, 3}, tally);
  pool.wake(poll);
  EXPECT_TRUE(log.asked.wait([](int n) { return n >= 3; }));
  poll->end();
  pool.stop();
  EXPECT_EQ(log.dropped.value(), "");
}

// If the highest number of threads work, a further thread watches until it may work. The further thread may still
// watch when the others have finished all work.
TEST(EventPool, runs_a_task_at_once_though_a_thread_still_watches) {
  const int at_once = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
  Pool pool({static_cast<unsigned>(at_once) + 2, 100ms});
  Watched<int> begun, done;
  const auto next = [](int& n) { ++n; };
  std::vector<Pool::Clock::duration> took;
  for (int round = 0; round < 21; ++round) {
    const int before = done.value();
    Watched<bool> go;
    for (int i = 0; i < at_once; ++i)
      pool.run([&] {
        begun.change(next);
        (void)go.wait([](bool b) { return b; });
        done.change(next);
      });
    ASSERT_TRUE(begun.wait([&](int n) { return n == (round + 1) * at_once; }));
    pool.run([&] { done.change(next); });
    while (!pool.watches() && done.value() == before) std::this_thread::yield();
    go.change([](bool& b) { b = true; });
    ASSERT_TRUE(done.wait([&](int n) { return n == before + at_once + 1; }));
    const auto begin = Pool::Clock::now();
    pool.run([&] { done.change(next); });
    ASSERT_TRUE(done.wait([&](int n) { return n == before + at_once + 2; }));
    took.push_back(Pool::Clock::now() - begin);
  }
  pool.stop();
  std::sort(took.begin(), took.end());
  EXPECT_LT(took[took.size() / 2], Pool::kBlocked / 2) << "most waited until the watching thread looked again";
}

}  // namespace
}  // namespace callis::events
