// SPDX-License-Identifier: Apache-2.0
// Participants of an RTP session, with a clock of the test's own. RFC 3550, 6.3, 6.4 and 8.2.
#include <gtest/gtest.h>
#include <services/streams/flows/rtp_session.h>

namespace callis::streams {
namespace {

using namespace std::chrono_literals;
using Time = RtpSession::Time;
using Taken = RtpSession::Taken;
using Bytes = std::vector<Byte>;

RtpSettings settings(std::uint32_t ssrc, double bandwidth = 1e6) {
  RtpSettings out;
  out.ssrc = ssrc;
  out.cname = "user" + std::to_string(ssrc) + "@test";
  out.bandwidth_bits = bandwidth;
  out.seed = ssrc;
  return out;
}

Bytes packet(RtpSession& from, std::uint32_t timestamp, Time now) {
  const auto header = from.next_header(timestamp, false, 4, now);
  Bytes out(header.begin(), header.end());
  out.insert(out.end(), {'d', 'a', 't', 'a'});
  return out;
}

// The next report; time goes on until then.
Bytes report(RtpSession& of, Time& now) {
  Bytes out;
  while (out.empty()) {
    now = std::max(now, of.due());
    of.report(now, out);
  }
  return out;
}

TEST(RtpSession, tells_the_sender_what_was_lost_and_how_much_it_jitters) {
  Time now{100s};
  RtpSession sender(settings(1), now), receiver(settings(2), now);
  RtpPacket in;
  for (int i = 0; i < 100; ++i, now += 10ms) {
    const Bytes sent = packet(sender, static_cast<std::uint32_t>(i) * 900, now);
    if (i % 10 == 5) continue;  // lost
    ASSERT_EQ(receiver.receive(sent, now + (i % 2 ? 2ms : 0ms), in), Taken::Good);
  }
  EXPECT_EQ(receiver.received_quality().lost, 10);
  EXPECT_NEAR(receiver.received_quality().jitter_ms, 1.5, 0.7);
  ASSERT_EQ(sender.receive_control(report(receiver, now), now), Taken::Good);
  EXPECT_EQ(sender.sent_quality().lost, 10);
  EXPECT_GT(sender.sent_quality().jitter_ms, 0.5);
  EXPECT_EQ(sender.peer_cname(), "user2@test");
  EXPECT_EQ(sender.reports_received(), 1u);
}

TEST(RtpSession, reports_of_senders_have_a_sender_part) {  // 6.4
  Time now{100s};
  RtpSession sender(settings(1), now), receiver(settings(2), now);
  RtpPacket in;
  ASSERT_EQ(receiver.receive(packet(sender, 90000, now), now, in), Taken::Good);
  auto parsed = parse_rtcp(report(sender, now));
  ASSERT_TRUE(parsed && parsed->reports.at(0).sender);
  EXPECT_EQ(parsed->reports[0].sender->packets, 1u);
  EXPECT_EQ(parsed->reports[0].sender->bytes, 4u);
  parsed = parse_rtcp(report(receiver, now));
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->reports.at(0).sender);
  EXPECT_EQ(parsed->reports[0].blocks.at(0).ssrc, 1u);
}

TEST(RtpSession, measures_the_round_trip) {
  Time now{100s};
  RtpSession sender(settings(1), now), receiver(settings(2), now);
  RtpPacket in;
  ASSERT_EQ(receiver.receive(packet(sender, 0, now), now, in), Taken::Good);
  ASSERT_EQ(receiver.receive_control(report(sender, now), now), Taken::Good);
  ASSERT_EQ(receiver.receive(packet(sender, 900, now), now, in), Taken::Good);
  const Time before = now;
  Bytes back;
  receiver.report(now + 1s, back);
  ASSERT_FALSE(back.empty());
  const auto parsed = parse_rtcp(back);
  ASSERT_TRUE(parsed);
  EXPECT_NE(parsed->reports.at(0).blocks.at(0).last_report, 0u);
  EXPECT_NEAR(parsed->reports[0].blocks[0].since_report / 65536.0, 1, 0.01);
  EXPECT_EQ(now, before);
}

TEST(RtpSession, intervals_keep_to_the_bandwidth) {
  Time now{0s};
  RtpSession session(settings(1, 64000), now);  // 360 / 64: 5.6 s, so 5 s at least
  report(session, now);
  Time last = now;
  for (int i = 0; i < 50; ++i) {
    report(session, now);
    const double apart = std::chrono::duration<double>(now - last).count();
    EXPECT_GE(apart, 5 * 0.5 / 1.21828 - 1e-6);
    EXPECT_LE(apart, 5 * 1.5 / 1.21828 * 2);
    last = now;
  }
}

TEST(RtpSession, says_bye_and_is_forgotten) {  // 6.3.4, 6.3.7
  Time now{100s};
  RtpSession sender(settings(1), now), receiver(settings(2), now);
  RtpPacket in;
  ASSERT_EQ(receiver.receive(packet(sender, 0, now), now, in), Taken::Good);
  EXPECT_EQ(receiver.members(), 2u);
  Bytes bye;
  sender.bye(now, "done", bye);
  ASSERT_EQ(receiver.receive_control(bye, now), Taken::Good);
  EXPECT_EQ(receiver.members(), 1u);
  EXPECT_EQ(receiver.byes_received(), 1u);
  EXPECT_EQ(receiver.received_quality().received, 1u);  // what came is not forgotten
}

TEST(RtpSession, who_never_spoke_says_no_bye) {
  RtpSession session(settings(1), Time{});
  Bytes bye;
  session.bye(Time{}, "", bye);
  EXPECT_TRUE(bye.empty());
}

TEST(RtpSession, forgets_members_that_are_silent) {  // 6.3.5
  Time now{100s};
  RtpSession sender(settings(1), now), receiver(settings(2), now);
  RtpPacket in;
  ASSERT_EQ(receiver.receive(packet(sender, 0, now), now, in), Taken::Good);
  now += 60s;
  Bytes out;
  receiver.report(now, out);
  EXPECT_EQ(receiver.members(), 1u);
}

TEST(RtpSession, changes_its_identifier_once_when_another_has_it) {  // 8.2
  Time now{100s};
  RtpSession one(settings(7), now), two(settings(7), now);
  RtpPacket in;
  EXPECT_EQ(two.receive(packet(one, 0, now), now, in), Taken::Collision);
  EXPECT_NE(two.ssrc(), 7u);
  Bytes bye;
  ASSERT_TRUE(two.take_collision_bye(bye));
  const auto parsed = parse_rtcp(bye);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->byes, std::vector<std::uint32_t>{7});
  EXPECT_EQ(two.receive(packet(one, 0, now), now, in), Taken::Good);
  // Its own packets come back: a loop, and no reason to change again.
  const std::uint32_t now_has = two.ssrc();
  EXPECT_EQ(two.receive(packet(two, 0, now), now, in), Taken::Loop);
  EXPECT_EQ(two.ssrc(), now_has);
  EXPECT_EQ(two.collisions(), 1u);
}

