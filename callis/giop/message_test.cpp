// SPDX-License-Identifier: Apache-2.0
// The message header (CORBA 3.3 part 2, 9.4.1).
#include <callis/giop/giop.h>
#include <callis/giop/testing/wire.h>
#include <gtest/gtest.h>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::giop_message;
using testing::kLimits;
using testing::wire;

Fault parse(const Bytes& b) {
  MessageHeader h;
  return parse_header(b, kLimits, h);
}
Bytes header(const char* notation) { return wire(ByteOrder::Big, notation); }

TEST(MessageHeader, IsReadInBothOrders) {
  for (const ByteOrder o : {ByteOrder::Big, ByteOrder::Little}) {
    MessageHeader h;
    ASSERT_EQ(parse_header(wire(o, "'GIOP' 01 02 F+ 01 4:0x10204"), kLimits, h), Fault::None);
    EXPECT_EQ(h, (MessageHeader{kGiop12, o, true, MessageType::Reply, 0x10204}));
    EXPECT_EQ(h.message_bytes(), 12u + 0x10204);
  }
}
TEST(MessageHeader, IsWrittenInBothOrders) {
  Byte b[kHeaderBytes];
  write_header(b, {kGiop11, ByteOrder::Little, true, MessageType::Fragment, 0x01020304});
  EXPECT_EQ(Bytes(b, b + 12), header("'GIOP' 01 01 03 07 04030201"));
  write_header(b, {kGiop10, ByteOrder::Big, false, MessageType::Request, 0x01020304});
  EXPECT_EQ(Bytes(b, b + 12), header("'GIOP' 01 00 00 00 01020304"));
}
TEST(MessageHeader, NeedsTwelveBytes) {
  const Bytes b = header("'GIOP' 01 02 00 00 00000000");
  for (std::size_t n = 0; n < 12; ++n)
    EXPECT_EQ(parse(Bytes(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n))), Fault::Truncated);
  EXPECT_EQ(parse(b), Fault::None);
}
TEST(MessageHeader, RefusesOtherMagicAtTheFirstWrongByte) {
  EXPECT_EQ(parse(header("'GIOX' 01 02 00 00 00000000")), Fault::BadMagic);
  EXPECT_EQ(parse(header("'giop' 01 02 00 00 00000000")), Fault::BadMagic);
  EXPECT_EQ(parse(header("'GET'")), Fault::BadMagic);
  EXPECT_EQ(parse(header("'ZIOP' 01 02 00 00 00000000")), Fault::BadMagic);
  EXPECT_EQ(parse(header("16")), Fault::BadMagic);  // a TLS handshake
}
TEST(MessageHeader, RefusesVersionsAbove12) {
  EXPECT_EQ(parse(header("'GIOP' 01 03 00 00 00000000")), Fault::BadVersion);
  EXPECT_EQ(parse(header("'GIOP' 01 ff 00 00 00000000")), Fault::BadVersion);
}
TEST(MessageHeader, RefusesOtherMajorVersions) {
  EXPECT_EQ(parse(header("'GIOP' 00 02 00 00 00000000")), Fault::BadVersion);
  EXPECT_EQ(parse(header("'GIOP' 02 00 00 00 00000000")), Fault::BadVersion);
}
TEST(MessageHeader, OfVersion10HasABooleanForTheByteOrder) {
  EXPECT_EQ(parse(header("'GIOP' 01 00 00 00 00000000")), Fault::None);
  EXPECT_EQ(parse(header("'GIOP' 01 00 01 00 00000000")), Fault::None);
  for (const char* f : {"02", "03", "04", "80", "ff"}) {
    EXPECT_EQ(parse(header((std::string("'GIOP' 01 00 ") + f + " 00 00000000").c_str())), Fault::BadHeader) << f;
  }
}
TEST(MessageHeader, RefusesEachOfTheSixReservedFlagBits) {
  for (int minor = 1; minor <= 2; ++minor) {
    for (int bit = 2; bit < 8; ++bit) {
      Bytes b = header("'GIOP' 01 01 00 00 00000000");
      b[5] = static_cast<Byte>(minor);
      b[6] = static_cast<Byte>(1 << bit);
      EXPECT_EQ(parse(b), Fault::BadHeader) << minor << " bit " << bit;
    }
  }
}
TEST(MessageHeader, RefusesUnknownTypes) {
  EXPECT_EQ(parse(header("'GIOP' 01 00 00 07 00000000")), Fault::BadMessageType);  // Fragment came with 1.1
  EXPECT_EQ(parse(header("'GIOP' 01 01 00 07 00000000")), Fault::None);
  EXPECT_EQ(parse(header("'GIOP' 01 01 00 08 00000000")), Fault::BadMessageType);
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 08 00000000")), Fault::BadMessageType);
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 ff 00000000")), Fault::BadMessageType);
}
// 9.4.9: in 1.1 requests and replies, in 1.2 also the locate messages
TEST(MessageHeader, RefusesMoreFragmentsWhereThereAreNone) {
  const auto with_more = [](int minor, int type) {
    return parse(giop_message(ByteOrder::Big, minor, type, "4:1", true));
  };
  for (const int type : {0, 1, 7}) EXPECT_EQ(with_more(1, type), Fault::None) << type;
  for (const int type : {2, 3, 4, 6}) EXPECT_EQ(with_more(1, type), Fault::BadHeader) << type;
  for (const int type : {0, 1, 3, 4, 7}) EXPECT_EQ(with_more(2, type), Fault::None) << type;
  for (const int type : {2, 6}) EXPECT_EQ(with_more(2, type), Fault::BadHeader) << type;
}
TEST(MessageHeader, HoldsToTheLimitOfMessageBytes) {
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 00 01000000")), Fault::None);
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 00 01000001")), Fault::LimitExceeded);
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 00 ffffffff")), Fault::LimitExceeded);
}
TEST(MessageHeader, OfAMessageThatTheMachineCannotAddressIsRefused) {
  Limits none;
  none.max_message_bytes = SIZE_MAX;
  MessageHeader h;
  EXPECT_EQ(parse_header(header("'GIOP' 01 02 00 00 fffffff3"), none, h), Fault::None);
  EXPECT_EQ(h.message_bytes(), 0xffffffff);
  const Fault expected = sizeof(std::size_t) > 4 ? Fault::None : Fault::LimitExceeded;
  EXPECT_EQ(parse_header(header("'GIOP' 01 02 00 00 fffffff4"), none, h), expected);
  EXPECT_EQ(parse_header(header("'GIOP' 01 02 00 00 ffffffff"), none, h), expected);
}
TEST(MessageHeader, OfCloseConnectionHasNoBody) {  // 9.4.7
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 05 00000000")), Fault::None);
  EXPECT_EQ(parse(header("'GIOP' 01 02 00 05 00000001")), Fault::BadHeader);
}

