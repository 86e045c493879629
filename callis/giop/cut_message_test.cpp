// SPDX-License-Identifier: Apache-2.0
// Messages that are sent in fragments (CORBA 3.3 part 2, 9.4.9), in 1.2.
#include <callis/giop/giop.h>
#include <callis/giop/testing/driver.h>
#include <gtest/gtest.h>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::Driver;
using testing::giop_message;
using testing::kBig;
using testing::kLimits;
using testing::kLittle;
using testing::operator+;

class Cut : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Giop, Cut, ::testing::Values(0u, 32u, 33u, 40u, 64u, 100u, 256u, 999u, 1000u, 4096u));

// A request of 1.2 with n body octets.
Buffer request_with(std::size_t n) {
  Buffer b;
  cdr::Encoder e(b, kBig);
  const Bytes key{'k', 'e', 'y'};
  const Started s =
      begin_request(e, kGiop12, {.request_id = 0x01020304, .target = Target::key(key), .operation = "put"});
  for (std::size_t i = 0; i < n; ++i) e.put_octet(static_cast<std::uint8_t>(i * 7));
  EXPECT_EQ(finish_message(e, s), Fault::None);
  return b;
}
Bytes joined(const FragmentedMessage& f) {
  Bytes all;
  for (const ByteView v : f.views()) all.insert(all.end(), v.begin(), v.end());
  return all;
}

TEST_P(Cut, PiecesAreShortEnoughAndJoinToTheSameMessage) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 24u, 500u, 952u, 953u, 5000u}) {
    Buffer whole = request_with(n);
    const Bytes body(whole.data() + kHeaderBytes, whole.data() + whole.size());
    FragmentedMessage f;
    ASSERT_EQ(f.cut({whole.data(), whole.size()}, GetParam()), Fault::None);
    const Bytes sent = joined(f);
    EXPECT_EQ(sent.size(), f.total_bytes());
    // Each piece by itself
    std::size_t pieces = 0;
    for (std::size_t at = 0; at < sent.size(); ++pieces) {
      MessageHeader h;
      ASSERT_EQ(parse_header(ByteView(sent).subspan(at), kLimits, h), Fault::None);
      EXPECT_LE(h.message_bytes(), std::max<std::size_t>(GetParam(), FragmentedMessage::kMinPieceBytes));
      EXPECT_TRUE(!h.more_fragments || h.message_bytes() % 8 == 0);
      at += h.message_bytes();
    }
    EXPECT_EQ(pieces, f.messages());
    Driver d(Role::Server);
    d.arrive(sent);
    ASSERT_EQ(d.seen.size(), 1u);
    ASSERT_EQ(d.last().kind, EventKind::Message) << to_string(d.last());
    EXPECT_EQ(d.last().body, body);
  }
}
TEST(CutMessage, DoesNotCopyTheBody) {
  Buffer whole = request_with(1000);
  FragmentedMessage f;
  ASSERT_EQ(f.cut({whole.data(), whole.size()}, 256), Fault::None);
  const Byte* next = whole.data();
  for (std::size_t i = 0; i < f.views().size(); i += 2) {
    EXPECT_EQ(f.views()[i].data(), next);
    next += f.views()[i].size();
  }
  EXPECT_EQ(next, whole.data() + whole.size());
}
TEST(CutMessage, IsExact) {
  Bytes whole = giop_message(kBig, 2, 1, "4:7 4:0 4:0 'abcdefghijklmnopqrst'");  // 44 octets
  FragmentedMessage f;
  ASSERT_EQ(f.cut(whole, 32), Fault::None);
  EXPECT_EQ(joined(f), giop_message(kBig, 2, 1, "4:7 4:0 4:0 'abcdefgh'", true) +
                           giop_message(kBig, 2, 7, "4:7 'ijklmnopqrst'"));
  Bytes little = giop_message(kLittle, 2, 1, "4:7 4:0 4:0 'abcdefghijklmnopqrst'");
  ASSERT_EQ(f.cut(little, 32), Fault::None);
  EXPECT_EQ(joined(f), giop_message(kLittle, 2, 1, "4:7 4:0 4:0 'abcdefgh'", true) +
                           giop_message(kLittle, 2, 7, "4:7 'ijklmnopqrst'"));
}
TEST(CutMessage, LeavesWhatIsShortEnoughAlone) {
  Bytes whole = giop_message(kBig, 2, 1, "4:7 4:0 4:0 'abcdefghi'");  // 33 octets
  const Bytes before = whole;
  FragmentedMessage f;
  ASSERT_EQ(f.cut(whole, 33), Fault::None);
  EXPECT_EQ(f.messages(), 1u);
  EXPECT_EQ(joined(f), before);
}
TEST(CutMessage, LeavesOlderVersionsAndOtherTypesAlone) {
  for (int minor = 0; minor <= 1; ++minor) {
    Bytes whole = giop_message(kBig, minor, 1, "4:0 4:7 4:0 'abcdefghijklmnopqrstuvwxyz'");
    FragmentedMessage f;
    ASSERT_EQ(f.cut(whole, 32), Fault::None);
    EXPECT_EQ(f.messages(), 1u);
  }
}
TEST(CutMessage, RefusesWhatIsNotOneWholeMessage) {
  FragmentedMessage f;
  Bytes half = giop_message(kBig, 2, 1, "4:7 4:0 4:0");
  half.pop_back();
  EXPECT_EQ(f.cut(half, 32), Fault::BadHeader);
  Bytes two = giop_message(kBig, 2, 1, "4:7 4:0 4:0") + giop_message(kBig, 2, 1, "4:7 4:0 4:0");
  EXPECT_EQ(f.cut(two, 32), Fault::BadHeader);
  EXPECT_TRUE(f.views().empty());
}

}  // namespace
}  // namespace callis::giop