TEST(RtpSession, packets_of_another_payload_do_not_count) {
  Time now{100s};
  RtpSettings other = settings(1);
  other.payload_type = 97;
  RtpSession sender(other, now), receiver(settings(2), now);
  RtpPacket in;
  EXPECT_EQ(receiver.receive(packet(sender, 0, now), now, in), Taken::OtherPayload);
  EXPECT_EQ(receiver.members(), 1u);
}

TEST(RtpSession, knows_a_bounded_number_of_members) {
  Time now{100s};
  RtpSession receiver(settings(1), now);
  RtpPacket in;
  std::size_t refused = 0;
  for (std::uint32_t ssrc = 100; ssrc < 100 + 3 * RtpSession::kMostMembers; ++ssrc) {
    RtpSession sender(settings(ssrc), now);
    refused += receiver.receive(packet(sender, 0, now), now, in) == Taken::TooManySources;
  }
  EXPECT_EQ(receiver.members(), RtpSession::kMostMembers);
  EXPECT_EQ(refused, 2 * RtpSession::kMostMembers + 1);
}

TEST(RtpSession, strangers_do_not_speak_for_a_source) {
  Time now{100s};
  RtpSession sender(settings(1), now), receiver(settings(2), now);
  RtpPacket in;
  ASSERT_EQ(receiver.receive(packet(sender, 0, now), now, in), Taken::Good);
  Bytes bye;
  sender.bye(now, "", bye);
  ASSERT_EQ(receiver.receive_control(bye, now, false), Taken::Good);
  EXPECT_EQ(receiver.members(), 2u);
  Bytes lies;
  RtcpReport report;
  report.ssrc = 5;
  report.blocks.push_back({2, 255, 1000, 0, 0, 0, 0});
  put_report(lies, report);
  ASSERT_EQ(receiver.receive_control(lies, now, false), Taken::Good);
  EXPECT_EQ(receiver.sent_quality().lost, 0);
  EXPECT_EQ(receiver.members(), 3u);  // it is there, that is all
}

}  // namespace
}  // namespace callis::streams
