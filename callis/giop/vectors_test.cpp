// SPDX-License-Identifier: Apache-2.0
// Every message header, byte for byte, in every version and both byte orders (CORBA 3.3 part 2, 9.4).
#include <callis/giop/giop.h>
#include <callis/giop/testing/wire.h>
#include <callis/ior/ior.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::giop_message;
using testing::kLimits;
using testing::octets;
using testing::wire;

Bytes copy(ByteView v) { return {v.begin(), v.end()}; }

class Vector : public ::testing::TestWithParam<ByteOrder> {
 protected:
  // The bytes of a message built by begin(Encoder&) and body(Encoder&).
  template <class Begin, class Body>
  Bytes build(Begin&& begin, Body&& body) {
    Buffer b;
    cdr::Encoder e(b, GetParam());
    const Started s = begin(e);
    body(e);
    EXPECT_EQ(finish_message(e, s), Fault::None);
    return copy(b.view());
  }
  template <class Begin>
  Bytes build(Begin&& begin) {
    return build(begin, [](cdr::Encoder&) {});
  }
  Bytes message(int minor, int type, std::string_view body) { return giop_message(GetParam(), minor, type, body); }

  // Opens a message for reading its header.
  cdr::Decoder open(const Bytes& whole) {
    bytes_ = whole;
    EXPECT_EQ(parse_header(bytes_, kLimits, message_.header), Fault::None);
    message_.body = ByteView(bytes_).subspan(kHeaderBytes);
    EXPECT_EQ(message_.header.order, GetParam());
    return message_.decoder(budget_);
  }
  Version version() const { return message_.header.version; }

