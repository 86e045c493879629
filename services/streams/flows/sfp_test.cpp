// SPDX-License-Identifier: Apache-2.0
// SFP 1.0, by A&V Streams 1.0, 2.4.
#include <gtest/gtest.h>
#include <services/streams/flows/sfp_protocol.h>
#include <services/streams/flows/testing/frames.h>
#include <algorithm>
#include <deque>
#include <random>
#include <string>

namespace callis::streams {
namespace {

using namespace std::chrono_literals;
using testing::view;
using Bytes = std::vector<Byte>;
using Time = FrameProtocol::Time;

template<class A>
Bytes bytes(const A& a) {
  return Bytes(a.begin(), a.end());
}

TEST(SfpMessage, is_written_byte_by_byte) {
  EXPECT_EQ(bytes(sfp_bytes(SfpStart{})), (Bytes{'=', 'S', 'T', 'A', 1, 0, 1}));
  EXPECT_EQ(bytes(sfp_bytes(SfpStartReply{true})), (Bytes{'=', 'S', 'T', 'R', 3}));
  EXPECT_EQ(bytes(sfp_bytes(SfpCredit{258})), (Bytes{'=', 'C', 'R', 'E', 2, 1, 0, 0}));
  SfpFrame frame;
  frame.type = SfpType::SequencedFrame;
  frame.sequence = 5;
  frame.data = view("abc");
  EXPECT_EQ(sfp_head(frame), (Bytes{'=', 'S', 'F', 'P', 1, 3, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0}));
  SfpFragment fragment;
  fragment.more = true;
  fragment.number = 1;
  fragment.sequence = 5;
  fragment.source = 9;
  fragment.data = view("defg");
  EXPECT_EQ(bytes(sfp_head(fragment)),
            (Bytes{'F', 'R', 'A', 'G', 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0}));
}

TEST(SfpMessage, is_read_in_both_orders) {
  const Bytes big{'=', 'S', 'F', 'P', 0, 4, 0, 0, 0, 0, 0, 26,  // Frame
                  0,   0,   0,   1,   0, 0, 0, 2, 0, 0, 0, 1,  0, 0, 0, 3, 0, 0, 0, 4, 'h', 'e', 'l', 'l', 'o', '!'};
  const auto read = parse_sfp(big);
  ASSERT_TRUE(read && std::holds_alternative<SfpFrame>(*read));
  const auto& frame = std::get<SfpFrame>(*read);
  EXPECT_EQ(frame.timestamp, 1u);
  EXPECT_EQ(frame.source, 2u);
  EXPECT_EQ(frame.sources, std::vector<std::uint32_t>{3});
  EXPECT_EQ(frame.sequence, 4u);
  EXPECT_EQ(frame.data.size(), 6u);
  SfpFrame copy = frame;
  Bytes little = sfp_head(copy);
  little.insert(little.end(), frame.data.begin(), frame.data.end());
  const auto again = parse_sfp(little);
  ASSERT_TRUE(again && std::holds_alternative<SfpFrame>(*again));
  EXPECT_EQ(std::get<SfpFrame>(*again).sources, frame.sources);
}

TEST(SfpMessage, that_is_malformed_is_none) {
  EXPECT_FALSE(parse_sfp({}));
  EXPECT_FALSE(parse_sfp(view("=SFP")));
  EXPECT_FALSE(parse_sfp(view("NOPE12345678")));
  EXPECT_FALSE(parse_sfp(Bytes{'=', 'S', 'F', 'P', 1, 2, 0, 0, 9, 0, 0, 0, 'a'}));  // size
  EXPECT_FALSE(parse_sfp(Bytes{'=', 'S', 'F', 'P', 1, 9, 0, 0, 0, 0, 0, 0}));       // type
  EXPECT_FALSE(parse_sfp(Bytes{'=', 'S', 'F', 'P', 1, 3, 0, 0, 1, 0, 0, 0, 'a'}));  // no room for the number
  EXPECT_FALSE(parse_sfp(Bytes{'=', 'S', 'F', 'P', 3, 2, 0, 0, 1, 0, 0, 0, 'a'}));  // pieces without number
  EXPECT_FALSE(parse_sfp(Bytes{'=', 'S', 'F', 'P', 1, 4, 0,   0,   16,  0,   0, 0, 0, 0,
                               0,   0,   0,   0,   0, 0, 255, 255, 255, 255, 0, 0, 0, 0}));  // sources
}

TEST(SfpMessage, survives_any_bytes) {
  std::mt19937 random(11);
  const char* magics[] = {"=SFP", "FRAG", "=STA", "=STR", "=CRE"};
  std::size_t good = 0;
  for (int i = 0; i < 200000; ++i) {
    Bytes in(4 + random() % 40);
    for (Byte& b : in) b = static_cast<Byte>(random() % 4 ? random() % 8 : random());
    std::copy_n(magics[random() % 5], 4, in.begin());
    if (in.size() >= 12) {
      in[8] = static_cast<Byte>(in.size() - 12);
      in[9] = in[10] = in[11] = 0;
    }
    if (parse_sfp(in)) ++good;
    sfp_size(in, 1000);
  }
  EXPECT_GT(good, 1000u);
}

SfpFrame first_piece(std::uint32_t sequence, const std::string& text) {
  SfpFrame out;
  out.type = SfpType::SequencedFrame;
  out.more = true;
  out.sequence = sequence;
  out.data = view(text);
  return out;
}
SfpFragment piece(std::uint32_t sequence, std::uint32_t number, bool more, const std::string& text) {
  return {more, number, sequence, 0, view(text)};
}

TEST(SfpAssembly, takes_pieces_in_any_order_and_once) {
  SfpAssembly assembly(1000);
  const std::string a = "a", b = "b", c = "c";
  EXPECT_FALSE(assembly.take(piece(1, 2, false, c)));
  EXPECT_FALSE(assembly.take(first_piece(1, a)));
  EXPECT_FALSE(assembly.take(first_piece(1, a)));
  const auto whole = assembly.take(piece(1, 1, true, b));
  ASSERT_TRUE(whole);
  EXPECT_EQ(std::string(whole->bytes.begin(), whole->bytes.end()), "abc");
}

TEST(SfpAssembly, gives_up_the_oldest_where_there_are_too_many) {
  SfpAssembly assembly(1000);
  const std::string a = "a", z = "z";
  for (std::uint32_t n = 0; n <= SfpAssembly::kMostFrames; ++n) assembly.take(first_piece(n, a));
  EXPECT_EQ(assembly.abandoned(), 1u);
  EXPECT_FALSE(assembly.take(piece(0, 1, false, z)));
  EXPECT_TRUE(assembly.take(piece(SfpAssembly::kMostFrames, 1, false, z)));
}

TEST(SfpAssembly, keeps_its_memory) {
  SfpAssembly assembly(100);
  const std::string half(60, 'h');
  assembly.take(first_piece(1, half));
  assembly.take(first_piece(2, half));  // the first goes
  EXPECT_EQ(assembly.abandoned(), 1u);
  EXPECT_FALSE(assembly.take(piece(2, 1, false, half)));  // more than all may have
  EXPECT_EQ(assembly.abandoned(), 2u);
}

// A producer and a consumer, and lines that keep what is sent.
struct Pair final : FrameReceiver {
  struct Kept final : Line {
    std::deque<Bytes> sent;
    bool data(ByteView head, ByteView body) override {
      Bytes all(head.begin(), head.end());
      all.insert(all.end(), body.begin(), body.end());
      sent.push_back(all);
      return true;
    }
    bool control(ByteView) override { return false; }
  } forth, back;
  SfpProtocol producer, consumer;
  std::vector<std::string> got;
  bool going = true;
  Time now{10s};

