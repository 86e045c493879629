// SPDX-License-Identifier: Apache-2.0
// Fragments (CORBA 3.3 part 2, 9.4.9) as they are received, in 1.1 and 1.2.
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
using testing::octets;
using testing::operator+;

std::string id(int n) { return "4:" + std::to_string(n) + " "; }
// A first piece of 1.2 with 8 octets behind the id, so that its length is a multiple of 8.
Bytes first(int n, int type = 0, ByteOrder o = kBig) { return giop_message(o, 2, type, id(n) + "'aaaaaaaa'", true); }
Bytes middle(int n) { return giop_message(kBig, 2, 7, id(n) + "'bbbbbbbb'", true); }
Bytes last(int n) { return giop_message(kBig, 2, 7, id(n) + "'ccc'"); }
Bytes text_behind_id(const testing::Seen& s) { return Bytes(s.body.begin() + 4, s.body.end()); }

void expect_fault(Driver& d, Fault f) {
  ASSERT_FALSE(d.seen.empty());
  EXPECT_EQ(d.last().kind, EventKind::ProtocolError) << to_string(d.last());
  EXPECT_EQ(d.last().fault, f) << fault_name(d.last().fault);
  EXPECT_EQ(d.connection.reassemblies(), 0u);
  EXPECT_EQ(d.connection.reassembly_bytes(), 0u);
}

// --- 1.2