  Bytes bytes_;
  Message message_;
  cdr::Budget budget_{1u << 20, 64};
};
INSTANTIATE_TEST_SUITE_P(Giop, Vector, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "Big" : "Little"; });

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
TEST_P(Vector, Request12RefusesOtherResponseFlags) {
  for (const char* octet : {"02", "04", "07", "80", "ff"}) {
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

constexpr const char* kProfile = "4:0 4:20 00 01 02 00 00000002 'h' 00 0005 00000002 'k1' 0000 ";
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

// --- Reply (9.4.3)

TEST_P(Vector, Reply10And11) {
  const Bytes data = {0xaa, 0xbb};
  const ServiceContext c{1, data};
  for (int minor = 0; minor <= 1; ++minor) {
    const Bytes whole = message(minor, 1, "4:1 4:1 4:2 aabb 0000 4:7 4:0 4:42");
    EXPECT_EQ(build([&](cdr::Encoder& e) {
                return begin_reply(e, {1, static_cast<std::uint8_t>(minor)}, 7, ReplyStatus::NoException, {&c, 1});
              }, [](cdr::Encoder& e) { e.put_ulong(42); }), whole);
    auto d = open(whole);
    ReplyHeader r;
    ASSERT_TRUE(decode(d, version(), r, kLimits));
    EXPECT_EQ(r.request_id, 7u);
    EXPECT_EQ(copy(r.contexts[0].data), data);
    EXPECT_EQ(d.get_ulong(), 42u);
  }
}
TEST_P(Vector, Reply12HasABodyAlignedTo8) {
  const auto sets = code_set_context({ior::kUtf8, ior::kUtf16}, GetParam());
  const ServiceContext c{kCodeSetsContext, sets};
  const Bytes whole = message(2, 1, "4:7 4:0 4:1 4:1 4:12 F 000000 4:0x05010001 4:0x00010109 00000000 4:42");
  EXPECT_EQ(build([&](cdr::Encoder& e) { return begin_reply(e, kGiop12, 7, ReplyStatus::NoException, {&c, 1}); },
                  [](cdr::Encoder& e) { e.put_ulong(42); }), whole);
  auto d = open(whole);
  ReplyHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  ASSERT_NE(r.contexts.find(kCodeSetsContext), nullptr);
  EXPECT_EQ(parse_code_set_context(r.contexts.find(kCodeSetsContext)->data),
            (CodeSetContext{ior::kUtf8, ior::kUtf16}));
  EXPECT_EQ(d.phase(), 0u);
  EXPECT_EQ(d.get_ulong(), 42u);
}
TEST_P(Vector, ReplyStatusOfEveryVersion) {
  for (int minor = 0; minor <= 2; ++minor) {
    for (std::uint32_t status = 0; status <= 6; ++status) {
      const std::string s = "4:" + std::to_string(status);
      auto d = open(minor == 2 ? message(2, 1, "4:7 " + s + " 4:0") : message(minor, 1, "4:0 4:7 " + s));
      ReplyHeader r;
      const bool known = status <= (minor == 2 ? 5u : 3u);
      EXPECT_EQ(decode(d, version(), r, kLimits), known) << minor << ' ' << status;
      if (known) EXPECT_EQ(static_cast<std::uint32_t>(r.status), status);
      else EXPECT_EQ(d.fault(), Fault::BadEnum);
    }
  }
}
TEST_P(Vector, ReplyWithASystemException) {
  const Bytes whole = message(2, 1, "4:7 4:2 4:0 4:6 'IDL:A' 00 0000 4:0x4f4d0002 4:1");
  EXPECT_EQ(build([&](cdr::Encoder& e) { return begin_reply(e, kGiop12, 7, ReplyStatus::SystemException); },
                  [](cdr::Encoder& e) {
                    encode(e, SystemExceptionBody{"IDL:A", 0x4f4d0002, Completion::No});
                  }),
            whole);
  auto d = open(whole);
  ReplyHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  SystemExceptionBody b;
  ASSERT_TRUE(decode(d, b));
  EXPECT_EQ(b.repository_id, "IDL:A");
  EXPECT_EQ(b.minor, 0x4f4d0002u);
  EXPECT_EQ(b.completed, Completion::No);
}
TEST_P(Vector, SystemExceptionRefusesAnUnknownCompletion) {
  auto d = open(message(2, 1, "4:7 4:2 4:0 4:6 'IDL:A' 00 0000 4:0 4:3"));
  ReplyHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  SystemExceptionBody b;
  EXPECT_FALSE(decode(d, b));
  EXPECT_EQ(d.fault(), Fault::BadEnum);
}
TEST_P(Vector, ReplyForwards) {
  const ior::Ior to{"IDL:A", {{99, {0xab}}}};
  const Bytes whole = message(2, 1, "4:7 4:3 4:0 4:6 'IDL:A' 00 0000 4:1 4:99 4:1 ab");
  EXPECT_EQ(build([&](cdr::Encoder& e) { return begin_reply(e, kGiop12, 7, ReplyStatus::LocationForward); },
                  [&](cdr::Encoder& e) { ior::encode(e, to); }), whole);
  auto d = open(whole);
  ReplyHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  ior::Ior back;
  ASSERT_TRUE(ior::decode(d, back, kLimits));
  EXPECT_EQ(back, to);
}
TEST_P(Vector, ReplyWantsAnotherAddressing) {
  const Bytes whole = message(2, 1, "4:7 4:5 4:0 2:2");
  EXPECT_EQ(build([&](cdr::Encoder& e) { return begin_reply(e, kGiop12, 7, ReplyStatus::NeedsAddressingMode); },
                  [&](cdr::Encoder& e) { encode(e, AddressingDisposition::Reference); }), whole);
  auto d = open(whole);
  ReplyHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  AddressingDisposition how = AddressingDisposition::Key;
  EXPECT_TRUE(decode(d, how));
  EXPECT_EQ(how, AddressingDisposition::Reference);
}

// --- LocateRequest, LocateReply (9.4.5, 9.4.6), CancelRequest (9.4.4)

TEST_P(Vector, LocateRequest) {
  const Bytes key = octets("k1");
  for (int minor = 0; minor <= 2; ++minor) {
    const Bytes whole = message(minor, 3, minor == 2 ? "4:7 2:0 0000 4:2 'k1'" : "4:7 4:2 'k1'");
    EXPECT_EQ(build([&](cdr::Encoder& e) {
                return begin_locate_request(e, {1, static_cast<std::uint8_t>(minor)}, 7, Target::key(key));
              }), whole);
    auto d = open(whole);
    LocateRequestHeader r;
    ASSERT_TRUE(decode(d, version(), r, kLimits));
    EXPECT_EQ(r.request_id, 7u);
    EXPECT_EQ(copy(r.target.object_key), key);
  }
}
TEST_P(Vector, LocateReplyHasABodyWithoutExtraAlignment) {  // 9.4.6.2
  const ior::Ior to{"IDL:A", {{99, {0xab}}}};
  for (int minor = 0; minor <= 2; ++minor) {
    const Bytes whole = message(minor, 4, "4:7 4:2 4:6 'IDL:A' 00 0000 4:1 4:99 4:1 ab");
    EXPECT_EQ(build([&](cdr::Encoder& e) {
                return begin_locate_reply(e, {1, static_cast<std::uint8_t>(minor)}, 7, LocateStatus::ObjectForward);
              }, [&](cdr::Encoder& e) { ior::encode(e, to); }), whole);
    auto d = open(whole);
    LocateReplyHeader r;
    ASSERT_TRUE(decode(d, version(), r));
    EXPECT_EQ(r.status, LocateStatus::ObjectForward);
    ior::Ior back;
    ASSERT_TRUE(ior::decode(d, back, kLimits));
    EXPECT_EQ(back, to);
  }
}
TEST_P(Vector, LocateStatusOfEveryVersion) {
  for (int minor = 0; minor <= 2; ++minor) {
    for (std::uint32_t status = 0; status <= 6; ++status) {
      auto d = open(message(minor, 4, "4:7 4:" + std::to_string(status)));
      LocateReplyHeader r;
      EXPECT_EQ(decode(d, version(), r), status <= (minor == 2 ? 5u : 2u)) << minor << ' ' << status;
    }
  }
}
TEST_P(Vector, CancelRequestHoldsTheId) {
  auto d = open(message(1, 2, "4:0x01020304"));
  std::uint32_t id = 0;
  ASSERT_TRUE(decode_cancel(d, id));
  EXPECT_EQ(id, 0x01020304u);
}

// --- Service contexts (7.7)

TEST_P(Vector, MoreContextsThanFitInlineAreKept) {
  auto d = open(message(2, 1, "4:7 4:0 4:6 4:10 4:0 4:11 4:1 aa 000000 4:12 4:0 4:13 4:0 4:14 4:0 4:15 4:2 bbcc"));
  ReplyHeader r;
  ASSERT_TRUE(decode(d, version(), r, kLimits));
  ASSERT_EQ(r.contexts.size(), 6u);
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(r.contexts[i].id, 10 + i);
  EXPECT_EQ(copy(r.contexts.find(15)->data), (Bytes{0xbb, 0xcc}));
  EXPECT_EQ(r.contexts.find(16), nullptr);
}
TEST_P(Vector, ContextsHoldToTheirLimits) {
  const auto reply_with = [&](std::size_t contexts, std::size_t bytes_each) {
    Buffer b;
    cdr::Encoder e(b, GetParam());
    const Bytes data(bytes_each);
    const std::vector<ServiceContext> list(contexts, {9, data});
    const Started s = begin_reply(e, kGiop12, 7, ReplyStatus::NoException, list);
    EXPECT_EQ(finish_message(e, s), Fault::None);
    return copy(b.view());
  };
  const auto fault_of = [&](const Bytes& whole) {
    auto d = open(whole);
    ReplyHeader r;
    (void)decode(d, version(), r, kLimits);
    return d.fault();
  };
  EXPECT_EQ(fault_of(reply_with(64, 1)), Fault::None);
  EXPECT_EQ(fault_of(reply_with(65, 1)), Fault::LimitExceeded);
  EXPECT_EQ(fault_of(reply_with(1, kLimits.max_context_bytes)), Fault::None);
  EXPECT_EQ(fault_of(reply_with(1, kLimits.max_context_bytes + 1)), Fault::LimitExceeded);
}
TEST_P(Vector, ContextCountThatCannotFitIsAFault) {
  auto d = open(message(2, 1, "4:7 4:0 4:0x20000001 4:0 4:0"));
  ReplyHeader r;
  EXPECT_FALSE(decode(d, version(), r, kLimits));
  EXPECT_EQ(d.fault(), Fault::BadCount);
}
TEST_P(Vector, CodeSetContextRefusesWhatIsShort) {
  const auto whole = code_set_context({1, 2}, GetParam());
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(parse_code_set_context(ByteView(whole).subspan(0, n))) << n;
  EXPECT_TRUE(parse_code_set_context(whole));
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
