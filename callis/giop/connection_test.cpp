// SPDX-License-Identifier: Apache-2.0
// The connection state machine (CORBA 3.3 part 2, 9.4 and 9.5).
#include <callis/giop/giop.h>
#include <callis/giop/testing/driver.h>
#include <gtest/gtest.h>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::Driver;
using testing::giop_message;
using testing::kBig;
using testing::wire;
using testing::operator+;

const char* const kRequestBody = "4:7 03 000000 2:0 0000 4:2 'k1' 0000 4:2 'f' 00 0000 4:0";
Bytes request12() { return giop_message(kBig, 2, 0, kRequestBody); }
Bytes request10() { return giop_message(kBig, 0, 0, "4:0 4:7 01 000000 4:2 'k1' 0000 4:2 'f' 00 0000 4:0"); }
Bytes reply12() { return giop_message(kBig, 2, 1, "4:7 4:0 4:0"); }

// What a peer gets before the connection is closed on it.
Bytes error_message(Version v) { return giop_message(kNativeOrder, v.minor, 6, ""); }

void expect_refused(Role role, const Bytes& bytes, Fault fault, Version answer) {
  Driver d(role);
  d.arrive(bytes);
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.last().kind, EventKind::ProtocolError) << to_string(d.last());
  EXPECT_EQ(d.last().fault, fault) << fault_name(d.last().fault);
  EXPECT_EQ(d.last().body, error_message(answer));
  EXPECT_EQ(d.connection.state(), State::Closed);
  EXPECT_EQ(d.connection.end_fault(), fault);
}
void expect_accepted(Role role, const Bytes& bytes) {
  Driver d(role);
  d.arrive(bytes);
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.last().kind, EventKind::Message) << to_string(d.last());
  EXPECT_EQ(d.unconsumed(), 0u);
}

// --- Messages and buffers

TEST(Connection, YieldsAWholeMessageWithoutCopyingIt) {
  const Limits limits;
  Connection c(Role::Server, limits);
  const Bytes b = request12() + request12();
  const Event first = c.receive(b);
  ASSERT_EQ(first.kind, EventKind::Message);
  EXPECT_EQ(first.consumed, b.size() / 2);
  EXPECT_EQ(first.message.body.data(), b.data() + kHeaderBytes);
  EXPECT_FALSE(first.message.reassembled);
  const Event second = c.receive(ByteView(b).subspan(first.consumed));
  ASSERT_EQ(second.kind, EventKind::Message);
  EXPECT_EQ(second.message.body.data(), b.data() + first.consumed + kHeaderBytes);
  EXPECT_EQ(c.receive({}).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.counts().messages, 2u);
}
TEST(Connection, WantsAHeaderAndThenTheMessage) {
  const Limits limits;
  Connection c(Role::Server, limits);
  const Bytes b = request12();
  EXPECT_EQ(c.receive({}).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), kHeaderBytes);
  EXPECT_FALSE(c.in_message());
  EXPECT_EQ(c.receive(ByteView(b).subspan(0, 1)).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), kHeaderBytes);
  EXPECT_TRUE(c.in_message());
  EXPECT_EQ(c.receive(ByteView(b).subspan(0, 12)).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), b.size());
  EXPECT_EQ(c.receive(b).kind, EventKind::Message);
  EXPECT_FALSE(c.in_message());
}
TEST(Connection, CommitsAtMost64KiBToAHeaderAndGrowsWithWhatComes) {
  const Limits limits;
  Connection c(Role::Server, limits);
  Bytes b = wire(kBig, "'GIOP' 01 02 00 00 01000000");  // claims 16 MiB
  ASSERT_EQ(c.receive(b).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), 64u * 1024);
  b.resize(40 * 1024);
  ASSERT_EQ(c.receive(b).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), 80u * 1024);
  b.resize(12 * 1024 * 1024);
  ASSERT_EQ(c.receive(b).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), (16u << 20) + kHeaderBytes);
}
// What a small message after a large one gets room for, again and again.
TEST(Connection, WantsAHeaderAgainWhenALargeMessageHasBeenTaken) {
  const Limits limits;
  Connection c(Role::Server, limits);
  Bytes b = request12();
  b.resize(1 << 20);
  const std::size_t body = b.size() - kHeaderBytes;
  for (std::size_t i = 0; i < 4; ++i) b[8 + i] = static_cast<Byte>(body >> (24 - 8 * i));  // big-endian
  ASSERT_EQ(c.receive(ByteView(b).subspan(0, b.size() - 1)).kind, EventKind::NeedBytes);
  EXPECT_EQ(c.wanted_bytes(), b.size());
  ASSERT_EQ(c.receive(b).kind, EventKind::Message);
  EXPECT_EQ(c.wanted_bytes(), kHeaderBytes);
  EXPECT_EQ(c.message_bytes(), kHeaderBytes);
}
TEST(Connection, TakesAMessageOfExactlyTheLimitAndRefusesOneByteMore) {
  Limits limits;
  limits.max_message_bytes = 100;
  for (const std::size_t n : {100u, 101u}) {
    Connection c(Role::Client, limits);
    Bytes b = giop_message(kBig, 2, 1, "");
    b[11] = static_cast<Byte>(n);
    b.resize(12 + n);
    const Event ev = c.receive(b);
    EXPECT_EQ(ev.kind, n == 100 ? EventKind::Message : EventKind::ProtocolError);
    EXPECT_EQ(ev.fault, n == 100 ? Fault::None : Fault::LimitExceeded);
  }
}

