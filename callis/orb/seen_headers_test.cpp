// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/giop.h>
#include <callis/orb/seen_headers.h>
#include <gtest/gtest.h>

namespace callis::orb {
namespace {

using giop::Target;

struct Headers : ::testing::Test {
  SeenHeaders headers;
  const Limits limits;

  static std::vector<Byte> message(const std::string& operation, std::uint32_t id = 1, std::uint32_t argument = 42,
                                   ByteOrder order = kNativeOrder, Byte key = 1) {
    Buffer b;
    {
      cdr::Encoder e(b, order);
      const giop::Started s = giop::begin_request(
          e, giop::kGiop12, {.request_id = id, .target = Target::key({&key, 1}), .operation = operation});
      e.put_ulong(argument);
      EXPECT_EQ(giop::finish_message(e, s), Fault::None);
    }
    return {b.data(), b.data() + b.size()};
  }
  // Reads the message as a session does, and has its header kept.
  SeenHeaders::Seen* remember(const std::vector<Byte>& bytes) {
    giop::Connection engine(giop::Role::Server, limits);
    const giop::Event ev = engine.receive(bytes);
    EXPECT_EQ(ev.kind, giop::EventKind::Message);
    cdr::Budget budget = cdr::Budget::of(limits, bytes.size());
    cdr::Decoder d = ev.message.decoder(budget);
    giop::RequestHeader h;
    EXPECT_TRUE(giop::decode(d, giop::kGiop12, h, limits));
    return headers.remember(ev.message, h, d.remaining());
  }
  std::string find(const std::vector<Byte>& bytes) {
    const SeenHeaders::Seen* s = headers.find(bytes);
    return s ? std::string(s->header.operation) : "";
  }
};

TEST_F(Headers, are_unknown_at_first) { EXPECT_EQ(find(message("a")), ""); }

TEST_F(Headers, are_known_again_whatever_the_id_and_the_body) {
  remember(message("a", 1, 42));
  EXPECT_EQ(find(message("a", 77, 43)), "a");
}

TEST_F(Headers, of_alternating_operations_are_known) {
  for (const char* op : {"a", "bb", "a rather longer operation", "d"}) remember(message(op));
  for (int i = 0; i < 3; ++i)
    for (const char* op : {"d", "a", "a rather longer operation", "bb", "bb"}) EXPECT_EQ(find(message(op)), op);
}

TEST_F(Headers, differ_by_key_operation_and_byte_order) {
  remember(message("a"));
  EXPECT_EQ(find(message("b")), "");
  EXPECT_EQ(find(message("a", 1, 42, kNativeOrder, 2)), "");
  EXPECT_EQ(find(message("a", 1, 42, other(kNativeOrder))), "");
}

TEST_F(Headers, give_way_to_newer_ones_and_take_their_memos_along) {
  const int owner = 0;
  remember(message("0"))->memo.owner = &owner;
  for (std::size_t i = 1; i <= SeenHeaders::kCount; ++i)
    EXPECT_EQ(remember(message(std::to_string(i)))->memo.owner, nullptr);
  EXPECT_EQ(find(message("0")), "");
  EXPECT_EQ(find(message("1")), "1");
}

TEST_F(Headers, keep_their_memos) {
  const int owner = 0;
  remember(message("a"))->memo.owner = &owner;
  remember(message("b"));
  EXPECT_EQ(headers.find(message("a"))->memo.owner, &owner);
  EXPECT_EQ(headers.find(message("b"))->memo.owner, nullptr);
}

TEST_F(Headers, cut_short_are_not_recognised) {
  const auto m = message("a");
  remember(m);
  for (std::size_t n = 0; n < m.size() - 4; ++n) EXPECT_EQ(find({m.begin(), m.begin() + static_cast<long>(n)}), "") << n;
}

TEST_F(Headers, that_are_huge_are_not_kept) {
  EXPECT_EQ(remember(message(std::string(SeenHeaders::kMaxBytes, 'x'))), nullptr);
}

}  // namespace
}  // namespace callis::orb
