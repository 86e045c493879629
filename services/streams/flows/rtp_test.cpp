// SPDX-License-Identifier: Apache-2.0
// RTP packets and sources, by RFC 3550, 5.1, A.1, A.3 and A.8.
#include <gtest/gtest.h>
#include <services/streams/flows/rtp_packet.h>
#include <services/streams/flows/rtp_source.h>
#include <random>
#include <string>
#include <vector>

namespace callis::streams {
namespace {

using Bytes = std::vector<Byte>;

TEST(RtpPacket, reads_a_header_byte_by_byte) {  // 5.1
  const Bytes in{0x80, 0xe0, 0x12, 0x34, 0x00, 0x00, 0x01, 0x00, 0xde, 0xad, 0xbe, 0xef, 'h', 'i'};
  const auto packet = parse_rtp(in);
  ASSERT_TRUE(packet);
  EXPECT_TRUE(packet->marker);
  EXPECT_EQ(packet->payload_type, 96);
  EXPECT_EQ(packet->sequence, 0x1234);
  EXPECT_EQ(packet->timestamp, 256u);
  EXPECT_EQ(packet->ssrc, 0xdeadbeefu);
  EXPECT_EQ(packet->payload.size(), 2u);
  const auto again = rtp_header(*packet);
  EXPECT_TRUE(std::equal(again.begin(), again.end(), in.begin()));
}

TEST(RtpPacket, reads_sources_extension_and_padding) {
  const Bytes in{0xb2, 0x60, 0,   1,   0,   0,   0,   2,   0, 0, 0, 3,  // V=2 P X CC=2
                 0,    0,    0,   7,   0,   0,   0,   8,                // CSRCs
                 0xbe, 0xde, 0,   1,   'e', 'x', 't', '!',              // one word
                 'd',  'a',  't', 'a', 0,   0,   3};
  const auto packet = parse_rtp(in);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->csrc_count, 2);
  EXPECT_EQ(packet->csrc[0], 7u);
  EXPECT_EQ(packet->csrc[1], 8u);
  EXPECT_EQ(packet->extension_profile, 0xbede);
  EXPECT_EQ(packet->extension.size(), 4u);
  EXPECT_EQ(std::string(packet->payload.begin(), packet->payload.end()), "data");
}

TEST(RtpPacket, refuses_what_is_shorter_than_it_says) {
  const Bytes whole{0xb1, 0x60, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 7, 1, 2, 0, 1, 1, 2, 3, 4, 9, 9, 2, 2};
  ASSERT_TRUE(parse_rtp(whole));
  for (std::size_t n = 0; n < 25; ++n) EXPECT_FALSE(parse_rtp(ByteView(whole).first(n))) << n;
  Bytes bad = whole;
  bad[0] = 0x71;  // version 1
  EXPECT_FALSE(parse_rtp(bad));
  bad = whole;
  bad.back() = 0;
  EXPECT_FALSE(parse_rtp(bad));  // no padding of no bytes
  bad.back() = 5;
  EXPECT_FALSE(parse_rtp(bad));  // more than there are
}

TEST(RtpPacket, survives_any_bytes) {
  std::mt19937 random(3);
  std::size_t good = 0;
  for (int i = 0; i < 200000; ++i) {
    Bytes in(random() % 64);
    for (Byte& b : in) b = static_cast<Byte>(random());
    if (!in.empty()) in[0] = static_cast<Byte>(0x80 | (in[0] & 0x3f));
    if (const auto packet = parse_rtp(in)) {
      ++good;
      ASSERT_LE(packet->payload.size(), in.size() - kRtpHeaderBytes);
    }
  }
  EXPECT_GT(good, 1000u);
}

TEST(RtpSource, counts_losses_and_what_comes_late) {  // A.3
  RtpSource source(10);
  for (const int n : {10, 11, 14, 15}) ASSERT_TRUE(source.take(static_cast<std::uint16_t>(n)));
  EXPECT_EQ(source.lost(), 2);
  EXPECT_EQ(source.fraction_lost(), 2 * 256 / 6);
  ASSERT_TRUE(source.take(12));
  EXPECT_EQ(source.lost(), 1);
  EXPECT_EQ(source.fraction_lost(), 0);  // none was expected since
  ASSERT_TRUE(source.take(15));
  ASSERT_TRUE(source.take(15));
  EXPECT_EQ(source.lost(), -1);  // duplicates
}

TEST(RtpSource, goes_on_over_the_end_of_sequence_numbers) {
  RtpSource source(65534);
  for (const int n : {65534, 65535, 0, 1}) ASSERT_TRUE(source.take(static_cast<std::uint16_t>(n)));
  EXPECT_EQ(source.highest(), 65536u + 1);
  EXPECT_EQ(source.lost(), 0);
}

TEST(RtpSource, believes_a_jump_when_it_is_seen_twice) {  // A.1
  RtpSource source(1);
  ASSERT_TRUE(source.take(1));
  EXPECT_FALSE(source.take(30000));
  ASSERT_TRUE(source.take(2));
  EXPECT_FALSE(source.take(40000));
  ASSERT_TRUE(source.take(40001));
  EXPECT_EQ(source.highest(), 40001u);
  EXPECT_EQ(source.lost(), 0);
}

TEST(RtpSource, has_the_jitter_of_A_8) {
  RtpSource source(1);
  source.arrived(1000, 1000);
  source.arrived(1160, 1160);
  EXPECT_EQ(source.jitter(), 0u);
  source.arrived(1480, 1320);  // 160 late: J += (160 - J) / 16
  EXPECT_EQ(source.jitter(), 10u);
  source.arrived(1640, 1480);
  EXPECT_EQ(source.jitter(), 9u);
}

TEST(RtpSource, has_a_jitter_for_timestamps_that_jump) {
  RtpSource source(1);
  source.arrived(0, 0);
  source.arrived(0, 0x80000000u);  // the greatest distance there is
  EXPECT_EQ(source.jitter(), 0x08000000u);
}

}  // namespace
}  // namespace callis::streams