TEST(Fragments12, AreJoinedWithoutTheirHeaders) {
  Driver d(Role::Server);
  d.arrive(first(7) + middle(7) + last(7));
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(text_behind_id(d.last()), octets("aaaaaaaabbbbbbbbccc"));
  EXPECT_EQ(d.last().header, (MessageHeader{kGiop12, kBig, false, MessageType::Request, 23}));
  EXPECT_EQ(d.connection.counts().fragments, 2u);
}
TEST(Fragments12, OfSeveralMessagesInterleave) {
  Driver d(Role::Server);
  d.arrive(first(1) + first(2, 3) + middle(2) + middle(1) + last(2) + last(1));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(d.seen[0].header.type, MessageType::LocateRequest);
  EXPECT_EQ(d.seen[1].header.type, MessageType::Request);
  EXPECT_EQ(text_behind_id(d.seen[1]), octets("aaaaaaaabbbbbbbbccc"));
}
TEST(Fragments12, LetWholeMessagesThrough) {
  Driver d(Role::Server);
  d.arrive(first(1) + giop_message(kBig, 2, 0, "4:2 'whole'") + last(1));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(text_behind_id(d.seen[0]), octets("whole"));
}
TEST(Fragments12, AreTakenFromServersToo) {
  Driver d(Role::Client);
  d.arrive(first(1, 1) + first(2, 4) + last(2) + last(1));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(d.seen[0].header.type, MessageType::LocateReply);
  EXPECT_EQ(d.seen[1].header.type, MessageType::Reply);
}
TEST(Fragments12, MayBeEmptyButForTheId) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kBig, 2, 7, "4:7", true) + giop_message(kBig, 2, 7, "4:7"));
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(text_behind_id(d.last()), octets("aaaaaaaa"));
}
TEST(Fragments12, WithoutAnIdAreRefused) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kBig, 2, 7, "0000"));
  expect_fault(d, Fault::BadFragment);
  Driver e(Role::Server);
  e.arrive(giop_message(kBig, 2, 0, "", true));
  expect_fault(e, Fault::BadFragment);
}
TEST(Fragments12, ButTheLastMustBeMultiplesOf8) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 2, 0, "4:7 'aaa'", true));
  expect_fault(d, Fault::BadFragment);
  Driver e(Role::Server);
  e.arrive(first(7) + giop_message(kBig, 2, 7, "4:7 'bbb'", true));
  expect_fault(e, Fault::BadFragment);
}
TEST(Fragments12, WithoutABeginningAreRefused) {
  Driver d(Role::Server);
  d.arrive(last(7));
  expect_fault(d, Fault::BadFragment);
  Driver e(Role::Server);
  e.arrive(first(7) + last(8));
  expect_fault(e, Fault::BadFragment);
}
TEST(Fragments12, AfterTheLastAreRefused) {
  Driver d(Role::Server);
  d.arrive(first(7) + last(7) + last(7));
  ASSERT_EQ(d.seen.size(), 2u);
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments12, OfTwoMessagesWithOneIdAreRefused) {
  Driver d(Role::Server);
  d.arrive(first(7) + first(7));
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments12, MayNotChangeTheVersion) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kBig, 1, 7, "4:7 'ccc'"));
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments12, MayNotChangeTheByteOrder) {  // 9.4.1
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kLittle, 2, 7, "4:7 'ccc'"));
  expect_fault(d, Fault::BadFragment);
  Driver symmetric(Role::Server);  // an id that reads the same in both orders
  symmetric.arrive(first(0) + giop_message(kLittle, 2, 7, "4:0 'ccc'"));
  expect_fault(symmetric, Fault::BadFragment);
}
TEST(Fragments12, HoldToTheLimitOfMessageBytesOverAllOfThem) {
  Limits limits;
  limits.max_message_bytes = 12 + 8 + 3;
  Driver at(Role::Server, limits);
  at.arrive(first(7) + middle(7) + last(7));
  EXPECT_EQ(at.last().kind, EventKind::Message);
  limits.max_message_bytes -= 1;
  Driver above(Role::Server, limits);
  above.arrive(first(7) + middle(7) + last(7));
  expect_fault(above, Fault::LimitExceeded);
}
TEST(Fragments12, BeyondTheLimitAreRefusedOnTheirHeader) {
  Limits limits;
  limits.max_message_bytes = 20;
  Driver d(Role::Server, limits);
  d.arrive(first(7));
  const Bytes next = middle(7) + middle(7);
  d.arrive(Bytes(next.begin(), next.begin() + 24 + 12));
  expect_fault(d, Fault::LimitExceeded);
}
TEST(Fragments12, OfAllMessagesTogetherHoldToTheLimitOfOne) {
  Limits limits;
  limits.max_message_bytes = 40;
  Driver d(Role::Server, limits);
  d.arrive(first(1) + first(2) + first(3));
  EXPECT_TRUE(d.seen.empty());
  EXPECT_EQ(d.connection.reassembly_bytes(), 36u);
  d.arrive(first(4));
  expect_fault(d, Fault::LimitExceeded);
}
TEST(Fragments12, HoldToTheLimitOfTheirNumber) {
  Limits limits;
  limits.max_fragments = 3;
  Driver at(Role::Server, limits);
  at.arrive(first(7) + middle(7) + last(7));
  EXPECT_EQ(at.last().kind, EventKind::Message);
  Driver above(Role::Server, limits);
  above.arrive(first(7) + middle(7) + middle(7) + last(7));
  expect_fault(above, Fault::LimitExceeded);
}
TEST(Fragments12, EmptyOnesAreCountedToo) {
  Limits limits;
  limits.max_fragments = 4096;
  Driver d(Role::Server, limits);
  d.arrive(first(7));
  for (std::uint32_t i = 1; i < limits.max_fragments; ++i) d.arrive(giop_message(kBig, 2, 7, "4:7", true));
  EXPECT_TRUE(d.seen.empty());
  d.arrive(giop_message(kBig, 2, 7, "4:7", true));
  expect_fault(d, Fault::LimitExceeded);
}
TEST(Fragments12, AreOneForEach512BytesOfTheLargestMessageAtMostAnd4096AtLeast) {
  const struct { std::size_t largest; std::uint32_t fragments; } all[] = {{1000, 4096}, {4u << 20, 8192}, {0, 4096}};
  for (const auto& one : all) {
    Limits limits;
    limits.max_message_bytes = one.largest;
    EXPECT_EQ(most_fragments(limits), one.fragments);
    limits.max_fragments = 7;
    EXPECT_EQ(most_fragments(limits), 7u) << "said";
  }
}
// As other ORBs cut their messages.
TEST(Fragments12, OfOneKibEachMakeAMessageOfManyMegabytes) {
  Driver d(Role::Server);
  d.arrive(first(7));
  const Bytes kib = giop_message(kBig, 2, 7, id(7) + "'" + std::string(1008, 'd') + "'", true);
  for (std::size_t i = 0; i < 5000; ++i) d.arrive(kib);
  d.arrive(last(7));
  EXPECT_EQ(d.last().kind, EventKind::Message) << fault_name(d.last().fault);
}
TEST(Fragments12, HoldToTheLimitOfOpenReassemblies) {
  Driver d(Role::Server);
  for (int i = 0; i < 16; ++i) d.arrive(first(i));
  EXPECT_EQ(d.connection.reassemblies(), 16u);
  d.arrive(last(3) + first(99));  // one ends, another may start
  EXPECT_EQ(d.last().kind, EventKind::Message);
  d.arrive(first(100));
  expect_fault(d, Fault::LimitExceeded);
}
TEST(Fragments12, KeepTheConnectionInAMessage) {
  Driver d(Role::Server);
  d.arrive(first(7));
  EXPECT_TRUE(d.connection.in_message());
  d.arrive(last(7));
  EXPECT_FALSE(d.connection.in_message());
}
TEST(Fragments12, MakeAMessageThatCanBeTakenOver) {
  const Limits limits;
  Connection c(Role::Server, limits);
  const Bytes all = first(7) + last(7);
  const Event ev = c.receive(all);
  ASSERT_EQ(ev.kind, EventKind::Message);
  ASSERT_TRUE(ev.message.reassembled);
  const Reassembly kept = c.take_reassembled();
  EXPECT_EQ(c.receive({}).kind, EventKind::NeedBytes);
  EXPECT_EQ(Bytes(ev.message.body.begin() + 4, ev.message.body.end()), octets("aaaaaaaaccc"));
  EXPECT_EQ(kept.fragments(), 2u);
}

