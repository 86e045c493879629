// SPDX-License-Identifier: Apache-2.0
// What a receiver is asked before a flow to it begins, and what counts as its answer; by flows over loopback, too.
#include <gtest/gtest.h>
#include <services/streams/flows/flow.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/testing/frames.h>
#include <set>

namespace callis::streams {
namespace {

using testing::Frames;
using testing::soon;
using testing::view;
using namespace std::chrono_literals;

TEST(Consent, asks_five_times_more_and_more_seldom_and_is_over) {
  Consent c;
  Consent::Time now{};
  int asked = 0;
  for (; !c.over(now) && asked < 100; now = c.due()) {
    ASSERT_TRUE(c.ask(now));
    EXPECT_FALSE(c.ask(now));
    ++asked;
  }
  EXPECT_EQ(asked, 5);
  EXPECT_FALSE(c.ask(now + 1h));
  EXPECT_LE(now - Consent::Time{}, 20s);
}

TEST(Consent, of_a_peer_that_asks_itself_is_asked_for_at_once) {
  Consent c;
  const Consent::Time now{};
  ASSERT_TRUE(c.ask(now));
  c.peer_is_there(now);
  EXPECT_TRUE(c.ask(now));
  for (int i = 0; i < 100; ++i) c.peer_is_there(now), c.ask(now);
  EXPECT_FALSE(c.ask(now + 1h)) << "no more for one that asks much";
}

TEST(Consent, is_the_answer_with_the_same_number_and_nothing_else) {
  Consent c, other;
  const Consent::Message question = *c.ask({});
  const auto answer = Consent::answer_to(question);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->size(), question.size());
  EXPECT_TRUE(c.answers(*answer));
  EXPECT_FALSE(c.answers(question)) << "of a service that sends everything back";
  EXPECT_FALSE(other.answers(*answer));
  EXPECT_FALSE(Consent::answer_to(*answer));
  for (std::size_t i = 0; i < answer->size(); ++i) {
    Consent::Message changed = *answer;
    changed[i] ^= 1;
    EXPECT_FALSE(c.answers(changed)) << i;
    EXPECT_FALSE(c.answers(ByteView(*answer).first(i)));
    EXPECT_FALSE(Consent::answer_to(ByteView(question).first(i)));
  }
}

struct Case {
  Carrier carrier;
  const char* protocol;
};
class EveryFlowOverUdp : public ::testing::TestWithParam<Case> {
 protected:
  static FlowSettings settings(bool producer) {
    FlowSettings out;
    out.carrier = GetParam().carrier;
    out.protocol = parse_flow_protocol(GetParam().protocol);
    out.producer = producer;
    out.rtp.cname = "somebody@test";
    out.rtp.bandwidth_bits = 50e6;
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, EveryFlowOverUdp,
                         ::testing::Values(Case{Carrier::Udp, ""}, Case{Carrier::RtpUdp, "RTP"},
                                           Case{Carrier::Udp, "SFP1.0"}, Case{Carrier::Udp, "SFP1.0:credit=2"}),
                         [](const auto& of) { return "way" + std::to_string(of.index); });

TEST_P(EveryFlowOverUdp, begins_when_both_ends_have_consented) {
  Frames at_producer, at_consumer;
  Flow producer(settings(true), at_producer), consumer(settings(false), at_consumer);
  const FlowAddress one = producer.listen(true), two = consumer.listen(false);
  consumer.connect(one, true);
  producer.connect(two, true);
  producer.start();
  consumer.start();
  Frame frame;
  const std::string text = "a frame of 24 bytes too.";
  ASSERT_EQ(text.size(), Consent::kBytes);
  frame.data = view(text);
  ASSERT_TRUE(soon([&] { return producer.send(frame) == Sent::Sent; }));
  EXPECT_EQ(at_consumer.wait(1), std::vector<std::string>{text});
  EXPECT_TRUE(soon([&] { return consumer.connected(); }));
}

// Whoever is at the address gets five questions, and neither frames nor reports, nor what protocols begin with.
TEST_P(EveryFlowOverUdp, sends_nothing_but_questions_to_who_has_not_consented) {
  for (const bool produces : {true, false}) {
    auto [victim, victim_control] = DatagramSocket::bound_pair(SocketAddress("127.0.0.1", 0));
    Frames frames;
    Flow flow(settings(produces), frames);
    flow.listen(false);
    FlowAddress to{GetParam().carrier, "127.0.0.1", victim.local().port(), 0, {}};
    flow.connect(to, true);
    flow.start();
    Frame frame;
    frame.data = view("unasked");
    const auto until = std::chrono::steady_clock::now() + 400ms;  // more than RTCP waits at this bandwidth
    int refused = 0;
    while (std::chrono::steady_clock::now() < until) {
      refused += flow.send(frame) == Sent::NotConnected;
      std::this_thread::yield();
    }
    EXPECT_GT(refused, 0);
    EXPECT_FALSE(flow.connected());
    flow.close();
    std::size_t bytes = 0, datagrams = 0;
    Byte into[2048];
    for (const auto* socket : {&victim, &victim_control})
      for (ssize_t n; (n = ::recv(socket->fd(), into, sizeof into, MSG_DONTWAIT)) >= 0; ++datagrams)
        bytes += static_cast<std::size_t>(n);
    EXPECT_GE(datagrams, 2u) << "it is asked";
    EXPECT_LE(datagrams, 5u);
    EXPECT_LE(bytes, 120u);
  }
}

}  // namespace
}  // namespace callis::streams
