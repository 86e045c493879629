// SPDX-License-Identifier: Apache-2.0
// Unions (CORBA 3.3 part 2, 9.3.2.2): the discriminator, then the member that it selects.
#include <callis/base/arena.h>
#include <callis/base/limits.h>
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/testing/values.h>
#include <callis/marshal/testing/words.h>
#include <callis/marshal/values.h>
#include <gtest/gtest.h>

namespace callis::marshal {
namespace {

using testing::Bytes;
using testing::decoded;
using testing::encoded;
using testing::kBoolean;
using testing::kDouble;
using testing::kLong;
using testing::kOctet;
using testing::kShort;
using testing::kString;
using testing::Types;
using testing::Value;

struct Made {
  Types types;
  Unit unit{};
  Word type = 0;
  std::shared_ptr<const Plan> plan;

  void make(Word t) {
    type = t;
    unit = types.unit();
    plan = make_plan(unit, t);
  }
};

// union U switch (long) { case 1: long l; case 2: string s; case 5: default: double d; };
struct LongUnion : ::testing::Test, Made {
  LongUnion() { make(types.one_of(kLong, {kLong, kString, kDouble}, {{1, 0}, {2, 1}, {5, 2}}, 2)); }
};

TEST_F(LongUnion, LiesInMemoryLikeAStructOfTagAndUnion) {
  struct U {
    std::int32_t d;
    union { std::int32_t l; char* s; double x; } u;
  };
  EXPECT_EQ(native_size(*plan), sizeof(U));
  EXPECT_EQ(native_alignment(*plan), alignof(U));
  EXPECT_EQ(testing::union_of(*plan).area, offsetof(U, u));
}

// union U switch (boolean) { case TRUE: octet a[0x10000000]; };  sequence<U>: 16 of them take more than 4 GiB.
TEST(Unions, WhoseMemoryWrapsAroundInASequenceAreRefused) {
  Types types;
  const Word u = types.one_of(kBoolean, {types.array(kOctet, 1u << 28)}, {{1, 0}});
  const Word all = types.sequence(u);
  const auto plan = make_plan(types.unit(), all);
  Value v(*plan);
  Bytes wire(4 + 16, 0);
  wire[3] = 16;
  const Limits limits;
  for (const bool borrows : {false, true}) {
    Arena arena;
    cdr::Budget budget = cdr::Budget::of(limits, wire.size());
    cdr::Decoder d(wire, ByteOrder::Big, budget);
    EXPECT_FALSE(decode_block(*plan->program, plan->block, v.data(), d, borrows ? &arena : nullptr));
    EXPECT_EQ(d.fault(), Fault::BudgetExceeded);
  }
}

TEST_F(LongUnion, SendsTheMemberThatItsDiscriminatorSelects) {
  Value v(*plan);
  store<std::int32_t>(v.data(), 1);
  store<std::int32_t>(v.data() + 8, 7);
  EXPECT_EQ(encoded(*plan, v, ByteOrder::Big), (Bytes{0, 0, 0, 1, 0, 0, 0, 7}));
  EXPECT_EQ(encoded(*plan, v, ByteOrder::Little), (Bytes{1, 0, 0, 0, 7, 0, 0, 0}));
  store<std::int32_t>(v.data(), 9);
  store<double>(v.data() + 8, 1.0);
  EXPECT_EQ(encoded(*plan, v, ByteOrder::Big), (Bytes{0, 0, 0, 9, 0, 0, 0, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0}));
  store<std::int32_t>(v.data(), 0);
}

TEST_F(LongUnion, ReadsTheMemberThatItsDiscriminatorSelects) {
  Value v(*plan);
  EXPECT_EQ(decoded(*plan, v, {0, 0, 0, 2, 0, 0, 0, 2, 'x', 0}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(load<std::int32_t>(v.data()), 2);
  EXPECT_STREQ(load<const char*>(v.data() + 8), "x");
  EXPECT_EQ(decoded(*plan, v, {0, 0, 0, 5, 0, 0, 0, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(load<double>(v.data() + 8), 1.0);
  EXPECT_EQ(decoded(*plan, v, {1, 0, 0, 0, 7, 0, 0, 0}, ByteOrder::Little), Fault::None);
  EXPECT_EQ(load<std::int32_t>(v.data() + 8), 7);
}

TEST_F(LongUnion, IsValidAfterAFaultInItsMember) {
  Value v(*plan);
  ASSERT_EQ(decoded(*plan, v, {0, 0, 0, 2, 0, 0, 0, 2, 'x', 0}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(decoded(*plan, v, {0, 0, 0, 2, 0, 0, 0, 2, 'x', 'y'}, ByteOrder::Big), Fault::BadString);
  EXPECT_EQ(load<const char*>(v.data() + 8), nullptr);
  EXPECT_EQ(decoded(*plan, v, {0, 0}, ByteOrder::Big), Fault::Truncated);
}

TEST_F(LongUnion, IsPrinted) {
  Value v(*plan);
  char room[40];
  store<std::int32_t>(v.data(), 1);
  store<std::int32_t>(v.data() + 8, 7);
  EXPECT_STREQ((print(unit, type, v.data(), room), room), "{1: 7}");
  store<std::int32_t>(v.data(), -1);
  store<double>(v.data() + 8, 2.5);
  EXPECT_STREQ((print(unit, type, v.data(), room), room), "{-1: 2.5}");
}

TEST(Union, WithoutASelectedMemberIsItsDiscriminatorAlone) {
  Made m;
  m.make(m.types.structure({m.types.one_of(kShort, {kLong}, {{3, 0}}), kOctet}));
  Value v(*m.plan);
  store<std::int16_t>(v.data(), 4);
  v.data()[8] = 9;
  EXPECT_EQ(encoded(*m.plan, v, ByteOrder::Big), (Bytes{0, 4, 9}));
  EXPECT_EQ(decoded(*m.plan, v, {0, 5, 8}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(load<std::int16_t>(v.data()), 5);
  EXPECT_EQ(v.data()[8], 8);
  char room[20];
  EXPECT_STREQ((print(m.unit, m.type, v.data(), room), room), "{{5}, 8}");
}

TEST(Union, BooleansAndEnumsAreCheckedOnTheWire) {
  Made b, e;
  b.make(b.types.one_of(kBoolean, {kOctet}, {{1, 0}}));
  e.make(e.types.one_of(type_word(Kind::Enum, 3), {kOctet, kString}, {{0, 0}, {2, 1}}));
  Value v(*b.plan), w(*e.plan);
  EXPECT_EQ(decoded(*b.plan, v, {2, 7}, ByteOrder::Big), Fault::BadBoolean);
  EXPECT_EQ(decoded(*b.plan, v, {1, 7}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(decoded(*e.plan, w, {0, 0, 0, 3, 7}, ByteOrder::Big), Fault::BadEnum);
  EXPECT_EQ(decoded(*e.plan, w, {0, 0, 0, 2, 0, 0, 0, 1, 0}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(decoded(*e.plan, w, {0, 0, 0, 3, 7}, ByteOrder::Big), Fault::BadEnum);
  EXPECT_EQ(load<std::uint32_t>(w.data()), 2u) << "the old value stays";
  store<std::uint32_t>(w.data(), 3);
  Fault f;
  encoded(*e.plan, w, kNativeOrder, 0, &f);
  EXPECT_EQ(f, Fault::BadEnum);
}

struct Tag {
  const char* name;
  Kind kind;
  std::uint64_t label;
  Bytes wire;  // of the label, big-endian
};
class EveryDiscriminator : public ::testing::TestWithParam<Tag> {};

TEST_P(EveryDiscriminator, SelectsByTheWholeNumber) {
  const Tag& t = GetParam();
  Made m;
  m.make(m.types.one_of(type_word(t.kind), {kOctet, kString}, {{t.label, 1}, {1, 0}}));
  Value v(*m.plan);
  Bytes in = t.wire;
  while (in.size() % 4 != 0) in.push_back(0);
  const Bytes text{0, 0, 0, 2, 'x', 0};
  in.insert(in.end(), text.begin(), text.end());
  ASSERT_EQ(decoded(*m.plan, v, in, ByteOrder::Big), Fault::None);
  EXPECT_STREQ(load<const char*>(v.data() + testing::union_of(*m.plan).area), "x");
  EXPECT_EQ(encoded(*m.plan, v, ByteOrder::Big), in);
}

INSTANTIATE_TEST_SUITE_P(
    , EveryDiscriminator,
    ::testing::Values(Tag{"octet", Kind::Octet, 0xFF, {0xFF}}, Tag{"char", Kind::Char, 0xE4, {0xE4}},
                      Tag{"short", Kind::Short, static_cast<std::uint64_t>(-2), {0xFF, 0xFE}},
                      Tag{"unsigned_short", Kind::UShort, 0xFFFE, {0xFF, 0xFE}},
                      Tag{"long", Kind::Long, static_cast<std::uint64_t>(-2), {0xFF, 0xFF, 0xFF, 0xFE}},
                      Tag{"unsigned_long", Kind::ULong, 0x80000000, {0x80, 0, 0, 0}},
                      Tag{"long_long",
                          Kind::LongLong,
                          static_cast<std::uint64_t>(-2),
                          {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE}},
                      Tag{"unsigned_long_long", Kind::ULongLong, 0x100000001, {0, 0, 0, 1, 0, 0, 0, 1}},
                      Tag{"wchar", Kind::WChar, 0x20AC, {2, 0x20, 0xAC}}),
    [](const auto& about) { return about.param.name; });

TEST(Union, LabelsThatAreConsecutiveOrNotAreFound) {
  for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{3}}) {
    Made m;
    std::vector<Word> members;
    std::vector<Types::Label> labels;
    for (Word i = 0; i < 40; ++i) {
      members.push_back(m.types.array(kOctet, i + 1));
      labels.push_back({step * i - 20, i});
    }
    m.make(m.types.one_of(kLong, members, labels));
    EXPECT_EQ(testing::union_of(*m.plan).dense(), false) << "below zero and above is a gap";
    for (int i = -25; i < 140; ++i) {
      Value v(*m.plan);
      store<std::int32_t>(v.data(), i);
      const bool known = i >= -20 && (i + 20) % static_cast<int>(step) == 0 && (i + 20) / static_cast<int>(step) < 40;
      EXPECT_EQ(encoded(*m.plan, v, ByteOrder::Big).size(), known ? 5u + static_cast<unsigned>(i + 20) / step : 4u)
          << i;
    }
  }
  Made dense;
  dense.make(dense.types.one_of(kOctet, {kOctet}, {{7, 0}, {8, 0}, {9, 0}}));
  EXPECT_TRUE(testing::union_of(*dense.plan).dense());
  for (Byte i = 0; i < 20; ++i) {
    Value v(*dense.plan);
    v.data()[0] = i;
    EXPECT_EQ(encoded(*dense.plan, v, ByteOrder::Big).size(), i >= 7 && i <= 9 ? 2u : 1u);
  }
}

TEST(Union, ContainsItselfThroughASequence) {
  Made m;
  // union U switch (boolean) { case TRUE: sequence<U> s; case FALSE: octet o; };
  const Word u = type_word(Kind::Ref, static_cast<Word>(m.types.words.size()));
  m.types.one_of(kBoolean, {0, kOctet}, {{0, 1}, {1, 0}});
  const Word s = m.types.sequence(u);
  m.types.words[payload_of(u) + 4] = s;
  m.make(u);
  Value v(*m.plan), w(*m.plan);
  const Bytes in{1, 0, 0, 0, 0, 0, 0, 2, 0, 5, 1, 0, 0, 0, 0, 1, 0, 6};
  ASSERT_EQ(decoded(*m.plan, v, in, ByteOrder::Big), Fault::None);
  EXPECT_EQ(encoded(*m.plan, v, ByteOrder::Big), in);
  EXPECT_TRUE(copy(*m.plan, v.data(), w.data()));
  EXPECT_TRUE(equal(*m.plan, v.data(), w.data()));
  EXPECT_EQ(hash(*m.plan, v.data()), hash(*m.plan, w.data()));
  char room[60];
  EXPECT_STREQ((print(m.unit, m.type, v.data(), room), room), "{TRUE: [{FALSE: 5}, {TRUE: [{FALSE: 6}]}]}");
  Bytes deep;
  for (int i = 0; i < 70; ++i) deep.insert(deep.end(), {1, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(decoded(*m.plan, w, deep, ByteOrder::Big), Fault::TooDeep);
}

// Unions within unions, without anything that owns memory, are on the stack, too.
TEST(Union, EachIsALevelOfNesting) {
  for (const std::uint32_t levels : {64u, 65u}) {
    Made m;
    Word type = kLong;
    Bytes wire;
    for (std::uint32_t i = 0; i < levels; ++i) {
      type = m.types.one_of(kOctet, {type}, {{1, 0}});
      wire.push_back(1);
    }
    m.make(type);
    wire.resize(align_up(wire.size(), 4));
    wire.insert(wire.end(), {0, 0, 0, 7});
    Value v(*m.plan);
    const Fault expected = levels > 64 ? Fault::TooDeep : Fault::None;
    EXPECT_EQ(decoded(*m.plan, v, wire, ByteOrder::Big), expected) << levels;
    for (bool (*const walk)(const Plan&, cdr::Decoder&) : {&skip, &validate}) {
      cdr::Budget budget{1u << 20, 64};
      cdr::Decoder d(wire, ByteOrder::Big, budget);
      EXPECT_EQ(walk(*m.plan, d), levels <= 64);
      EXPECT_EQ(d.fault(), expected);
      if (levels <= 64) {
        EXPECT_EQ(budget.depth_left, 64u);
      }
    }
  }
}

// Arrays that stay in place count for the alignment of the following data (cdr::Gather).
TEST(Union, LongArraysOfMembersAreGathered) {
  Made m;
  const Word u = m.types.one_of(kOctet, {m.types.sequence(kOctet)}, {{1, 0}});
  m.make(m.types.structure({u, kLong}));
  Value v(*m.plan);
  const std::uint32_t n = cdr::Gather::kLeastBytes + 1;
  void* const octets = buffer_allocate(n, 1);
  std::memset(octets, 7, n);
  v.data()[0] = 1;
  const SequenceHeader s{n, n, octets, true};
  struct InMemory {
    Byte d;
    SequenceHeader s;
    std::int32_t l;
  };
  std::memcpy(v.data() + offsetof(InMemory, s), &s, sizeof s);
  store<std::int32_t>(v.data() + offsetof(InMemory, l), 0x01020304);
  Buffer b;
  cdr::Encoder e(b, ByteOrder::Big);
  cdr::Gather g;
  e.set_gather(&g);
  ASSERT_TRUE(encode(*m.plan, v.data(), e));
  e.finish();
  ASSERT_EQ(g.count, 1u);
  EXPECT_EQ(g.pieces[0].at, 8u);
  EXPECT_EQ(g.pieces[0].bytes.data(), octets);
  EXPECT_EQ(Bytes(b.data(), b.data() + b.size()), (Bytes{1, 0, 0, 0, 0, 0, 0x40, 0x01, 0, 0, 0, 1, 2, 3, 4}));
}

// An `in` argument of a server: nothing is owned, strings stay in the message.
TEST(Union, IsBorrowedFromTheMessage) {
  static PlanCell cell;
  std::vector<Word> words{
      0, type_word(Kind::Union, 2), kLong, kNoDefault, 2, kString, type_word(Kind::WString), 1, 0, 0, 2, 0, 1};
  words.insert(words.end(), {op_word(0, 1), 0, 1, type_word(Kind::Void), type_word(Kind::Ref, 1)});
  static const std::vector<Word> kept = words;
  const OperationPlans* const plans = operation_plans({kept.data(), "f", nullptr, &cell, &kExtension}, 13);
  EXPECT_FALSE(plans->server_frame_owns);
  struct Server { std::int32_t d; const void* text; } frame{};
  Bytes in{0, 0, 0, 1, 0, 0, 0, 2, 'x', 0};
  auto budget = testing::plenty();
  Arena arena;
  cdr::Decoder d(in, ByteOrder::Big, budget);
  d.set_arena(&arena);
  ASSERT_TRUE(decode(*plans->server_request, &frame, d));
  EXPECT_EQ(frame.text, in.data() + 8);
  in = {0, 0, 0, 2, 0, 0, 0, 2, 0, 'w'};
  cdr::Decoder wide(in, ByteOrder::Big, budget);
  wide.set_arena(&arena);
  ASSERT_TRUE(decode(*plans->server_request, &frame, wide));
  EXPECT_EQ(std::wstring(static_cast<const wchar_t*>(frame.text)), L"w");
}

TEST(Union, OfAUnitWithoutTheExtensionIsUnsupported) {
  Made m;
  m.make(m.types.structure({kOctet, m.types.one_of(kLong, {kString}, {{1, 0}}), type_word(Kind::WString)}));
  Unit poor = m.unit;
  poor.extension = nullptr;
  const auto plan = make_plan(poor, m.type);
  Value v(*plan);
  EXPECT_EQ(decoded(*plan, v, {1, 0, 0, 0, 0, 0, 0, 5}, ByteOrder::Big), Fault::Unsupported);
  Fault f;
  encoded(*plan, v, ByteOrder::Big, 0, &f);
  EXPECT_EQ(f, Fault::Unsupported);
}

TEST(Union, MembersOfOneTypeShareTheirCode) {
  Made m;
  m.make(m.types.one_of(kLong, {kString, kString, kLong}, {{1, 0}, {2, 1}, {3, 2}}));
  const Label* const labels = &m.plan->program->at<Label>(testing::union_of(*m.plan).first_label);
  EXPECT_EQ(labels[0].block, labels[1].block);
  EXPECT_NE(labels[0].block, labels[2].block);
}

TEST(Union, ThatOwnsNothingIsNotDestroyed) {
  Made m;
  m.make(m.types.one_of(kLong, {kLong, kDouble}, {{1, 0}, {2, 1}}));
  EXPECT_FALSE(m.plan->owns);
}

}  // namespace
}  // namespace callis::marshal
