// SPDX-License-Identifier: Apache-2.0
// Lanes whose events are sent without a thread that waits for the reply, without an ORB.
#include <callis/base/testing/soon.h>
#include <gtest/gtest.h>
#include <services/events/hub.h>
#include <services/events/lane.h>
#include <services/events/testing/watched.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <set>
#include <thread>

namespace callis::events {
namespace {

using testing::Watched;
using namespace std::chrono_literals;

Event numbered(int n, std::size_t bytes = 1) { return {std::make_shared<const int>(n), bytes, 0}; }
int number_of(const Event& e) { return *static_cast<const int*>(e.data.get()); }

// Takes what is sent when it is told to answer; can be waited for by a descriptor.
struct Answering final : Sink {
  struct Log {
    int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    Watched<std::vector<int>> sent, delivered;  // by begin(), by deliver()
    Watched<std::string> dropped;
    std::mutex mutex;  // guards what follows
    std::optional<Result> answer;  // to what is under way
    bool answers_at_once = false, given_up = false;
    Begun begun = Begun::Sent;
    Progress answered = Progress::Over;
    std::set<std::thread::id> senders;

    ~Log() { ::close(descriptor); }
    void come(Result with = Result::Taken) {
      const std::lock_guard lock(mutex);
      answer = with;
      const std::uint64_t one = 1;
      (void)!::write(descriptor, &one, sizeof one);
    }
    void set(bool at_once) {
      const std::lock_guard lock(mutex);
      answers_at_once = at_once;
    }
  };
  explicit Answering(Log& l) : log(l) {}
  Result deliver(const Event& e) noexcept override {
    log.delivered.change([&](auto& all) { all.push_back(number_of(e)); });
    return Result::Taken;
  }
  Begun begin(const Event& e, bool) noexcept override {
    {
      const std::lock_guard lock(log.mutex);
      if (log.begun != Begun::Sent) return log.begun;
      log.senders.insert(std::this_thread::get_id());
      if (log.answers_at_once) log.answer = Result::Taken;
    }
    log.sent.change([&](auto& all) { all.push_back(number_of(e)); });
    return Begun::Sent;
  }
  Progress look() noexcept override {
    const std::lock_guard lock(log.mutex);
    return log.answer ? log.answered : Progress::Pending;
  }
  int descriptor() const noexcept override { return log.descriptor; }
  Result result() noexcept override {
    const std::lock_guard lock(log.mutex);
    std::uint64_t count = 0;
    (void)!::read(log.descriptor, &count, sizeof count);
    return *std::exchange(log.answer, std::nullopt);
  }
  Result finish() noexcept override { return result(); }
  void drop() noexcept override {
    const std::lock_guard lock(log.mutex);
    log.given_up = true;
  }
  void dropped(const std::string& why) noexcept override {
    log.dropped.change([&](std::string& s) { s = why; });
  }
  Log& log;
};

struct SentLanes : ::testing::Test {
  services::Counters counters;
  Tally tally{counters};
  Answering::Log log;
  Pool pool{{2, 100ms}};
  Replies replies;
  LaneOptions options;

