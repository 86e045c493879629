// SPDX-License-Identifier: Apache-2.0
// Every header of a Request, byte for byte, in every version and both byte orders (CORBA 3.3 part 2, 9.4.2); whole,
// cut in two, and cut short.
#include <callis/giop/testing/vectors.h>
#include <callis/ior/ior.h>
#include <algorithm>
#include <cstring>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::copy;
using testing::kLimits;
using testing::octets;
using testing::Vector;
using testing::wire;

// --- Request (9.4.2)

TEST_P(Vector, Request10) {
  const Bytes data = {0xaa, 0xbb, 0xcc}, key = octets("k1");
  const ServiceContext c{17, data};
  const Bytes whole =
      message(0, 0, "4:1 4:17 4:3 aabbcc 00 4:7 01 000000 4:2 'k1' 0000 4:5 'ping' 00 000000 4:0 4:42");
  EXPECT_EQ(build(
                [&](cdr::Encoder& e) {
                  return begin_request(
                      e, kGiop10,
                      {.request_id = 7, .target = Target::key(key), .operation = "ping", .contexts = {&c, 1}});
                },
                [](cdr::Encoder& e) { e.put_ulong(42); }),
            whole);
  auto d = open(whole);
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_EQ(r.request_id, 7u);
  EXPECT_EQ(r.response, ResponseFlags::WithTarget);
  EXPECT_EQ(copy(r.target.object_key), key);
  EXPECT_EQ(r.operation, "ping");
  ASSERT_EQ(r.contexts.size(), 1u);
  EXPECT_EQ(r.contexts[0].id, 17u);
  EXPECT_EQ(copy(r.contexts[0].data), data);
  EXPECT_EQ(d.get_ulong(), 42u);
  EXPECT_EQ(d.remaining(), 0u);
}
TEST_P(Vector, Request11HasReservedOctetsAndAnUnalignedBody) {
  const Bytes key = octets("k1"), principal = {1, 2, 3};
  const Bytes whole = message(1, 0, "4:0 4:7 01 000000 4:2 'k1' 0000 4:5 'ping' 00 000000 4:3 010203 99");
  EXPECT_EQ(build(
                [&](cdr::Encoder& e) {
                  return begin_request(
                      e, kGiop11,
                      {.request_id = 7, .target = Target::key(key), .operation = "ping", .principal = principal});
                },
                [](cdr::Encoder& e) { e.put_octet(0x99); }),
            whole);
  auto d = open(whole);
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_EQ(copy(r.principal), principal);
  EXPECT_EQ(d.get_octet(), 0x99);
}
TEST_P(Vector, Request11IgnoresWhatReservedOctetsHold) {
  auto d = open(message(1, 0, "4:0 4:7 00 aabbcc 4:0 4:2 'f' 00 0000 4:0"));
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_FALSE(r.response_expected());
}
TEST_P(Vector, Request12HasABodyAlignedTo8) {
  const Bytes key = octets("abcde");
  const Bytes whole =
      message(2, 0, "4:7 03 000000 2:0 0000 4:5 'abcde' 000000 4:5 'ping' 00 000000 4:0 00000000 4:42");
  EXPECT_EQ(build([&](cdr::Encoder& e) {
              return begin_request(e, kGiop12, {.request_id = 7, .target = Target::key(key), .operation = "ping"});
            }, [](cdr::Encoder& e) { e.put_ulong(42); }), whole);
  auto d = open(whole);
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_TRUE(r.target.has_key);
  EXPECT_EQ(copy(r.target.object_key), key);
  EXPECT_EQ(d.phase(), 0u);
  EXPECT_EQ(d.get_ulong(), 42u);
}
TEST_P(Vector, Request12WithoutABodyEndsWithItsHeader) {
  const Bytes key = octets("abcde");
  const Bytes whole = message(2, 0, "4:7 03 000000 2:0 0000 4:5 'abcde' 000000 4:5 'ping' 00 000000 4:0");
  EXPECT_EQ(build([&](cdr::Encoder& e) {
              return begin_request(e, kGiop12, {.request_id = 7, .target = Target::key(key), .operation = "ping"});
            }), whole);
  auto d = open(whole);
  RequestHeader r;
  EXPECT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_EQ(d.remaining(), 0u);
}
TEST_P(Vector, Request12PaddingWithoutABodyIsNoBody) {
  for (const char* padding : {"00000000", "0000"}) {  // all of it, and some
    auto d = open(
        message(2, 0, std::string("4:7 03 000000 2:0 0000 4:5 'abcde' 000000 4:5 'ping' 00 000000 4:0 ") + padding));
    RequestHeader r;
    EXPECT_TRUE(decode(d, version(), r, kLimits));
    EXPECT_EQ(d.remaining(), 0u);
  }
}
TEST_P(Vector, Request12OfEverySizeOfKeyAndOperationReadsBack) {
  for (const std::size_t key_bytes : {0u, 1u, 2u, 3u, 4u, 5u, 4095u, 4096u, 4097u}) {
    for (const std::size_t name_chars : {0u, 1u, 2u, 3u, 4u, 4096u, 4097u}) {
      const Bytes key(key_bytes, 'k');
      const std::string name(name_chars, 'n');
      const Bytes whole = build([&](cdr::Encoder& e) {
        e.ensure(20000);
        std::memset(e.cursor(), 0xEE, 20000);  // padding must be written, not left
        return begin_request(e, kGiop12, {.request_id = 7, .target = Target::key(key), .operation = name});
      }, [](cdr::Encoder& e) { e.put_octet(9); });
      auto d = open(whole);
      RequestHeader r;
      ASSERT_TRUE(decode(d, version(), r, kLimits));
      EXPECT_EQ(copy(r.target.object_key), key);
      EXPECT_EQ(r.operation, name);
      EXPECT_EQ(d.get_octet(), 9);
      EXPECT_EQ(std::count(whole.begin(), whole.end(), 0xEE), 0);
    }
  }
}
constexpr const char* kProfile = "4:0 4:20 00 01 02 00 00000002 'h' 00 0005 00000002 'k1' 0000 ";