// --- Versions and malformed headers (9.4.1, 9.4.8)

TEST(Connection, AnswersAHigherMinorVersionWithItsHighest) {
  expect_refused(Role::Server, wire(kBig, "'GIOP' 01 03 00 00 00000000"), Fault::BadVersion, kGiop12);
  expect_refused(Role::Client, wire(kBig, "'GIOP' 01 04 00 01 00000000"), Fault::BadVersion, kGiop12);
}
TEST(Connection, AnswersAnUnknownMajorVersion) {
  expect_refused(Role::Server, wire(kBig, "'GIOP' 02 00 00 00 00000000"), Fault::BadVersion, kGiop12);
}
TEST(Connection, AnswersWrongMagicWithTheVersionThatEverybodyKnows) {
  expect_refused(Role::Server, wire(kBig, "'GET / HTTP/1.1' 0d0a"), Fault::BadMagic, kGiop10);
  expect_refused(Role::Server, wire(kBig, "'X'"), Fault::BadMagic, kGiop10);
}
TEST(Connection, AnswersAnUnknownTypeInTheVersionOfTheMessage) {
  expect_refused(Role::Server, wire(kBig, "'GIOP' 01 01 00 08 00000000"), Fault::BadMessageType, kGiop11);
  expect_refused(Role::Server, wire(kBig, "'GIOP' 01 00 00 07 00000000"), Fault::BadMessageType, kGiop10);
}
TEST(Connection, AnswersReservedFlagBits) {
  expect_refused(Role::Server, wire(kBig, "'GIOP' 01 02 04 00 00000000"), Fault::BadHeader, kGiop12);
  expect_refused(Role::Server, wire(kBig, "'GIOP' 01 00 02 00 00000000"), Fault::BadHeader, kGiop10);
}
TEST(Connection, AnswersAnOversizeMessageOnItsHeaderAlone) {
  expect_refused(Role::Server, wire(kBig, "'GIOP' 01 02 00 00 fffffff3"), Fault::LimitExceeded, kGiop12);
}
TEST(Connection, TakesEveryVersionOnOneConnection) {
  Driver d(Role::Server);
  d.arrive(request12() + request10() + request12());
  EXPECT_EQ(d.seen.size(), 3u);
  EXPECT_EQ(d.seen[1].header.version, kGiop10);
}
TEST(Connection, TakesBothByteOrdersOnOneConnection) {
  Driver d(Role::Server);
  d.arrive(giop_message(ByteOrder::Little, 2, 0, kRequestBody) + request12());
  EXPECT_EQ(d.seen.size(), 2u);
}

// --- Directions (9.4, table of originators)

