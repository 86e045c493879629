// SPDX-License-Identifier: Apache-2.0
// The journal against Debian's nats-server, also while that is killed and started again. Skipped without it.
#include <callis/base/testing/soon.h>
#include <gtest/gtest.h>
#include <services/events/durable/jetstream.h>
#include <services/events/durable/subscription.h>
#include <services/events/durable/testing/nats_server.h>
#include <services/events/testing/watched.h>
#include <future>
#include <thread>

namespace callis::events {
namespace {

using testing::NatsServer;
using testing::Watched;
using namespace std::chrono_literals;

ByteView view(const std::string& text) { return {reinterpret_cast<const Byte*>(text.data()), text.size()}; }
std::string text(ByteView bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

using Texts = Watched<std::vector<std::string>>;
bool has(Texts& texts, const std::vector<std::string>& wanted) {
  return texts.wait([&](const auto& all) { return all.size() >= wanted.size(); }) && texts.value() == wanted;
}

struct JetStreamTest : ::testing::Test {
  std::unique_ptr<NatsServer> server;
  JetStreamOptions options;

  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "no nats-server";
    server = std::make_unique<NatsServer>();
    options.urls = {server->url()};
    options.wait = 3s;
    options.patience = 500ms;
  }
  std::unique_ptr<Journal> journal() {
    auto out = open_jetstream(options);
    out->open("plant/alarms");
    return out;
  }
  static Journal::FollowingPtr follow(Journal& j, Texts& into) {
    return j.follow("plant/alarms", [&into](ByteView b) { into.change([&](auto& all) { all.push_back(text(b)); }); });
  }
  static void append(Journal& j, const std::string& what) { j.append("plant/alarms", view(what)); }
};

// Takes what comes for a name.
struct Taker {
  Watched<std::vector<Journal::DeliveryPtr>> all;
  Journal::FollowingPtr following;

  Taker(Journal& j, const std::string& name)
      : following(j.follow_name("plant/alarms", name, [this](Journal::DeliveryPtr d) {
          all.change([&](auto& deliveries) { deliveries.push_back(std::move(d)); });
        })) {}
  // The next one.
  Journal::DeliveryPtr next() {
    const std::size_t n = ++seen_;
    if (!all.wait([&](const auto& deliveries) { return deliveries.size() >= n; })) return nullptr;
    return all.value().at(n - 1);
  }
  std::string take() {
    const auto d = next();
    if (!d) return "(nothing)";
    d->acknowledge();
    return text(d->bytes());
  }

