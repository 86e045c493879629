// SPDX-License-Identifier: Apache-2.0
// Headers of requests that are known again.
#include <callis/giop/giop.h>
#include <callis/orb/server/header_cache.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>

namespace callis::orb {
namespace {

using giop::Target;

struct Headers : ::testing::Test {
  HeaderCache headers;
  const Limits limits{};

  static std::vector<Byte> message(const std::string& operation, std::uint32_t id = 1, std::uint32_t argument = 42,
                                   ByteOrder order = kNativeOrder, Byte key = 1,
                                   std::span<const giop::ServiceContext> contexts = {}) {
    Buffer b;
    {
      cdr::Encoder e(b, order);
      const giop::Started s = giop::begin_request(
          e, giop::kGiop12,
          {.request_id = id, .target = Target::key({&key, 1}), .operation = operation, .contexts = contexts});
      e.put_ulong(argument);
      EXPECT_EQ(giop::finish_message(e, s), Fault::None);
    }
    return {b.data(), b.data() + b.size()};
  }
  // Reads the message as a session does, and has its header kept.
  HeaderCache::Entry* remember(const std::vector<Byte>& bytes) {
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
    const HeaderCache::Entry* s = headers.find(bytes);
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

// As a client with more objects than headers are kept.
TEST_F(Headers, are_known_by_all_but_the_key_once_there_is_no_room_for_more) {
  for (Byte key = 1; key <= HeaderCache::kCount; ++key) remember(message("a", 1, 42, kNativeOrder, key));
  for (int i = 0; i < 100; ++i) {
    const Byte key = static_cast<Byte>(10 + i * 7);
    const std::vector<Byte> bytes = message("a", 5, 6, kNativeOrder, key);
    HeaderCache::Entry* const s = headers.find(bytes);
    ASSERT_NE(s, nullptr);
    ASSERT_EQ(s->header.target.object_key.size(), 1u);
    EXPECT_EQ(s->header.target.object_key[0], key);
    EXPECT_EQ(s->header.operation, "a");
    EXPECT_TRUE(s->other_key || !s->memo.owner);
  }
  EXPECT_EQ(find(message("b", 1, 42, kNativeOrder, 1)), "");
  EXPECT_EQ(find(message("a", 1, 42, other(kNativeOrder), 1)), "");
}

// A view of no bytes may point nowhere. The kept view must do the same, or it would point to bytes that nobody has.
TEST_F(Headers, with_a_context_of_no_bytes_keep_none) {
  const giop::ServiceContext empty{giop::kRtCorbaPriorityContext, {}};
  const HeaderCache::Entry* const s = remember(message("a", 1, 42, kNativeOrder, 1, {&empty, 1}));
  ASSERT_NE(s, nullptr);
  ASSERT_EQ(s->header.contexts.size(), 1u);
  const ByteView data = s->header.contexts[0].data;
  EXPECT_TRUE(data.empty());
  const std::less_equal<const Byte*> before;
  const Byte *const first = s->bytes.data(), *const last = first + s->bytes.size();
  EXPECT_TRUE(!data.data() || (before(first, data.data()) && before(data.data(), last)));
}

TEST_F(Headers, keep_their_memos_for_their_own_key) {
  const int owner = 0;
  for (Byte key = 1; key <= HeaderCache::kCount; ++key)
    remember(message("a", 1, 42, kNativeOrder, key))->memo.owner = &owner;
  const std::vector<Byte> foreign = message("a", 1, 42, kNativeOrder, 99), own = message("a", 1, 42, kNativeOrder, 1);
  HeaderCache::Entry* s = headers.find(foreign);
  ASSERT_NE(s, nullptr);
  EXPECT_TRUE(s->other_key);
  s = headers.find(own);
  ASSERT_NE(s, nullptr);
  EXPECT_FALSE(s->other_key);
  EXPECT_EQ(s->header.target.object_key[0], 1);
  EXPECT_EQ(s->memo.owner, &owner);
}

TEST_F(Headers, go_over_to_a_key_that_stays) {
  const int owner = 0;
  for (Byte key = 1; key <= HeaderCache::kCount; ++key)
    remember(message("a", 1, 42, kNativeOrder, key))->memo.owner = &owner;
  const std::vector<Byte> bytes = message("a", 1, 42, kNativeOrder, 99);
  int calls = 0;
  while (headers.find(bytes)->other_key) ASSERT_LT(++calls, 100);
  EXPECT_EQ(headers.find(bytes)->memo.owner, nullptr) << "what was noted was about another object";
  EXPECT_FALSE(headers.find(bytes)->other_key);
}

TEST_F(Headers, give_way_to_newer_ones_and_take_their_memos_along) {
  const int owner = 0;
  remember(message("0"))->memo.owner = &owner;
  for (std::size_t i = 1; i <= HeaderCache::kCount; ++i)
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
  for (std::size_t n = 0; n < m.size() - 4; ++n)
    EXPECT_EQ(find({m.begin(), m.begin() + static_cast<long>(n)}), "") << n;
}

// RT-CORBA 1.2, 2.5.1: a client of CLIENT_PROPAGATED says its priority with each request.
TEST_F(Headers, with_a_priority_are_known_by_it) {
  const Byte low_data[] = {Byte{0}, Byte{0}, Byte{0}, Byte{5}}, high_data[] = {Byte{0}, Byte{0}, Byte{0}, Byte{9}};
  const giop::ServiceContext low{giop::kRtCorbaPriorityContext, low_data};
  const giop::ServiceContext high{giop::kRtCorbaPriorityContext, high_data};
  {
    const auto gone = message("a", 1, 42, kNativeOrder, 1, {&low, 1});
    ASSERT_NE(remember(gone), nullptr);
  }
  const HeaderCache::Entry* const known = headers.find(message("a", 2, 43, kNativeOrder, 1, {&low, 1}));
  ASSERT_NE(known, nullptr);
  const giop::ServiceContext* const said = known->header.contexts.find(giop::kRtCorbaPriorityContext);
  ASSERT_NE(said, nullptr);
  EXPECT_TRUE(std::ranges::equal(said->data, low_data));
  EXPECT_EQ(find(message("a", 3, 44, kNativeOrder, 1, {&high, 1})), "");
  EXPECT_EQ(find(message("a")), "");
}

TEST_F(Headers, with_other_contexts_are_not_kept) {
  const Byte data[] = {Byte{0}, Byte{0}, Byte{0}, Byte{5}};
  const giop::ServiceContext two[] = {{giop::kRtCorbaPriorityContext, data}, {0x43414c00, data}};
  EXPECT_EQ(remember(message("a", 1, 42, kNativeOrder, 1, two)), nullptr);
  EXPECT_EQ(remember(message("a", 1, 42, kNativeOrder, 1, {&two[1], 1})), nullptr);
}

TEST_F(Headers, that_are_huge_are_not_kept) {
  EXPECT_EQ(remember(message(std::string(HeaderCache::kMaxBytes, 'x'))), nullptr);
}

}  // namespace
}  // namespace callis::orb