TEST(Connection, ServerTakesRequestsOnly) {
  expect_accepted(Role::Server, request12());
  expect_accepted(Role::Server, giop_message(kBig, 0, 3, "4:7 4:2 'k1'"));
  expect_accepted(Role::Server, giop_message(kBig, 1, 2, "4:7"));
  for (int minor = 0; minor <= 2; ++minor) {
    const Version v{1, static_cast<std::uint8_t>(minor)};
    expect_refused(Role::Server, giop_message(kBig, minor, 1, "4:7 4:0 4:0"), Fault::BadMessageType, v);
    expect_refused(Role::Server, giop_message(kBig, minor, 4, "4:7 4:1"), Fault::BadMessageType, v);
  }
}
TEST(Connection, ClientTakesRepliesOnly) {
  expect_accepted(Role::Client, reply12());
  expect_accepted(Role::Client, giop_message(kBig, 0, 4, "4:7 4:1"));
  for (const int type : {0, 2, 3}) {
    expect_refused(Role::Client, giop_message(kBig, 2, type, "4:7"), Fault::BadMessageType, kGiop12);
  }
}
TEST(Connection, RefusesTheWrongDirectionBeforeTheBodyCame) {
  Driver d(Role::Server);
  d.arrive(wire(kBig, "'GIOP' 01 02 00 01 00100000"));
  EXPECT_EQ(d.last().fault, Fault::BadMessageType);
}
TEST(Connection, CancelRequestHoldsAnIdAndNothingElse) {
  expect_refused(Role::Server, giop_message(kBig, 2, 2, ""), Fault::BadHeader, kGiop12);
  expect_refused(Role::Server, giop_message(kBig, 2, 2, "4:7 4:8"), Fault::BadHeader, kGiop12);
}

// --- CloseConnection (9.4.7) and MessageError (9.4.8)

TEST(Connection, ClientIsClosedByTheServerInEveryVersion) {
  for (int minor = 0; minor <= 2; ++minor) {
    Driver d(Role::Client);
    d.arrive(giop_message(kBig, minor, 5, ""));
    EXPECT_EQ(d.last().kind, EventKind::PeerClosing);
    EXPECT_EQ(d.connection.end_fault(), Fault::ConnectionClosed);
  }
}
TEST(Connection, ServerIsClosedByAClientOf12Only) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 2, 5, ""));
  EXPECT_EQ(d.last().kind, EventKind::PeerClosing);
  expect_refused(Role::Server, giop_message(kBig, 0, 5, ""), Fault::BadMessageType, kGiop10);
  expect_refused(Role::Server, giop_message(kBig, 1, 5, ""), Fault::BadMessageType, kGiop11);
}
TEST(Connection, NothingIsTakenInAfterCloseConnection) {
  Driver d(Role::Client);
  d.arrive(giop_message(kBig, 2, 5, "") + reply12());
  EXPECT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.unconsumed(), reply12().size());
}
TEST(Connection, MessageErrorEndsBothRolesWithoutAnAnswer) {
  for (const Role role : {Role::Client, Role::Server}) {
    Driver d(role);
    d.arrive(giop_message(kBig, 1, 6, ""));
    EXPECT_EQ(d.last().kind, EventKind::PeerError);
    EXPECT_EQ(d.last().header.version, kGiop11);  // the most that the peer speaks
    EXPECT_TRUE(d.last().body.empty());
    EXPECT_EQ(d.connection.state(), State::Closed);
    EXPECT_EQ(d.connection.end_fault(), Fault::ConnectionLost);
  }
}
TEST(Connection, RepliesInFrontOfCloseConnectionAreYielded) {
  Driver d(Role::Client);
  d.arrive(reply12() + giop_message(kBig, 2, 5, ""));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(d.seen[0].kind, EventKind::Message);
  EXPECT_EQ(d.seen[1].kind, EventKind::PeerClosing);
}
TEST(Connection, LossEndsItOnceAndKeepsTheFirstReason) {
  Driver d(Role::Client);
  d.connection.lost();
  EXPECT_EQ(d.connection.end_fault(), Fault::ConnectionLost);
  d.connection.lost(Fault::TransportFailed);
  EXPECT_EQ(d.connection.end_fault(), Fault::ConnectionLost);
  d.arrive(reply12());
  EXPECT_TRUE(d.seen.empty());
}
TEST(Connection, TheCallerRefusesAMessageItCannotDecode) {
  const Limits limits;
  Connection c(Role::Server, limits);
  const ByteView answer = c.refuse(kGiop11, Fault::Truncated);
  EXPECT_EQ(Bytes(answer.begin(), answer.end()), error_message(kGiop11));
  EXPECT_EQ(c.state(), State::Closed);
  EXPECT_EQ(c.end_fault(), Fault::Truncated);
}