// --- CancelRequest before the last fragment (9.4.9)

TEST(CancelledFragments, EndTheReassemblyAndWhatFollowsIsIgnored) {
  Driver d(Role::Server);
  d.arrive(first(7) + first(8) + giop_message(kBig, 2, 2, "4:7") + middle(7) + last(7) + last(8));
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.last().kind, EventKind::Message);
  EXPECT_EQ(d.connection.counts().cancelled_in_pieces, 1u);
  EXPECT_EQ(d.connection.counts().ignored_fragments, 2u);
  EXPECT_EQ(d.connection.reassembly_bytes(), 0u);
}
TEST(CancelledFragments, AreIgnoredUpToTheLastOnly) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kBig, 2, 2, "4:7") + last(7) + last(7));
  expect_fault(d, Fault::BadFragment);
}
TEST(CancelledFragments, AreForgottenWhenTheIdIsUsedAgain) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kBig, 2, 2, "4:7") + giop_message(kBig, 2, 0, "4:7 'new'") + last(7));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(d.seen[0].kind, EventKind::Message);
  expect_fault(d, Fault::BadFragment);
  Driver again(Role::Server);
  again.arrive(first(7) + giop_message(kBig, 2, 2, "4:7") + first(7) + last(7));
  ASSERT_EQ(again.seen.size(), 1u);
  EXPECT_EQ(text_behind_id(again.last()), octets("aaaaaaaaccc"));
}
TEST(CancelledFragments, OfTheLastSixteenAreRemembered) {
  Driver d(Role::Server);
  for (int i = 0; i < 17; ++i) d.arrive(first(i) + giop_message(kBig, 2, 2, id(i)));
  d.arrive(last(1));
  EXPECT_TRUE(d.seen.empty());
  d.arrive(last(0));
  expect_fault(d, Fault::BadFragment);
}
TEST(CancelledFragments, LeaveOtherCancelsToTheCaller) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kBig, 2, 2, "4:9"));
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.last().header.type, MessageType::CancelRequest);
  EXPECT_EQ(d.connection.reassemblies(), 1u);
}
TEST(CancelledFragments, MayBeCancelledInTheOtherByteOrder) {
  Driver d(Role::Server);
  d.arrive(first(7) + giop_message(kLittle, 2, 2, "4:7"));
  EXPECT_TRUE(d.seen.empty());
  EXPECT_EQ(d.connection.reassemblies(), 0u);
}

// --- The time of what is incomplete

