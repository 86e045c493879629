// SPDX-License-Identifier: Apache-2.0
// RTCP as bytes, and its interval, by RFC 3550, 6.2 to 6.6, A.2 and A.7.
#include <gtest/gtest.h>
#include <services/streams/flows/rtcp.h>
#include <services/streams/flows/rtcp_interval.h>
#include <random>

namespace callis::streams {
namespace {

using Bytes = std::vector<Byte>;

Bytes sample() {
  Bytes out;
  RtcpReport report;
  report.ssrc = 0x01020304;
  report.sender = SenderInfo{0x1122334455667788, 9, 10, 11};
  report.blocks.push_back({0x0a0b0c0d, 128, -2, 70000, 5, 0x33445566, 65536});
  put_report(out, report);
  put_cname(out, report.ssrc, "me@here");
  put_bye(out, report.ssrc, "tired");
  return out;
}

TEST(Rtcp, writes_a_sender_report_byte_by_byte) {  // 6.4.1
  const Bytes bytes = sample();
  const Bytes expected{0x81, 200, 0,    12,   1, 2,  3, 4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0,    0,
                       0,    9,   0,    0,    0, 10, 0, 0, 0,    11,   0x0a, 0x0b, 0x0c, 0x0d, 128,  0xff, 0xff, 0xfe,
                       0,    1,   0x11, 0x70, 0, 0,  0, 5, 0x33, 0x44, 0x55, 0x66, 0,    1,    0,    0,    0x81, 202,
                       0,    4,   1,    2,    3, 4,  1, 7, 'm',  'e',  '@',  'h',  'e',  'r',  'e',  0,    0,    0,
                       0x81, 203, 0,    3,    1, 2,  3, 4, 5,    't',  'i',  'r',  'e',  'd',  0,    0};
  EXPECT_EQ(bytes, expected);
}

TEST(Rtcp, reads_what_it_writes) {
  const auto in = parse_rtcp(sample());
  ASSERT_TRUE(in);
  ASSERT_EQ(in->reports.size(), 1u);
  ASSERT_TRUE(in->reports[0].sender);
  EXPECT_EQ(in->reports[0].sender->ntp, 0x1122334455667788u);
  ASSERT_EQ(in->reports[0].blocks.size(), 1u);
  EXPECT_EQ(in->reports[0].blocks[0].lost, -2);
  EXPECT_EQ(in->reports[0].blocks[0].highest, 70000u);
  ASSERT_EQ(in->names.size(), 1u);
  EXPECT_EQ(in->names[0].cname, "me@here");
  EXPECT_EQ(in->byes, std::vector<std::uint32_t>{0x01020304});
  EXPECT_EQ(in->reason, "tired");
}

TEST(Rtcp, names_of_every_length_end_at_a_word) {
  for (std::size_t n = 0; n < 260; ++n) {
    Bytes out;
    put_report(out, {});
    put_cname(out, 5, std::string(n, 'x'));
    ASSERT_EQ(out.size() % 4, 0u);
    const auto in = parse_rtcp(out);
    ASSERT_TRUE(in) << n;
    EXPECT_EQ(in->names.at(0).cname.size(), std::min<std::size_t>(n, 255));
  }
}

TEST(Rtcp, passes_over_packets_of_other_types) {
  Bytes bytes = sample();
  const Bytes app{0x80, 204, 0, 2, 0, 0, 0, 1, 'n', 'a', 'm', 'e'};
  bytes.insert(bytes.end(), app.begin(), app.end());
  const auto in = parse_rtcp(bytes);
  ASSERT_TRUE(in);
  EXPECT_EQ(in->unknown, 1u);
}

TEST(Rtcp, takes_padding_of_the_last_packet_alone) {  // A.2
  Bytes first;
  put_report(first, {});
  Bytes last{0xa0, 203, 0, 1, 0, 0, 0, 4};
  Bytes both = first;
  both.insert(both.end(), last.begin(), last.end());
  EXPECT_TRUE(parse_rtcp(both));
  both.insert(both.end(), first.begin(), first.end());
  EXPECT_FALSE(parse_rtcp(both));
  EXPECT_FALSE(parse_rtcp(Bytes{0xa0, 201, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4}));
}

TEST(Rtcp, refuses_what_is_malformed) {
  const Bytes good = sample();
  for (std::size_t n = 0; n < good.size(); ++n) {
    const bool whole_packets = n == 52 || n == 72;
    EXPECT_EQ(parse_rtcp(ByteView(good).first(n)).has_value(), whole_packets) << n;
  }
  const auto broken = [&](std::size_t at, Byte value) {
    Bytes bytes = good;
    bytes[at] = value;
    return !parse_rtcp(bytes).has_value();
  };
  EXPECT_TRUE(broken(0, 0x41));   // version
  EXPECT_TRUE(broken(0, 0x82));   // more blocks than there are
  EXPECT_TRUE(broken(1, 202));    // no report comes first
  EXPECT_TRUE(broken(3, 13));     // longer
  EXPECT_TRUE(broken(3, 100));    // longer than all
  EXPECT_TRUE(broken(61, 200));   // an item beyond the packet
  EXPECT_TRUE(broken(72, 0x84));  // more SSRCs than there are
  EXPECT_TRUE(broken(80, 8));     // a reason beyond the packet
  EXPECT_FALSE(parse_rtcp(Bytes()));
}

TEST(Rtcp, survives_any_bytes) {
  std::mt19937 random(5);
  const Bytes good = sample();
  std::size_t taken = 0;
  for (int i = 0; i < 200000; ++i) {
    Bytes bytes = good;
    for (std::size_t n = random() % 4 + 1; n > 0; --n) bytes[random() % bytes.size()] = static_cast<Byte>(random());
    bytes.resize(random() % 3 ? bytes.size() : random() % (bytes.size() + 1));
    if (parse_rtcp(bytes)) ++taken;
  }
  EXPECT_GT(taken, 1000u);
}

TEST(RtcpInterval, is_at_least_five_seconds_and_half_of_it_first) {  // 6.2, 6.3.1
  RtcpLoad load;
  load.bandwidth = 1e6;
  load.average_bytes = 100;
  EXPECT_DOUBLE_EQ(deterministic_interval(load), 5);
  load.initial = true;
  EXPECT_DOUBLE_EQ(deterministic_interval(load), 2.5);
}

TEST(RtcpInterval, gives_senders_a_quarter) {
  RtcpLoad load;
  load.members = 1000;
  load.senders = 10;
  load.bandwidth = 1000;
  load.average_bytes = 100;
  load.we_sent = true;
  EXPECT_DOUBLE_EQ(deterministic_interval(load), std::max(5.0, 100 * 10 / 250.0));
  load.we_sent = false;
  EXPECT_DOUBLE_EQ(deterministic_interval(load), 100 * 990 / 750.0);
  load.senders = 500;  // more than a quarter of all: all share
  EXPECT_DOUBLE_EQ(deterministic_interval(load), 100 * 1000 / 1000.0);
}

TEST(RtcpInterval, is_spread_at_random) {
  RtcpLoad load;
  load.bandwidth = 1e6;
  EXPECT_NEAR(rtcp_interval(load, 0), 5 * 0.5 / 1.21828, 1e-9);
  EXPECT_NEAR(rtcp_interval(load, 1), 5 * 1.5 / 1.21828, 1e-9);
}

}  // namespace
}  // namespace callis::streams