TEST_P(Vector, Request12SaysWhoAnswers) {
  const struct { ResponseFlags flags; const char* octet; } all[] = {
      {ResponseFlags::None, "00"}, {ResponseFlags::WithServer, "01"}, {ResponseFlags::WithTarget, "03"}};
  for (const auto& one : all) {
    const Bytes whole = message(2, 0, std::string("4:7 ") + one.octet + " 000000 2:0 0000 4:0 4:2 'f' 00 0000 4:0");
    EXPECT_EQ(build([&](cdr::Encoder& e) {
                return begin_request(e, kGiop12,
                                     {.request_id = 7, .response = one.flags, .target = {}, .operation = "f"});
              }),
              whole);
    auto d = open(whole);
    RequestHeader r;
    ASSERT_TRUE(decode(d, version(), r, kLimits));
    EXPECT_EQ(r.response, one.flags);
  }
}
TEST_P(Vector, Request12PassesOverReservedResponseBits) {
  const struct { ResponseFlags flags; const char* octet; } all[] = {
      {ResponseFlags::None, "04"}, {ResponseFlags::WithServer, "81"}, {ResponseFlags::WithTarget, "ff"}};
  for (const char* key : {"2:0 0000 4:0", "2:0 0000 4:1 'k' 000000", "2:1 0000 " })
    for (const auto& one : all) {
      const std::string target = key[2] == '1' ? std::string(key) + kProfile : key;
      auto d = open(message(2, 0, std::string("4:7 ") + one.octet + " 000000 " + target + " 4:2 'f' 00 0000 4:0"));
      RequestHeader r;
      ASSERT_TRUE(decode(d, version(), r, kLimits)) << one.octet << ", " << target;
      EXPECT_EQ(r.response, one.flags);
    }
}
TEST_P(Vector, Request12RefusesResponseFlagsOfTwo) {
  for (const char* octet : {"02", "06", "82"}) {
    auto d = open(message(2, 0, std::string("4:7 ") + octet + " 000000 2:0 0000 4:0 4:2 'f' 00 0000 4:0"));
    RequestHeader r;
    EXPECT_FALSE(decode(d, version(), r, kLimits)) << octet;
    EXPECT_EQ(d.fault(), Fault::BadHeader);
  }
}
TEST_P(Vector, RequestBefore12RefusesABooleanThatIsNone) {
  auto d = open(message(1, 0, "4:0 4:7 03 000000 4:0 4:2 'f' 00 0000 4:0"));
  RequestHeader r;
  EXPECT_FALSE(decode(d, version(), r, kLimits));
  EXPECT_EQ(d.fault(), Fault::BadBoolean);
}