TEST(WholeMessages, AreWrittenExactly) {
  for (const ByteOrder o : {ByteOrder::Big, ByteOrder::Little}) {
    for (const Version v : {kGiop10, kGiop11, kGiop12}) {
      const auto close = close_connection(v, o);
      EXPECT_EQ(Bytes(close.begin(), close.end()), giop_message(o, v.minor, 5, ""));
      const auto error = message_error(v, o);
      EXPECT_EQ(Bytes(error.begin(), error.end()), giop_message(o, v.minor, 6, ""));
      const auto cancel = cancel_request(v, 0x01020304, o);
      EXPECT_EQ(Bytes(cancel.begin(), cancel.end()), giop_message(o, v.minor, 2, "4:0x01020304"));
    }
  }
}

TEST(Writer, AppendsBehindWholeMessagesWithItsOwnAlignment) {
  Buffer b;
  ASSERT_TRUE(b.append(Bytes(5, 0xEE)));  // an odd length: alignment must start afresh
  cdr::Encoder e(b, ByteOrder::Big);
  const Bytes key = {'k'};
  const Started s = begin_request(e, kGiop12, {.request_id = 1, .target = Target::key(key), .operation = "f"});
  EXPECT_EQ(s.at, 5u);
  EXPECT_EQ((s.body - s.at) % 8, 0u);
  e.put(std::uint64_t{0x1122334455667788});
  ASSERT_EQ(finish_message(e, s), Fault::None);
  const Bytes message(b.data() + 5, b.data() + b.size());
  EXPECT_EQ(message, giop_message(ByteOrder::Big, 2, 0,
                                  "4:1 03 000000 2:0 0000 4:1 'k' 000000 4:2 'f' 00 0000 4:0 00000000 "
                                  "1122334455667788"));
}
TEST(Writer, DropsPaddingInFrontOfAnEmptyBody) {  // 9.4.3.1
  Buffer b;
  cdr::Encoder e(b, ByteOrder::Big);
  const ServiceContext c{9, {}};
  const Started s = begin_reply(e, kGiop12, 7, ReplyStatus::NoException, {&c, 1});
  ASSERT_EQ(finish_message(e, s), Fault::None);
  EXPECT_EQ(Bytes(b.data(), b.data() + b.size()), giop_message(ByteOrder::Big, 2, 1, "4:7 4:0 4:1 4:9 4:0"));
}
TEST(Writer, TellsWhereTheRequestIdStands) {
  for (const Version v : {kGiop10, kGiop11, kGiop12}) {
    Buffer b;
    cdr::Encoder e(b, ByteOrder::Big);
    const Bytes odd(3, 1);
    const ServiceContext c{17, odd};
    const Started s =
        begin_request(e, v, {.request_id = 0xA1B2C3D4, .target = {}, .operation = "f", .contexts = {&c, 1}});
    ASSERT_EQ(finish_message(e, s), Fault::None);
    EXPECT_EQ(load<std::uint32_t>(b.data() + s.request_id_at, kNativeOrder == ByteOrder::Little), 0xA1B2C3D4u);
  }
}
TEST(Writer, LeavesOnlyWholeMessagesAfterAFault) {
  Buffer b;
  ASSERT_TRUE(b.append(Bytes(16, 0xEE)));
  cdr::Encoder e(b, ByteOrder::Big);
  const Started s = begin_reply(e, kGiop11, 7, ReplyStatus::NeedsAddressingMode);
  EXPECT_EQ(finish_message(e, s), Fault::Unsupported);
  EXPECT_EQ(b.size(), 16u);
}
TEST(Writer, RefusesATargetThatIsNotThere) {
  Buffer b;
  cdr::Encoder e(b);
  const ior::Ior one{"", {{0, {}}}};
  const Started s = begin_locate_request(e, kGiop12, 1, Target::of_reference(one, 1));
  EXPECT_EQ(finish_message(e, s), Fault::NullPointer);
}

TEST(Names, OfTypesAndStatus) {
  EXPECT_STREQ(message_type_name(MessageType::LocateReply), "LocateReply");
  EXPECT_STREQ(reply_status_name(ReplyStatus::LocationForward), "LOCATION_FORWARD");
  EXPECT_STREQ(locate_status_name(LocateStatus::ObjectHere), "OBJECT_HERE");
}

}  // namespace
}  // namespace callis::giop