  static SfpSettings settings(bool producer, std::uint32_t credit, bool connection) {
    SfpSettings out;
    out.producer = producer;
    out.credit = credit;
    out.connection = connection;
    out.piece_bytes = 10;
    out.most_frame_bytes = 1000;
    return out;
  }
  explicit Pair(std::uint32_t credit = 0, bool connection = false)
      : producer(settings(true, credit, connection)), consumer(settings(false, credit, connection)) {}
  void receive(const Frame& frame) override { got.emplace_back(frame.data.begin(), frame.data.end()); }
  void ended(const char*) override {}
  void carry() {
    while (!forth.sent.empty() || !back.sent.empty()) {
      if (!forth.sent.empty()) {
        const Bytes one = forth.sent.front();
        forth.sent.pop_front();
        going = consumer.data(one, now, back, *this) && going;
      } else {
        const Bytes one = back.sent.front();
        back.sent.pop_front();
        producer.data(one, now, forth, *this);
      }
    }
  }
  Sent send(const std::string& text) {
    Frame frame;
    frame.data = view(text);
    return producer.send(frame, now, forth);
  }
};

TEST(Sfp, starts_and_carries_frames_in_pieces) {
  Pair p;
  EXPECT_EQ(p.send("early"), Sent::NotConnected);
  p.producer.open(p.now, p.forth);
  p.carry();
  const std::string longer(95, 'l');
  EXPECT_EQ(p.send("short"), Sent::Sent);
  EXPECT_EQ(p.send(longer), Sent::Sent);
  EXPECT_EQ(p.forth.sent.size(), 1u + 10u);
  p.carry();
  EXPECT_EQ(p.got, (std::vector<std::string>{"short", longer}));
  p.producer.close(p.now, p.forth, "");
  p.carry();
  EXPECT_FALSE(p.going);
}

TEST(Sfp, starts_again_where_the_first_message_was_lost) {
  Pair p;
  p.producer.open(p.now, p.forth);
  p.forth.sent.clear();
  p.now = p.producer.tick(p.now, p.forth);
  p.producer.tick(p.now, p.forth);
  p.carry();
  EXPECT_EQ(p.send("x"), Sent::Sent);
}

TEST(Sfp, frames_before_the_start_do_not_count) {
  Pair p, other;
  other.producer.open(p.now, other.forth);
  other.carry();
  other.send("sneaked in");
  p.consumer.data(other.forth.sent.front(), p.now, p.back, p);
  EXPECT_TRUE(p.got.empty());
  EXPECT_EQ(p.consumer.quality().ignored, 1u);
}

TEST(Sfp, stops_without_credit_and_goes_on_with_it) {
  Pair p(4);
  p.producer.open(p.now, p.forth);
  p.carry();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(p.send("f"), Sent::Sent);
  EXPECT_EQ(p.send("f"), Sent::NoCredit);
  p.carry();  // credit comes back
  EXPECT_EQ(p.send("f"), Sent::Sent);
}

TEST(Sfp, gives_credit_again_where_it_was_lost) {
  Pair p(2);
  p.producer.open(p.now, p.forth);
  p.carry();
  p.send("a");
  p.send("b");
  while (!p.forth.sent.empty()) {
    p.consumer.data(p.forth.sent.front(), p.now, p.back, p);
    p.forth.sent.pop_front();
  }
  p.back.sent.clear();
  EXPECT_EQ(p.send("c"), Sent::NoCredit);
  p.now = p.consumer.tick(p.now, p.back);
  p.consumer.tick(p.now, p.back);
  p.carry();
  EXPECT_EQ(p.send("c"), Sent::Sent);
}

TEST(Sfp, an_old_credit_counts_once) {
  Pair p(2);
  p.producer.open(p.now, p.forth);
  p.carry();
  p.producer.data(bytes(sfp_bytes(SfpCredit{7})), p.now, p.forth, p);
  p.send("a");
  p.send("b");
  p.producer.data(bytes(sfp_bytes(SfpCredit{7})), p.now, p.forth, p);
  EXPECT_EQ(p.send("c"), Sent::NoCredit);
}

TEST(Sfp, is_refused_in_another_version) {
  Pair p;
  EXPECT_FALSE(p.consumer.data(bytes(sfp_bytes(SfpStart{2, 0})), p.now, p.back, p));
  EXPECT_EQ(p.back.sent.front(), bytes(sfp_bytes(SfpStartReply{true})));
}

TEST(Sfp, counts_frames_that_were_lost) {
  Pair p;
  p.producer.open(p.now, p.forth);
  p.carry();
  for (int i = 0; i < 5; ++i) p.send("f");
  p.forth.sent.erase(p.forth.sent.begin() + 1, p.forth.sent.begin() + 3);
  p.carry();
  EXPECT_EQ(p.consumer.quality().received.lost, 2);
}

TEST(Sfp, is_cut_out_of_a_connections_bytes) {
  Pair p(0, true);
  p.producer.open(p.now, p.forth);
  p.carry();
  const std::string longer(300, 'x');
  for (int i = 0; i < 3; ++i) ASSERT_EQ(p.send(longer + std::to_string(i)), Sent::Sent);
  Bytes all;
  for (const Bytes& each : p.forth.sent) all.insert(all.end(), each.begin(), each.end());
  for (std::size_t at = 0, n = 1; at < all.size(); at += n, n = n * 2 % 101 + 1) {
    ASSERT_TRUE(p.consumer.data(ByteView(all).subspan(at, std::min(n, all.size() - at)), p.now, p.back, p));
  }
  ASSERT_EQ(p.got.size(), 3u);
  EXPECT_EQ(p.got[2], longer + "2");
}

TEST(Sfp, ends_a_connection_that_carries_something_else) {
  Pair p(0, true);
  EXPECT_FALSE(p.consumer.data(view("GET / HTTP/1.1\r\n"), p.now, p.back, p));
  EXPECT_EQ(p.consumer.quality().malformed, 1u);
}

}  // namespace
}  // namespace callis::streams