TEST(OldestReassembly, IsTimedFromItsFirstFragmentWhateverComesBehindIt) {
  Driver d(Role::Server);
  ManualClock clock;
  clock.advance(Duration(1000));
  EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), TimePoint::max());
  const TimePoint began = clock.now();
  d.arrive(first(7));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), began);
    clock.advance(Duration(100));
    d.arrive(giop_message(kBig, 2, 2, "4:9") + middle(7) + giop_message(kBig, 2, 0, "4:99 'other'"));
  }
  d.arrive(last(7));
  EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), TimePoint::max());
}
TEST(OldestReassembly, OfManyThatOverlapEachHasItsOwnTime) {
  Driver d(Role::Server);
  ManualClock clock;
  clock.advance(Duration(1000));
  d.arrive(first(0));
  (void)d.connection.oldest_reassembly(clock.now());
  for (int i = 1; i <= 100; ++i) {  // always one is open, none for long
    clock.advance(Duration(100));
    d.arrive(first(i));
    EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), clock.now() - Duration(100));
    d.arrive(last(i - 1));
    EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), clock.now());
  }
}
TEST(OldestReassembly, DoesNotCountTheTimeInWhichTheCallerReadNothing) {
  Driver d(Role::Server);
  ManualClock clock;
  clock.advance(Duration(1000));
  d.arrive(first(1));
  const TimePoint began = clock.now();
  EXPECT_EQ(d.connection.oldest_reassembly(began), began);
  clock.advance(Duration(500));
  d.arrive(first(2));  // not asked for yet: begins when it is
  d.connection.stood_still(Duration(300));
  EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), began + Duration(300));
  d.arrive(last(1));
  EXPECT_EQ(d.connection.oldest_reassembly(clock.now()), clock.now());
}

// --- 1.1: no ids, alignment starts afresh in each fragment

const char* const kFirst11 =
    "4:0 4:7 01 000000 4:2 'k1' 0000 4:2 'f' 00 0000 4:0 99";  // 25 + 12 octets: not a multiple of 4

