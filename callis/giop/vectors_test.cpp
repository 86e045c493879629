// SPDX-License-Identifier: Apache-2.0
// Every message header but a Request's, byte for byte, in every version and both byte orders (CORBA 3.3 part 2, 9.4).
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

INSTANTIATE_TEST_SUITE_P(Giop, Vector, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "Big" : "Little"; });

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

}  // namespace
}  // namespace callis::giop