// --- TargetAddress (9.4.2.2)

// The same profile as a value; its 2 last bytes stand for a component list cut short.
ior::TaggedProfile profile() {
  return {0, wire(ByteOrder::Big, "00 01 02 00 00000002 'h' 00 0005 00000002 'k1' 0000")};
}

TEST_P(Vector, TargetIsAProfile) {
  const ior::TaggedProfile p = profile();
  const Bytes whole = message(2, 0, std::string("4:7 03 000000 2:1 0000 ") + kProfile + "4:2 'f' 00 0000 4:0");
  EXPECT_EQ(build([&](cdr::Encoder& e) {
              return begin_request(e, kGiop12, {.request_id = 7, .target = Target::of_profile(p), .operation = "f"});
            }), whole);
  auto d = open(whole);
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_EQ(r.target.how, AddressingDisposition::Profile);
  EXPECT_EQ(r.target.profile_tag, 0u);
  EXPECT_EQ(copy(r.target.profile_data), p.data);
  EXPECT_TRUE(r.target.has_key);
  EXPECT_EQ(copy(r.target.object_key), octets("k1"));
}
TEST_P(Vector, TargetIsAReference) {
  const ior::Ior reference{"IDL:A", {{99, {0xab}}, profile()}};
  const Bytes whole = message(2, 0,
                              std::string("4:7 03 000000 2:2 0000 4:1 4:6 'IDL:A' 00 0000 4:2 4:99 4:1 ab 000000 ") +
                                  kProfile + "4:2 'f' 00 0000 4:0");
  EXPECT_EQ(build([&](cdr::Encoder& e) {
              return begin_request(e, kGiop12,
                                   {.request_id = 7, .target = Target::of_reference(reference, 1), .operation = "f"});
            }),
            whole);
  auto d = open(whole);
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_EQ(r.target.how, AddressingDisposition::Reference);
  EXPECT_EQ(r.target.selected_profile, 1u);
  EXPECT_EQ(r.target.type_id, "IDL:A");
  EXPECT_EQ(copy(r.target.object_key), octets("k1"));
  EXPECT_EQ(r.operation, "f");
}
TEST_P(Vector, TargetProfileOfAnUnknownTagHasNoKey) {
  auto d = open(message(2, 0, "4:7 03 000000 2:1 0000 4:99 4:1 ab 000000 4:2 'f' 00 0000 4:0"));
  RequestHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  EXPECT_FALSE(r.target.has_key);
  EXPECT_EQ(r.target.profile_tag, 99u);
  EXPECT_EQ(r.operation, "f");
}
TEST_P(Vector, TargetProfileThatIsMalformedIsAFault) {
  auto d = open(message(2, 0, "4:7 03 000000 2:1 0000 4:0 4:1 ab 000000 4:2 'f' 00 0000 4:0"));
  RequestHeader r;
  EXPECT_FALSE(decode(d, version(), r, kLimits));
  EXPECT_EQ(d.fault(), Fault::BadReference);
}
TEST_P(Vector, TargetReferenceMustHoldTheSelectedProfile) {
  for (const char* index : {"4:1", "4:0xffffffff"}) {
    auto d = open(message(2, 0,
                          std::string("4:7 03 000000 2:2 0000 ") + index +
                              " 4:1 00 000000 4:1 4:99 4:1 ab 000000 4:2 'f' 00 0000 4:0"));
    RequestHeader r;
    EXPECT_FALSE(decode(d, version(), r, kLimits));
    EXPECT_EQ(d.fault(), Fault::BadReference);
  }
}
TEST_P(Vector, TargetOfAnUnknownDispositionIsAFault) {
  for (const char* how : {"2:3", "2:0xffff"}) {
    auto d = open(message(2, 0, std::string("4:7 03 000000 ") + how + " 0000 4:0 4:2 'f' 00 0000 4:0"));
    RequestHeader r;
    EXPECT_FALSE(decode(d, version(), r, kLimits));
    EXPECT_EQ(d.fault(), Fault::BadEnum);
  }
}