 private:
  std::size_t seen_ = 0;
};

TEST_F(JetStreamTest, gives_events_to_all_who_follow_from_when_they_began) {
  const auto a = journal(), b = journal();
  Texts of_a, of_b;
  append(*a, "before");
  const auto fa = follow(*a, of_a), fb = follow(*b, of_b);
  append(*a, "1");
  append(*b, "2");
  append(*a, "");
  EXPECT_TRUE(has(of_a, {"1", "2", ""}));
  EXPECT_TRUE(has(of_b, {"1", "2", ""}));
}

TEST_F(JetStreamTest, keeps_events_for_names_that_nobody_follows) {
  {
    const auto j = journal();
    j->make_name("plant/alarms", "log");
    append(*j, "1");
  }
  const auto j = journal();
  append(*j, "2");
  EXPECT_EQ(j->names("plant/alarms"), std::vector<std::string>{"log"});
  Taker taker(*j, "log");
  EXPECT_EQ(taker.take(), "1");
  EXPECT_EQ(taker.take(), "2");
  j->make_name("plant/alarms", "log");  // it exists: nothing changes
  append(*j, "3");
  EXPECT_EQ(taker.take(), "3");
}

TEST_F(JetStreamTest, brings_again_what_was_not_acknowledged_before_what_came_later) {
  const auto j = journal();
  j->make_name("plant/alarms", "log");
  for (const char* each : {"1", "2"}) append(*j, each);
  {
    Taker first(*j, "log");
    ASSERT_TRUE(first.next());  // and forgets it
  }
  Taker second(*j, "log");
  const auto again = second.next();
  ASSERT_TRUE(again);
  EXPECT_EQ(text(again->bytes()), "1");
  again->give_back(1ms);
  EXPECT_EQ(second.take(), "1");
  EXPECT_EQ(second.take(), "2");
}

TEST_F(JetStreamTest, keeps_an_event_with_who_says_that_it_is_there) {
  const auto j = journal();
  j->make_name("plant/alarms", "log");
  append(*j, "1");
  Taker taker(*j, "log");
  const auto d = taker.next();
  ASSERT_TRUE(d);
  const auto end = std::chrono::steady_clock::now() + 3 * options.patience;
  while (std::chrono::steady_clock::now() < end) {
    d->keep();
    std::this_thread::yield();
  }
  EXPECT_EQ(taker.all.value().size(), 1u);
}

TEST_F(JetStreamTest, shares_the_events_of_a_name_among_those_who_follow_it) {
  const auto a = journal(), b = journal();
  a->make_name("plant/alarms", "log");
  Texts taken;
  const auto take = [&](Journal& j) {
    return j.follow_name("plant/alarms", "log", [&](Journal::DeliveryPtr d) {
      taken.change([&](auto& all) { all.push_back(text(d->bytes())); });
      d->acknowledge();
    });
  };
  const auto fa = take(*a), fb = take(*b);
  std::vector<std::string> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(std::to_string(i));
    append(i % 2 ? *a : *b, all.back());
  }
  EXPECT_TRUE(has(taken, all));
}

TEST_F(JetStreamTest, forgets_names) {
  const auto j = journal();
  for (const char* name : {"b", "a"}) j->make_name("plant/alarms", name);
  EXPECT_EQ(j->names("plant/alarms"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(j->forget("plant/alarms", "b"));
  EXPECT_FALSE(j->forget("plant/alarms", "b"));
  EXPECT_EQ(j->names("plant/alarms"), std::vector<std::string>{"a"});
}

TEST_F(JetStreamTest, loses_nothing_that_was_acknowledged_when_the_server_is_killed) {
  const auto j = journal();
  j->make_name("plant/alarms", "log");
  Texts followed;
  const auto f = follow(*j, followed);
  options.wait = 20s;
  const auto patient = journal();
  std::vector<std::string> all;
  for (int i = 0; i < 30; ++i) {
    const bool dies = i == 10 || i == 20;
    if (dies) server->kill();
    all.push_back(std::to_string(i));
    auto kept = std::async(std::launch::async, [&] { append(*patient, all.back()); });
    if (dies) server->start();
    ASSERT_NO_THROW(kept.get());
  }
  EXPECT_TRUE(has(followed, all));
  // A name may get an event twice, in its order.
  Taker taker(*j, "log");
  std::vector<std::string> taken;
  while (taken.size() < all.size()) {
    const std::string next = taker.take();
    ASSERT_NE(next, "(nothing)");
    if (taken.empty() || taken.back() != next) taken.push_back(next);
  }
  EXPECT_EQ(taken, all);
}

TEST_F(JetStreamTest, says_when_nobody_answers) {
  options.wait = 300ms;
  const auto j = journal();
  EXPECT_TRUE(j->connected());
  server->kill();
  try {
    append(*j, "1");
    ADD_FAILURE();
  } catch (const JournalFailed& e) {
    EXPECT_EQ(e.why, JournalFailed::Why::Unreachable);
    EXPECT_NE(e.text.find(server->url()), std::string::npos) << e.text;
  }
  EXPECT_FALSE(j->connected());
  server->start();
  options.wait = 20s;
  EXPECT_TRUE(callis::testing::soon([&] { return j->connected(); }));
  EXPECT_NO_THROW(append(*j, "2"));
}

TEST_F(JetStreamTest, says_at_once_when_there_is_no_server_or_no_JetStream) {
  options.wait = 500ms;
  server->kill();
  EXPECT_THROW(open_jetstream(options), JournalFailed);
  NatsServer plain(false);
  options.urls = {plain.url()};
  try {
    (void)journal();
    ADD_FAILURE();
  } catch (const JournalFailed& e) {
    EXPECT_NE(e.text.find("-js"), std::string::npos) << e.text;
  }
}

TEST_F(JetStreamTest, refuses_what_is_larger_than_the_server_takes) {
  const auto j = journal();
  try {
    append(*j, std::string(2u << 20, 'x'));
    ADD_FAILURE();
  } catch (const JournalFailed& e) {
    EXPECT_EQ(e.why, JournalFailed::Why::Refused) << e.text;
    EXPECT_FALSE(e.perhaps);
  }
  EXPECT_NO_THROW(append(*j, "small"));
}

TEST(Sequences, are_read_from_the_subjects_of_acknowledgements) {
  std::uint64_t stream = 0, consumer = 0;
  EXPECT_TRUE(read_sequences("$JS.ACK.s.c.1.22.333.1700000000.0", stream, consumer));
  EXPECT_EQ(stream, 22u);
  EXPECT_EQ(consumer, 333u);
  EXPECT_TRUE(read_sequences("$JS.ACK.domain.hash.s.c.1.44.5.1700000000.0.x", stream, consumer));
  EXPECT_EQ(stream, 44u);
  for (const char* bad : {"", "$JS.ACK.s.c.1.2.3.4", "_INBOX.a.b.c.d.1.2.3.4", "$JS.ACK.s.c.1.x.3.4.5"})
    EXPECT_FALSE(read_sequences(bad, stream, consumer)) << bad;
}

}  // namespace
}  // namespace callis::events
