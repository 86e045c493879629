// SPDX-License-Identifier: Apache-2.0
// Lanes of named consumers, without a journal and without an ORB.
#include <gtest/gtest.h>
#include <services/events/named_lane.h>
#include <services/events/testing/watched.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace callis::events {
namespace {

using testing::Watched;
using namespace std::chrono_literals;

// The ends of the events, by their numbers.
struct Ends {
  Watched<std::vector<int>> acknowledged, given_back;
};

struct Numbered final : Journal::Delivery {
  Numbered(Ends& to, int number) : ends(to), byte(static_cast<Byte>(number)) {}
  ByteView bytes() const override { return {&byte, 1}; }
  void acknowledge() noexcept override {
    ends.acknowledged.change([&](auto& all) { all.push_back(byte); });
  }
  void give_back(std::chrono::milliseconds) noexcept override {
    ends.given_back.change([&](auto& all) { all.push_back(byte); });
  }
  void keep() noexcept override {}
  Ends& ends;
  const Byte byte;
};

struct Peer final : Sink {
  struct Log {
    int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    Watched<std::vector<int>> sent, delivered;
    Watched<std::string> dropped;
    std::atomic<int> answers{0};
    std::atomic<Result> result{Result::Taken};
    std::atomic<bool> given_up{false};
    ~Log() { ::close(descriptor); }
    void answer(Result with = Result::Taken) {
      result = with;
      ++answers;
      const std::uint64_t one = 1;
      (void)!::write(descriptor, &one, sizeof one);
    }
  };
  explicit Peer(Log& to) : log(to) {}
  static int number_of(const Event& e) { return *static_cast<const int*>(e.data.get()); }
  Result deliver(const Event& e) noexcept override {
    log.delivered.change([&](auto& all) { all.push_back(number_of(e)); });
    return Result::Taken;
  }
  Begun begin(const Event& e, bool) noexcept override {
    log.sent.change([&](auto& all) { all.push_back(number_of(e)); });
    return Begun::Sent;
  }
  Progress look() noexcept override {
    std::uint64_t count = 0;
    (void)!::read(log.descriptor, &count, sizeof count);
    if (log.answers == 0) return Progress::Pending;
    --log.answers;
    return Progress::Over;
  }
  int descriptor() const noexcept override { return log.descriptor; }
  Result result() noexcept override { return log.result; }
  void drop() noexcept override { log.given_up = true; }
  void dropped(const std::string& why) noexcept override {
    log.dropped.change([&](std::string& to) { to = why; });
  }
  Log& log;
};

struct NamedLanes : ::testing::Test {
  services::Counters counters;
  Tally tally{counters};
  Ends ends;
  std::list<Peer::Log> logs;
  Pool pool{{2, 100ms}};
  Replies replies;

  ~NamedLanes() override {
    pool.stop();
    replies.stop();
  }
  std::shared_ptr<NamedLane> add(Peer::Log& log) {
    LaneOptions options;
    options.replies = &replies;
    options.failures = 2;
    return std::make_shared<NamedLane>(pool, std::make_unique<Peer>(log), options, tally, [](ByteView bytes) {
      return std::optional<Event>({std::make_shared<const int>(bytes[0]), 1, 0});
    });
  }
};

TEST_F(NamedLanes, acknowledge_each_event_when_its_reply_has_come_and_send_the_next_then) {
  Peer::Log& log = logs.emplace_back();
  const auto lane = add(log);
  for (int i = 1; i <= 3; ++i) lane->come(std::make_shared<Numbered>(ends, i));
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(log.sent.wait([&](const auto& all) { return all.size() == static_cast<std::size_t>(i); }));
    EXPECT_EQ(ends.acknowledged.value().size(), static_cast<std::size_t>(i - 1));
    log.answer();
    ASSERT_TRUE(ends.acknowledged.wait([&](const auto& all) { return all.size() == static_cast<std::size_t>(i); }));
  }
  EXPECT_EQ(ends.acknowledged.value(), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(log.delivered.value().empty());
  lane->end();
}

TEST_F(NamedLanes, that_are_stopped_hold_no_thread) {
  std::vector<std::shared_ptr<NamedLane>> lanes;
  for (int i = 0; i < 9; ++i) {  // of two threads
    lanes.push_back(add(logs.emplace_back()));
    lanes.back()->come(std::make_shared<Numbered>(ends, i));
  }
  for (Peer::Log& log : logs) EXPECT_TRUE(log.sent.wait([](const auto& all) { return all.size() == 1; }));
  Watched<bool> ran;
  pool.run([&] { ran.change([](bool& is) { is = true; }); });
  EXPECT_TRUE(ran.wait([](bool is) { return is; }));
  EXPECT_TRUE(ends.acknowledged.value().empty());
}

TEST_F(NamedLanes, give_back_what_is_under_way_when_the_service_stops) {
  Peer::Log& log = logs.emplace_back();
  const auto lane = add(log);
  lane->come(std::make_shared<Numbered>(ends, 1));
  lane->come(std::make_shared<Numbered>(ends, 2));
  ASSERT_TRUE(log.sent.wait([](const auto& all) { return all.size() == 1; }));
  pool.stop();
  replies.stop();
  lane->end();
  EXPECT_TRUE(log.given_up);
  EXPECT_EQ(ends.given_back.value(), (std::vector<int>{1, 2}));
}

TEST_F(NamedLanes, wait_for_their_consumer_after_a_failure_and_give_up_who_has_gone) {
  Peer::Log& log = logs.emplace_back();
  const auto lane = add(log);
  lane->come(std::make_shared<Numbered>(ends, 1));
  ASSERT_TRUE(log.sent.wait([](const auto& all) { return all.size() == 1; }));
  log.answer(Sink::Result::Unknown);
  ASSERT_TRUE(ends.given_back.wait([](const auto& all) { return all.size() == 1; }));
  lane->come(std::make_shared<Numbered>(ends, 1));
  ASSERT_TRUE(log.delivered.wait([](const auto& all) { return all.size() == 1; })) << "by a thread that waits";
  lane->come(std::make_shared<Numbered>(ends, 2));
  ASSERT_TRUE(log.sent.wait([](const auto& all) { return all.size() == 2; })) << "it has not failed since";
  log.answer(Sink::Result::Gone);
  EXPECT_TRUE(log.dropped.wait([](const std::string& why) { return !why.empty(); }));
  EXPECT_EQ(ends.given_back.value(), (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace callis::events