TEST(Fragments11, AlignFromTheirOwnHeader) {
  Driver d(Role::Server);
  const Limits limits;
  Connection c(Role::Server, limits);
  const Bytes all = giop_message(kBig, 1, 0, kFirst11, true) + giop_message(kBig, 1, 7, "00000000 4:42 4:43");
  const Event ev = c.receive(all);
  ASSERT_EQ(ev.kind, EventKind::Message);
  EXPECT_EQ(ev.message.segments.size(), 2u);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder dec = ev.message.decoder(budget);
  RequestHeader h;
  ASSERT_TRUE(decode(dec, kGiop11, h, limits));
  EXPECT_EQ(dec.get_octet(), 0x99);
  EXPECT_EQ(dec.get_ulonglong(), (std::uint64_t{42} << 32) + 43);  // at offset 16 of the fragment's message
  EXPECT_TRUE(dec.ok());
  EXPECT_EQ(dec.remaining(), 0u);
}
TEST(Fragments11, MayCutKeyOperationContextsAndPrincipal) {
  const Limits limits;
  Connection c(Role::Server, limits);
  // The cuts: in a context's data, in the key, in the operation, in the principal.
  const Bytes all = giop_message(kBig, 1, 0, "4:2 4:17 4:5 'con'", true) +
                    giop_message(kBig, 1, 7, "'te' 0000 4:18 4:2 'xy' 0000 4:7 01 000000 4:6 'abc'", true) +
                    giop_message(kBig, 1, 7, "'def' 00 4:5 'pi'", true) +
                    giop_message(kBig, 1, 7, "'ng' 00 00 4:4 'prin'", true) + giop_message(kBig, 1, 7, "4:42");
  const Event ev = c.receive(all);
  ASSERT_EQ(ev.kind, EventKind::Message);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d = ev.message.decoder(budget);
  RequestHeader h;
  ASSERT_TRUE(decode(d, kGiop11, h, limits)) << fault_name(d.fault());
  EXPECT_EQ(Bytes(h.contexts[0].data.begin(), h.contexts[0].data.end()), octets("conte"));
  EXPECT_EQ(Bytes(h.contexts[1].data.begin(), h.contexts[1].data.end()), octets("xy"));
  EXPECT_EQ(h.request_id, 7u);
  EXPECT_EQ(Bytes(h.target.object_key.begin(), h.target.object_key.end()), octets("abcdef"));
  EXPECT_EQ(h.operation, "ping");
  EXPECT_EQ(Bytes(h.principal.begin(), h.principal.end()), octets("prin"));
  EXPECT_EQ(d.get_ulong(), 42u);
}
TEST(Fragments11, ManyLongCutsLeaveEarlierViewsAlone) {
  const Limits limits;
  Connection c(Role::Server, limits);
  // Ten contexts of 400 octets, each cut in the middle.
  Bytes all = giop_message(kBig, 1, 0, "4:10", true);
  for (int i = 0; i < 10; ++i) {
    const std::string half(200, static_cast<char>('a' + i));
    all = all + giop_message(kBig, 1, 7, id(i) + "4:400 '" + half + "'", true) +
          giop_message(kBig, 1, 7, "'" + half + "'", true);
  }
  all = all + giop_message(kBig, 1, 7, "4:7 01 000000 4:0 4:2 'f' 00 0000 4:0");
  const Event ev = c.receive(all);
  ASSERT_EQ(ev.kind, EventKind::Message);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d = ev.message.decoder(budget);
  RequestHeader h;
  ASSERT_TRUE(decode(d, kGiop11, h, limits)) << fault_name(d.fault());
  ASSERT_EQ(h.contexts.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    const ByteView v = h.contexts[i].data;
    EXPECT_EQ(Bytes(v.begin(), v.end()), Bytes(400, static_cast<Byte>('a' + i)));
  }
}
TEST(Fragments11, HeaderViewsSurviveMovingTheHeader) {
  const Limits limits;
  Connection c(Role::Server, limits);
  const Bytes all = giop_message(kBig, 1, 0, "4:0 4:7 01 000000 4:6 'abc'", true) +
                    giop_message(kBig, 1, 7, "'def' 00 4:2 'f' 00 0000 4:0");
  const Event ev = c.receive(all);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d = ev.message.decoder(budget);
  RequestHeader h;
  ASSERT_TRUE(decode(d, kGiop11, h, limits));
  const RequestHeader moved = std::move(h);
  EXPECT_EQ(Bytes(moved.target.object_key.begin(), moved.target.object_key.end()), octets("abcdef"));
}
// However little of the header has come since the last CancelRequest.
TEST(Fragments11, AreCancelledAsSoonAsTheIdHasCome) {
  const Bytes other = giop_message(kBig, 1, 2, "4:8"), cancel = giop_message(kBig, 1, 2, "4:7");
  for (const std::vector<std::string>& pieces : std::vector<std::vector<std::string>>{
           {"4:1 4:17 4:40 '" + std::string(40, 'x') + "'", "4:7 01 000000"},
           {"4:2 4:17 4:3 'abc'", "4:17 4:1 'd' 00", "", "4:7"},  // what is left of a fragment is padding
           {"4:1", "4:17", "4:0", "4:7"},
           {"4:1 4:17 4:5 'ab'", "'cd'", "'e' 000000 4:7"},
           {"4:0 4:7"}}) {
    Driver d(Role::Server);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      d.arrive(giop_message(kBig, 1, i == 0 ? 0 : 7, pieces[i], true) + other);
      EXPECT_EQ(d.connection.reassemblies(), 1u) << i << " of " << pieces[0];
    }
    d.arrive(cancel);
    EXPECT_EQ(d.connection.reassemblies(), 0u) << pieces[0];
  }
}
TEST(Fragments11, AreReadForCancelRequestsOnlyOnce) {
  Driver d(Role::Server);
  const Bytes other = giop_message(kBig, 1, 2, "4:8");
  const Bytes kib = giop_message(kBig, 1, 7, "'" + std::string(1024, 'x') + "'", true);
  d.arrive(giop_message(kBig, 1, 0, kFirst11, true));
  for (int i = 0; i < 1000; ++i) d.arrive(kib + other + other);
  EXPECT_EQ(d.connection.counts().header_words_read, 2u) << "the id is known";
  d.arrive(giop_message(kBig, 1, 2, "4:7"));
  EXPECT_EQ(d.connection.reassemblies(), 0u);
  EXPECT_EQ(d.connection.counts().header_words_read, 2u);

  Driver unknown(Role::Server);  // no id comes
  unknown.arrive(giop_message(kBig, 1, 0, "", true));
  for (int i = 0; i < 100; ++i) unknown.arrive(giop_message(kBig, 1, 7, "", true) + other);
  EXPECT_EQ(unknown.connection.counts().header_words_read, 0u);
  unknown.arrive(giop_message(kBig, 1, 7, "4:64", true));
  for (int i = 0; i < 60; ++i)
    unknown.arrive(giop_message(kBig, 1, 7, "4:17 4:1024 '" + std::string(1024, 'x') + "'", true) + other + other);
  EXPECT_EQ(unknown.connection.reassemblies(), 1u);
  EXPECT_EQ(unknown.connection.counts().header_words_read, 1u + 2 * 60);
}
TEST(Fragments11, ComeOneMessageAtATime) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 0, kFirst11, true) + giop_message(kBig, 1, 0, kFirst11, true));
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments11, WithoutABeginningAreRefused) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 7, "4:42"));
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments11, MayNotChangeVersionOrByteOrder) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 0, kFirst11, true) + giop_message(kBig, 2, 7, "4:7 4:42"));
  expect_fault(d, Fault::BadFragment);
  Driver e(Role::Server);
  e.arrive(giop_message(kBig, 1, 0, kFirst11, true) + giop_message(kLittle, 1, 7, "4:42"));
  expect_fault(e, Fault::BadFragment);
}
TEST(Fragments11, MayBeEmpty) {
  const Limits limits;
  Connection c(Role::Server, limits);
  const Bytes all = giop_message(kBig, 1, 0, "", true) + giop_message(kBig, 1, 7, kFirst11, true) +
                    giop_message(kBig, 1, 7, "", true) + giop_message(kBig, 1, 7, "");
  const Event ev = c.receive(all);
  ASSERT_EQ(ev.kind, EventKind::Message);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d = ev.message.decoder(budget);
  RequestHeader h;
  ASSERT_TRUE(decode(d, kGiop11, h, limits)) << fault_name(d.fault());
  EXPECT_EQ(h.operation, "f");
  EXPECT_EQ(d.get_octet(), 0x99);
  EXPECT_EQ(d.remaining(), 0u);
}
TEST(Fragments11, LetWholeMessagesThrough) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 0, kFirst11, true) + giop_message(kBig, 1, 3, "4:9 4:2 'k1'") +
           giop_message(kBig, 1, 7, "4:42"));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(d.seen[0].header.type, MessageType::LocateRequest);
}
TEST(Fragments11, MixWithThoseOf12) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 0, kFirst11, true) + first(0) + giop_message(kBig, 1, 7, "4:42") + last(0));
  ASSERT_EQ(d.seen.size(), 2u);
  EXPECT_EQ(d.seen[0].header.version, kGiop11);
  EXPECT_EQ(d.seen[1].header.version, kGiop12);
}
TEST(Fragments11, AreCancelledByTheIdInTheirHeader) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 0, kFirst11, true) + giop_message(kBig, 1, 2, "4:8"));
  EXPECT_EQ(d.connection.reassemblies(), 1u);  // another request's
  d.arrive(giop_message(kBig, 1, 2, "4:7") + giop_message(kBig, 1, 7, "4:42", true) +
           giop_message(kBig, 1, 7, "4:42"));
  EXPECT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.connection.reassemblies(), 0u);
  EXPECT_EQ(d.connection.counts().ignored_fragments, 2u);
  d.arrive(giop_message(kBig, 1, 7, "4:42"));
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments11, OfACancelledRequestAreForgottenByTheNextOne) {
  Driver d(Role::Server);
  const Bytes begin = giop_message(kBig, 1, 0, kFirst11, true);
  d.arrive(begin + giop_message(kBig, 1, 2, "4:7") + begin + giop_message(kBig, 1, 7, "4:42"));
  ASSERT_EQ(d.seen.size(), 1u);
  EXPECT_EQ(d.last().kind, EventKind::Message);
  d.arrive(giop_message(kBig, 1, 7, "4:42"));
  expect_fault(d, Fault::BadFragment);
}
TEST(Fragments11, WhoseIdHasNotComeCannotBeCancelled) {
  Driver d(Role::Server);
  d.arrive(giop_message(kBig, 1, 0, "4:0", true) + giop_message(kBig, 1, 2, "4:0"));
  EXPECT_EQ(d.connection.reassemblies(), 1u);
  EXPECT_EQ(d.last().header.type, MessageType::CancelRequest);
}
TEST(Fragments11, HoldToTheLimits) {
  Limits limits;
  limits.max_message_bytes = 8;
  Driver at(Role::Client, limits);
  at.arrive(giop_message(kBig, 1, 1, "4:0", true) + giop_message(kBig, 1, 7, "4:0"));
  EXPECT_EQ(at.last().kind, EventKind::Message);
  Driver above(Role::Client, limits);
  above.arrive(giop_message(kBig, 1, 1, "4:0", true) + giop_message(kBig, 1, 7, "4:0 00"));
  expect_fault(above, Fault::LimitExceeded);
}

}  // namespace
}  // namespace callis::giop
