// SPDX-License-Identifier: Apache-2.0
// H.264 and Opus as RTP payload, by RFC 6184 and RFC 7587; and bytes of any kind.
#include <gtest/gtest.h>
#include <services/streams/payload/h264.h>
#include <services/streams/payload/opus.h>
#include <random>
#include <string>

namespace callis::streams {
namespace {

using Bytes = std::vector<Byte>;

std::vector<Bytes> units(AnnexB& in) {
  std::vector<Bytes> out;
  ByteView nal;
  while (in.next(nal)) out.emplace_back(nal.begin(), nal.end());
  return out;
}

TEST(AnnexB, cuts_units_out_of_bytes_however_they_come) {
  const Bytes all{0, 0, 0, 1, 0x67, 1, 2, 0, 0, 1, 0x68, 3, 0, 0, 0, 0, 1, 0x65, 0x88, 0, 4, 5};
  const std::vector<Bytes> expected{{0x67, 1, 2}, {0x68, 3}, {0x65, 0x88, 0, 4, 5}};
  for (std::size_t step = 1; step <= all.size(); ++step) {
    AnnexB in;
    std::vector<Bytes> got;
    for (std::size_t at = 0; at < all.size(); at += step) {
      in.push(ByteView(all).subspan(at, std::min(step, all.size() - at)));
      for (Bytes& each : units(in)) got.push_back(each);
    }
    in.finish();
    for (Bytes& each : units(in)) got.push_back(each);
    EXPECT_EQ(got, expected) << step;
  }
}

TEST(AnnexB, throws_units_away_that_are_too_long) {
  AnnexB in(10);
  in.push(Bytes{0, 0, 1});
  for (int i = 0; i < 10; ++i) in.push(Bytes(10, 7));
  EXPECT_TRUE(units(in).empty());
  in.push(Bytes{0, 0, 1, 5, 6, 0, 0, 1});
  EXPECT_EQ(units(in), (std::vector<Bytes>{{5, 6}}));
}

TEST(H264, goes_in_one_packet_or_in_fragments) {  // RFC 6184, 5.6, 5.8
  std::vector<Bytes> packets;
  const auto keep = [&](ByteView p, bool) { packets.emplace_back(p.begin(), p.end()); };
  h264_packets(Bytes{0x65, 1, 2}, 3, keep);
  EXPECT_EQ(packets, (std::vector<Bytes>{{0x65, 1, 2}}));
  packets.clear();
  h264_packets(Bytes{0x65, 1, 2, 3, 4, 5}, 4, keep);
  EXPECT_EQ(packets, (std::vector<Bytes>{{0x7c, 0x85, 1, 2}, {0x7c, 0x05, 3, 4}, {0x7c, 0x45, 5}}));
}

TEST(H264, comes_back_as_it_went) {
  std::mt19937 random(2);
  H264Assembly assembly;
  std::uint16_t sequence = 65500;
  for (int i = 0; i < 300; ++i) {
    Bytes nal(random() % 5000 + 1);
    for (Byte& b : nal) b = static_cast<Byte>(random());
    nal[0] = static_cast<Byte>(0x60 | (random() % 23 + 1));
    Bytes got;
    h264_packets(nal, 1200, [&](ByteView payload, bool) {
      EXPECT_TRUE(assembly.take(payload, sequence++, [&](ByteView n) { got.assign(n.begin(), n.end()); }));
    });
    ASSERT_EQ(got, nal);
  }
  EXPECT_EQ(assembly.incomplete(), 0u);
}

TEST(H264, units_that_have_lost_a_packet_are_thrown_away) {
  H264Assembly assembly;
  int got = 0;
  std::uint16_t sequence = 0;
  h264_packets(Bytes(100, 0x65), 20, [&](ByteView payload, bool) {
    if (++sequence != 3) assembly.take(payload, sequence, [&](ByteView) { ++got; });
  });
  EXPECT_EQ(got, 0);
  EXPECT_GE(assembly.incomplete(), 1u);
  assembly.take(Bytes{0x65, 1}, ++sequence, [&](ByteView) { ++got; });
  EXPECT_EQ(got, 1);
}

TEST(H264, reads_several_units_of_one_packet) {  // 5.7.1
  H264Assembly assembly;
  std::vector<Bytes> got;
  const auto keep = [&](ByteView n) { got.emplace_back(n.begin(), n.end()); };
  EXPECT_TRUE(assembly.take(Bytes{0x78, 0, 2, 0x67, 1, 0, 1, 0x68}, 0, keep));
  EXPECT_EQ(got, (std::vector<Bytes>{{0x67, 1}, {0x68}}));
  EXPECT_FALSE(assembly.take(Bytes{0x78, 0, 9, 0x67}, 1, keep));
  EXPECT_FALSE(assembly.take(Bytes{0x78, 0}, 2, keep));
}

TEST(H264, survives_any_payload_within_its_memory) {
  std::mt19937 random(4);
  H264Assembly assembly(1000);
  std::size_t largest = 0;
  for (int i = 0; i < 200000; ++i) {
    Bytes payload(random() % 50);
    for (Byte& b : payload) b = static_cast<Byte>(random());
    if (!payload.empty() && random() % 2) payload[0] = static_cast<Byte>(random() % 2 ? 0x7c : 0x78);
    assembly.take(payload, static_cast<std::uint16_t>(random() % 4 ? i : static_cast<int>(random())),
                  [&](ByteView n) { largest = std::max(largest, n.size()); });
  }
  EXPECT_LE(largest, 1000u);
}

TEST(Opus, packets_say_how_long_they_last) {     // RFC 6716, 3.1
  EXPECT_EQ(opus_duration(Bytes{0x78}), 960u);   // hybrid, 20 ms
  EXPECT_EQ(opus_duration(Bytes{0xfc}), 960u);   // CELT, 20 ms
  EXPECT_EQ(opus_duration(Bytes{0xe0}), 120u);   // CELT, 2.5 ms
  EXPECT_EQ(opus_duration(Bytes{0x18}), 2880u);  // SILK, 60 ms
  EXPECT_EQ(opus_duration(Bytes{0xfb, 3}), 3 * 960u);
  EXPECT_EQ(opus_duration(Bytes{0xfb}), 0u);
  EXPECT_EQ(opus_duration(Bytes{0xfb, 63}), 0u);  // more than 120 ms
  EXPECT_EQ(opus_duration({}), 0u);
}

Bytes page(Byte flags, const std::vector<std::size_t>& lacing, const std::string& body) {
  Bytes out{'O', 'g', 'g', 'S', 0, flags};
  out.resize(27);
  out[26] = static_cast<Byte>(lacing.size());
  for (const std::size_t size : lacing) out.push_back(static_cast<Byte>(size));
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

TEST(OggOpus, gives_packets_without_headers_also_over_pages) {
  OggOpus in;
  const auto push = [&](const Bytes& bytes) {
    for (const Byte b : bytes) in.push(ByteView(&b, 1));
  };
  push(page(2, {8}, "OpusHead"));
  push(page(0, {8}, "OpusTags"));
  push(Bytes{'j', 'u', 'n', 'k'});
  push(page(0, {3, 255}, "one" + std::string(255, 't')));
  push(page(1, {2}, "wo"));
  std::vector<std::string> got;
  for (Bytes packet; in.next(packet);) got.emplace_back(packet.begin(), packet.end());
  EXPECT_EQ(got, (std::vector<std::string>{"one", std::string(255, 't') + "wo"}));
  EXPECT_EQ(in.malformed(), 4u);
}

TEST(OggOpus, survives_any_bytes) {
  std::mt19937 random(6);
  for (int i = 0; i < 3000; ++i) {
    OggOpus in;
    Bytes bytes;
    for (int n = 0; n < 3; ++n) {
      Bytes one =
          page(static_cast<Byte>(random()), {random() % 256, random() % 256}, std::string(random() % 300, 'x'));
      if (random() % 2) one[random() % one.size()] = static_cast<Byte>(random());
      bytes.insert(bytes.end(), one.begin(), one.end());
    }
    in.push(bytes);
    for (Bytes packet; in.next(packet);) ASSERT_LE(packet.size(), 61440u);
  }
}

}  // namespace
}  // namespace callis::streams