// --- Draining

TEST(Draining, ServerDropsNewRequestsAndThenSaysGoodbye) {
  Driver d(Role::Server);
  d.arrive(request12());
  d.connection.started();
  d.connection.begin_drain();
  EXPECT_EQ(d.connection.state(), State::Draining);
  d.arrive(request12() + giop_message(kBig, 2, 3, "4:9 2:0 0000 4:2 'k1'"));
  EXPECT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.connection.counts().dropped_requests, 2u);
  EXPECT_TRUE(d.connection.finish_drain().empty());  // a request is unanswered (9.4.7)
  EXPECT_EQ(d.connection.state(), State::Draining);
  d.connection.answered();
  const ByteView bye = d.connection.finish_drain();
  EXPECT_EQ(Bytes(bye.begin(), bye.end()), giop_message(kNativeOrder, 2, 5, ""));
  EXPECT_EQ(d.connection.state(), State::Closed);
  EXPECT_EQ(d.connection.end_fault(), Fault::ConnectionClosed);
}
TEST(Draining, CancelRequestsStillCount) {
  Driver d(Role::Server);
  d.connection.begin_drain();
  d.arrive(giop_message(kBig, 2, 2, "4:7"));
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.last().header.type, MessageType::CancelRequest);
}
TEST(Draining, GoodbyeIsInTheVersionThatThePeerSpeaks) {
  Driver d(Role::Server);
  d.arrive(request10());
  d.connection.begin_drain();
  const ByteView bye = d.connection.finish_drain();
  EXPECT_EQ(Bytes(bye.begin(), bye.end()), giop_message(kNativeOrder, 0, 5, ""));
  Driver silent(Role::Server);
  silent.connection.begin_drain();
  const ByteView first = silent.connection.finish_drain();
  EXPECT_EQ(Bytes(first.begin(), first.end()), giop_message(kNativeOrder, 0, 5, ""));
}
TEST(Draining, ClientGetsItsRepliesAndMaySayGoodbyeIn12) {
  Driver d(Role::Client);
  d.connection.begin_drain();
  d.arrive(reply12());
  EXPECT_EQ(d.last().kind, EventKind::Message);
  EXPECT_EQ(d.connection.finish_drain().size(), kHeaderBytes);
}
TEST(Draining, ClientOfAnOlderServerClosesSilently) {
  Driver d(Role::Client);
  d.arrive(giop_message(kBig, 1, 1, "4:0 4:7 4:0"));
  d.connection.begin_drain();
  EXPECT_TRUE(d.connection.finish_drain().empty());
  EXPECT_EQ(d.connection.state(), State::Closed);
}
TEST(Draining, DoesNotFinishWithoutHavingBegun) {
  Driver d(Role::Server);
  EXPECT_TRUE(d.connection.finish_drain().empty());
  EXPECT_EQ(d.connection.state(), State::Open);
}
TEST(Draining, AFaultStillEndsIt) {
  Driver d(Role::Server);
  d.connection.begin_drain();
  d.arrive(wire(kBig, "'XXXX'"));
  EXPECT_EQ(d.last().kind, EventKind::ProtocolError);
  EXPECT_EQ(d.connection.state(), State::Closed);
}
TEST(Draining, AFragmentedRequestThatEndsThereIsDropped) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 2, 0, "4:7 03 000000 2:0 0000 4:4 'abcd'", true));
  d.connection.begin_drain();
  d.arrive(giop_message(kBig, 2, 7, "4:7 4:0") + giop_message(kBig, 2, 3, "4:8 2:0 0000 4:4", true) +
           giop_message(kBig, 2, 7, "4:8 'abcd'"));
  EXPECT_TRUE(d.seen.empty());
  EXPECT_EQ(d.connection.counts().dropped_requests, 2u);
  EXPECT_EQ(d.connection.reassembly_bytes(), 0u);
}

