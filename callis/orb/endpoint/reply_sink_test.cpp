// SPDX-License-Identifier: Apache-2.0
// Calls over shared connections that no thread waits for: who is told of their replies, and when.
#include <gtest/gtest.h>
#include <callis/orb/endpoint/shared_connection.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/shared_client.h>
#include <atomic>
#include <thread>

namespace callis::orb {
namespace {

using namespace testing;
using Outcome = SharedConnection::Outcome;

struct Told final : ReplySink {
  void came() noexcept override { ++times; }
  std::atomic<int> times{0};
};

struct SinkPair : SharedPair {
  static Fault take_reply(ClientConnection& c, std::uint32_t id, std::uint32_t v) {
    ClientConnection::Arrival a;
    c.receive(id, Deadline::at(TimePoint{}), a);
    if (a.fault != Fault::None) return a.fault;
    cdr::Budget budget = cdr::Budget::of(Limits(), 100);
    cdr::Decoder d = a.plain ? cdr::Decoder(a.body, kNativeOrder, budget) : a.message.decoder(budget);
    EXPECT_TRUE(a.plain);
    EXPECT_EQ(d.get_ulong(), v);
    return Fault::None;
  }
};

TEST(ReplySink, is_told_by_whoever_reads) {
  SinkPair p;
  PeerStream::Request first, second;
  auto a = p.call(1, first), b = p.call(2, second);
  Told told_a, told_b;
  ASSERT_TRUE(a->lane()->tell(told_a));
  ASSERT_TRUE(b->lane()->tell(told_b));
  p.peer.reply(second, 2);
  while (told_b.times == 0) ASSERT_EQ(p.connection->read(SinkPair::soon()), Outcome::Read);
  EXPECT_EQ(told_a.times, 0);
  EXPECT_EQ(SinkPair::take_reply(*b, second.id, 2), Fault::None);
  p.peer.reply(first, 1);
  while (told_a.times == 0) ASSERT_EQ(p.connection->read(SinkPair::soon()), Outcome::Read);
  EXPECT_EQ(SinkPair::take_reply(*a, first.id, 1), Fault::None);
  for (auto* const c : {&a, &b}) SharedConnection::give_back(std::move(*c), Clock::steady().now());
  EXPECT_EQ(told_a.times + told_b.times, 2);
  EXPECT_EQ(p.connection->counts().pending, 0u);
}

TEST(ReplySink, is_told_by_a_thread_that_waits_for_a_reply_of_its_own) {
  SinkPair p;
  PeerStream::Request first, second;
  auto a = p.call(1, first), b = p.call(2, second);
  Told told;
  ASSERT_TRUE(a->lane()->tell(told));
  std::thread waits([&] {
    ClientConnection::Arrival arrival;
    b->receive(second.id, SinkPair::soon(), arrival);
    EXPECT_EQ(arrival.fault, Fault::None);
  });
  p.peer.reply(first, 1);
  p.peer.reply(second, 2);
  waits.join();
  EXPECT_EQ(told.times, 1);
  EXPECT_EQ(SinkPair::take_reply(*a, first.id, 1), Fault::None);
}

TEST(ReplySink, is_told_of_the_end_of_the_connection) {
  SinkPair p;
  PeerStream::Request request;
  auto c = p.call(1, request);
  Told told;
  ASSERT_TRUE(c->lane()->tell(told));
  p.accepted->shutdown();
  p.accepted.reset();
  ASSERT_EQ(p.connection->read(SinkPair::soon()), Outcome::Read);
  EXPECT_EQ(told.times, 1);
  EXPECT_EQ(SinkPair::take_reply(*c, request.id, 1), Fault::ConnectionLost);
  EXPECT_EQ(p.connection->read(SinkPair::soon()), Outcome::Ended) << "there is nothing to read";
  EXPECT_FALSE(c->lane()->tell(told)) << "nothing is to come";
}

TEST(ReplySink, is_not_told_when_the_time_for_reading_is_over) {
  SinkPair p;
  PeerStream::Request request;
  auto c = p.call(1, request);
  Told told;
  ASSERT_TRUE(c->lane()->tell(told));
  EXPECT_EQ(p.connection->read(Deadline::at({})), Outcome::DeadlinePassed);
  EXPECT_EQ(told.times, 0);
  p.peer.reply(request, 1);
  while (told.times == 0) ASSERT_EQ(p.connection->read(SinkPair::soon()), Outcome::Read);
}

TEST(ReplySink, is_not_told_of_what_is_there_already) {
  SinkPair p;
  PeerStream::Request first, second;
  auto a = p.call(1, first), b = p.call(2, second);
  p.peer.reply(first, 1);
  p.peer.reply(second, 2);
  Told told;
  ASSERT_TRUE(b->lane()->tell(told));
  while (told.times == 0) ASSERT_EQ(p.connection->read(SinkPair::soon()), Outcome::Read);  // the first one's, too
  Told late;
  EXPECT_FALSE(a->lane()->tell(late));
  EXPECT_EQ(SinkPair::take_reply(*a, first.id, 1), Fault::None);
  EXPECT_EQ(late.times, 0);
}

TEST(ReplySink, is_not_told_once_it_is_forgotten_or_its_call_is_given_up) {
  SinkPair p;
  PeerStream::Request first, second;
  auto a = p.call(1, first), b = p.call(2, second);
  Told forgotten, given_up;
  ASSERT_TRUE(a->lane()->tell(forgotten));
  ASSERT_TRUE(b->lane()->tell(given_up));
  a->lane()->forget_sink();
  b.reset();
  p.peer.reply(second, 2);
  p.peer.reply(first, 1);
  while (SinkPair::take_reply(*a, first.id, 1) == Fault::DeadlinePassed)
    ASSERT_EQ(p.connection->read(SinkPair::soon()), Outcome::Read);
  EXPECT_EQ(forgotten.times + given_up.times, 0);
  EXPECT_EQ(p.connection->counts().late_replies, 1u);
}

}  // namespace
}  // namespace callis::orb