// --- In two pieces, cut anywhere: the same header by another way through the code

TEST_P(Vector, RequestHeadersReadTheSameInTwoPieces) {
  for (const testing::Recorded& m : testing::recorded()) {
    MessageHeader h;
    ASSERT_EQ(parse_header(m.bytes, kLimits, h), Fault::None);
    if (h.type != MessageType::Request || h.more_fragments || h.order != GetParam()) continue;
    const ByteView body = ByteView(m.bytes).subspan(kHeaderBytes);
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder one(body, h.order, budget, kBodyPhase);
    RequestHeader whole;
    ASSERT_TRUE(decode(one, h.version, whole, kLimits)) << m.name;
    for (std::size_t n = 0; n < body.size(); n += 4) {
      const cdr::Segment pieces[] = {{body.subspan(0, n), kBodyPhase}, {body.subspan(n), kBodyPhase + n}};
      cdr::Decoder two(pieces, h.order, budget);
      RequestHeader r;
      ASSERT_TRUE(decode(two, h.version, r, kLimits)) << m.name << " at " << n;
      EXPECT_EQ(r.request_id, whole.request_id);
      EXPECT_EQ(r.response, whole.response);
      EXPECT_EQ(r.target.how, whole.target.how);
      EXPECT_EQ(copy(r.target.object_key), copy(whole.target.object_key));
      EXPECT_EQ(r.operation, whole.operation);
      EXPECT_EQ(r.contexts.size(), whole.contexts.size());
      EXPECT_EQ(two.remaining(), one.remaining()) << m.name << " at " << n;
    }
  }
}

// --- Headers that end too early, at every byte

TEST_P(Vector, EveryTruncationOfARequestHeaderIsAFault) {
  for (const testing::Recorded& m : testing::recorded()) {
    MessageHeader h;
    ASSERT_EQ(parse_header(m.bytes, kLimits, h), Fault::None);
    if (h.type != MessageType::Request || h.more_fragments || h.order != GetParam()) continue;
    // Whole, to learn where the header ends.
    cdr::Budget budget{1u << 20, 64};
    const ByteView body = ByteView(m.bytes).subspan(kHeaderBytes);
    cdr::Decoder whole(body, h.order, budget, kBodyPhase);
    RequestHeader r;
    ASSERT_TRUE(decode(whole, h.version, r, kLimits)) << m.name;
    const std::size_t padding = h.version >= kGiop12 && whole.remaining() != 0 ? 7 : 0;
    const std::size_t header_bytes = body.size() - whole.remaining();
    for (std::size_t n = 0; n + padding < header_bytes; ++n) {
      const Bytes cut(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(n));
      cdr::Decoder d(cut, h.order, budget, kBodyPhase);
      EXPECT_FALSE(decode(d, h.version, r, kLimits)) << m.name << " at " << n;
    }
  }
}

}  // namespace
}  // namespace callis::giop