  SentLanes() {
    options.replies = &replies;
    options.first_pause = options.longest_pause = 1ms;
  }
  ~SentLanes() override {
    pool.stop();
    replies.stop();
  }
  std::shared_ptr<Lane> lane() {
    return std::make_shared<Lane>(pool, std::make_unique<Answering>(log), options, tally);
  }
  bool has_sent(std::vector<int> wanted) {
    return log.sent.wait([&](const auto& all) { return all == wanted; });
  }
};

TEST_F(SentLanes, send_by_the_thread_that_offers_while_replies_come) {
  log.set(true);
  const auto l = lane();
  for (int i = 0; i < 5; ++i) l->offer(numbered(i));
  EXPECT_EQ(log.sent.value(), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(log.senders, std::set{std::this_thread::get_id()});
  EXPECT_EQ(pool.threads(), 0u);
  EXPECT_EQ(tally.delivered, 4) << "the last one is looked for later";
}

TEST_F(SentLanes, queue_what_comes_before_the_reply) {
  const auto l = lane();
  for (int i = 0; i < 3; ++i) l->offer(numbered(i));
  EXPECT_EQ(log.sent.value(), std::vector<int>{0});
  EXPECT_EQ(l->waiting(), 2u);
  log.come();
  ASSERT_TRUE(has_sent({0, 1}));
  log.come();
  ASSERT_TRUE(has_sent({0, 1, 2}));
  EXPECT_EQ(l->waiting(), 0u);
  EXPECT_EQ(pool.threads(), 0u);
}

TEST_F(SentLanes, notice_a_reply_that_no_further_event_asks_for) {
  const auto l = lane();
  l->offer(numbered(0));
  log.come();
  EXPECT_TRUE(callis::testing::soon([&] { return tally.delivered == 1; })) << tally.delivered;
}

TEST_F(SentLanes, send_again_what_was_refused_before_what_came_later) {
  const auto l = lane();
  l->offer(numbered(0));
  l->offer(numbered(1));
  log.come(Sink::Result::Refused);
  ASSERT_TRUE(log.delivered.wait([](const auto& all) { return all == std::vector<int>{0}; }));
  ASSERT_TRUE(has_sent({0, 1})) << "after a success nobody waits again";
  log.come();
  EXPECT_EQ(tally.failed, 1);
  EXPECT_EQ(tally.lost, 0);
}

TEST_F(SentLanes, give_up_who_has_gone) {
  const auto l = lane();
  l->offer(numbered(0));
  log.come(Sink::Result::Gone);
  EXPECT_TRUE(log.dropped.wait([](const std::string& s) { return !s.empty(); }));
  l->offer(numbered(1));
  EXPECT_EQ(log.sent.value(), std::vector<int>{0});
}

TEST_F(SentLanes, disconnect_who_is_full_without_waiting_for_the_reply) {
  options.bounds = {1, 100, Overflow::Disconnect};
  const auto l = lane();
  for (int i = 0; i < 3; ++i) l->offer(numbered(i));
  EXPECT_TRUE(log.dropped.wait([](const std::string& s) { return s == "its queue was full"; }));
  EXPECT_TRUE(log.given_up);
}

TEST_F(SentLanes, leave_calls_that_have_to_be_waited_for_to_the_pool) {
  const auto l = lane();
  log.answered = Sink::Progress::Waits;
  l->offer(numbered(0));
  log.come();
  l->offer(numbered(1));
  ASSERT_TRUE(has_sent({0, 1}));
  EXPECT_GE(pool.threads(), 1u);
}

TEST_F(SentLanes, deliver_what_cannot_be_sent_at_once) {
  const auto l = lane();
  log.set(true);
  l->offer(numbered(0, 1'000'000));  // might wait in the socket
  ASSERT_TRUE(log.delivered.wait([](const auto& all) { return all == std::vector<int>{0}; }));
  log.begun = Sink::Begun::Never;
  l->offer(numbered(1));
  ASSERT_TRUE(log.delivered.wait([](const auto& all) { return all == std::vector<int>{0, 1}; }));
  EXPECT_TRUE(log.sent.value().empty());
}

TEST_F(SentLanes, give_up_what_is_under_way_when_all_ends) {
  const auto l = lane();
  l->offer(numbered(0));
  pool.stop();
  replies.stop();
  EXPECT_TRUE(log.given_up);
}

TEST_F(SentLanes, beyond_the_places_there_are_use_the_pool) {
  struct Never final : Replies::Waiter {
    void came() noexcept override {}
    bool round() noexcept override { return true; }
    void ended() noexcept override {}
  };
  for (std::size_t i = 0; i < Replies::kMost; ++i) ASSERT_GE(replies.enter(std::make_shared<Never>()), 0);
  EXPECT_EQ(replies.enter(std::make_shared<Never>()), -1);
  const auto l = lane();
  l->offer(numbered(0));
  EXPECT_TRUE(log.delivered.wait([](const auto& all) { return all == std::vector<int>{0}; }));
}

}  // namespace
}  // namespace callis::events