// --- Bidirectional (9.8)

Bytes cancel12() { return giop_message(kBig, 2, 2, "4:7"); }
Bytes locate_request12() { return giop_message(kBig, 2, 3, "4:7 2:0 0000 4:2 'k1'"); }
Bytes locate_reply12() { return giop_message(kBig, 2, 4, "4:7 4:1"); }

TEST(BidirectionalGiop, EitherRoleTakesWhatBothRolesDo) {
  for (const Role role : {Role::Client, Role::Server}) {
    for (const Bytes& m : {request12(), reply12(), cancel12(), locate_request12(), locate_reply12()}) {
      Driver d(role);
      d.connection.go_bidirectional();
      d.arrive(m);
      ASSERT_EQ(d.seen.size(), 1u);
      EXPECT_EQ(d.last().kind, EventKind::Message) << to_string(d.last());
    }
  }
}
TEST(BidirectionalGiop, IsFor12Only) {
  Driver client(Role::Client), server(Role::Server);
  client.connection.go_bidirectional();
  server.connection.go_bidirectional();
  client.arrive(request10());
  EXPECT_EQ(client.last().fault, Fault::BadMessageType);
  server.arrive(giop_message(kBig, 1, 1, "4:0 4:7 4:0"));
  EXPECT_EQ(server.last().fault, Fault::BadMessageType);
}
TEST(BidirectionalGiop, FragmentsOfRequestsAndRepliesMayAlternate) {
  Driver d(Role::Client);
  d.connection.go_bidirectional();
  d.arrive(giop_message(kBig, 2, 1, "4:2 4:0 4:0 4:0 4:0", true));  // a reply to request 2
  d.arrive(giop_message(kBig, 2, 0, "4:3 03 000000 2:0 0000 4:2 'k1' 0000", true));
  d.arrive(giop_message(kBig, 2, 7, "4:2 4:1"));
  EXPECT_EQ(d.last().header.type, MessageType::Reply);
  d.arrive(giop_message(kBig, 2, 7, "4:3 4:2 'f' 00 0000 4:0"));
  EXPECT_EQ(d.last().header.type, MessageType::Request);
  EXPECT_EQ(d.last().kind, EventKind::Message);
}
TEST(BidirectionalGiop, CancellingARequestLeavesTheReplyWithItsIdAlone) {
  Driver d(Role::Client);
  d.connection.go_bidirectional();
  d.arrive(giop_message(kBig, 2, 1, "4:7 4:0 4:0 4:0 4:0", true));
  d.arrive(cancel12());
  d.arrive(giop_message(kBig, 2, 7, "4:7 4:1"));
  EXPECT_EQ(d.last().kind, EventKind::Message);
  EXPECT_EQ(d.last().header.type, MessageType::Reply);
}
TEST(BidirectionalGiop, WhoDrainsDropsRequestsAndTakesReplies) {  // 9.5.1.1
  for (const Role role : {Role::Client, Role::Server}) {
    Driver d(role);
    d.connection.go_bidirectional();
    d.arrive(request12());
    d.connection.begin_drain();
    d.arrive(request12() + reply12());
    ASSERT_EQ(d.seen.size(), 2u);
    EXPECT_EQ(d.last().header.type, MessageType::Reply);
    EXPECT_EQ(d.connection.counts().dropped_requests, 1u);
    const ByteView farewell = d.connection.finish_drain();
    EXPECT_EQ(Bytes(farewell.begin(), farewell.end()), giop_message(kNativeOrder, 2, 5, ""));
  }
}

}  // namespace
}  // namespace callis::giop
