// SPDX-License-Identifier: Apache-2.0
// The engine on types chosen by hand: wire form, bounds, recursion, faults.
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/plan.h>
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/testing/values.h>
#include <callis/marshal/testing/words.h>
#include <gtest/gtest.h>

namespace callis::marshal {
namespace {

using testing::Bytes;
using testing::decoded;
using testing::element_run_of;
using testing::encoded;
using testing::kBoolean;
using testing::kChar;
using testing::kDouble;
using testing::kLong;
using testing::kOctet;
using testing::kShort;
using testing::kString;
using testing::plenty;
using testing::Random;
using testing::run_of;
using testing::Types;
using testing::Value;

// ---- the papers' struct: short, char, long, octet, double, octet[8]
struct BinStructTest : ::testing::Test {
  Types types;
  Word bin = types.structure({kShort, kChar, kLong, kOctet, kDouble, types.array(kOctet, 8)});
  Unit unit = types.unit();
};

TEST_F(BinStructTest, IsThirtyTwoBytesInMemory) {
  EXPECT_EQ(layout_of(unit, bin).size, 32u);
  EXPECT_EQ(layout_of(unit, bin).alignment, 8u);
}

TEST_F(BinStructTest, IsOneRunWithOneBoundsCheck) {
  const auto p = make_plan(unit, bin);
  ASSERT_EQ(instructions(*p->program), 2u);
  EXPECT_EQ(first_instruction(*p->program)[0].op, Op::Run);
  EXPECT_EQ(first_instruction(*p->program)[1].op, Op::End);
}

TEST_F(BinStructTest, AtPhaseZeroTheWireFormIsTheNativeFormButForZeroedPadding) {
  const auto p = make_plan(unit, bin);
  ASSERT_TRUE(run_of(*p).starts_at(0));
  EXPECT_EQ(run_of(*p).whole().wire_bytes, 32u);
  Value v(*p);
  for (std::size_t i = 0; i < 32; ++i) v.data()[i] = static_cast<Byte>(i + 1);
  Bytes expected(v.data(), v.data() + 32);
  expected[3] = 0;
  for (std::size_t i = 9; i < 16; ++i) expected[i] = 0;
  EXPECT_EQ(encoded(*p, v, kNativeOrder), expected);
}

TEST_F(BinStructTest, SendsNoPaddingBytesOfTheSender) {
  const auto p = make_plan(unit, bin);
  Value v(*p);
  std::memset(v.data(), 0xEE, 32);
  const Bytes b = encoded(*p, v, kNativeOrder);
  EXPECT_EQ(b[3], 0);
  for (std::size_t i = 9; i < 16; ++i) EXPECT_EQ(b[i], 0) << i;
  std::memset(v.data(), 0, 32);
}

TEST_F(BinStructTest, BigEndianBytesAreThoseOfTheSpecification) {
  const auto p = make_plan(unit, bin);
  Value v(*p);
  store<std::int16_t>(v.data(), 0x0102);
  v.data()[2] = 'c';
  store<std::int32_t>(v.data() + 4, 0x03040506);
  v.data()[8] = 7;
  store(v.data() + 16, 1.0);
  v.data()[24] = 9;
  EXPECT_EQ(encoded(*p, v, ByteOrder::Big),
            (Bytes{1, 2, 'c', 0, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0,
                   9, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(BinStructTest, SequencesSettleIntoOneStrideAfterTheFirstElement) {
  const Word seq = types.sequence(bin);
  unit = types.unit();
  const auto p = make_plan(unit, seq);
  const marshal::Run& run = element_run_of(*p);
  // After the count: phase 4 or 0; each element ends at phase 0.
  EXPECT_TRUE(run.starts_at(0));
  EXPECT_FALSE(run.starts_at(4));
  EXPECT_EQ(run.whole().wire_bytes, 32u);
  EXPECT_EQ(wire_bytes(run, 4), 28u);
}

// short and char, long and octet, double and octets: each begins with a member of a greater alignment.
TEST_F(BinStructTest, FromAnUnknownPhaseGoesInPartsThatHaveOneFormEach) {
  const auto p = make_plan(unit, bin);
  const marshal::Run& run = run_of(*p);
  ASSERT_EQ(run.parts, 3u);
  const Part* const parts = run.first_part();
  EXPECT_EQ((std::vector{parts[0].alignment, parts[1].alignment, parts[2].alignment}),
            (std::vector<std::uint32_t>{2, 4, 8}));
  EXPECT_EQ((std::vector{parts[0].wire_bytes, parts[1].wire_bytes, parts[2].wire_bytes}),
            (std::vector<std::uint32_t>{3, 5, 16}));
}

TEST_F(BinStructTest, MovesInShufflesInEitherByteOrder) {
  if (!abi_of(unit).vectors) GTEST_SKIP() << "not on this machine";
  const Word seq = types.sequence(bin);
  unit = types.unit();
  const auto plan = make_plan(unit, seq);
  const Part& whole = element_run_of(*plan).whole();
  EXPECT_EQ(whole.decode.moves()->kind(), Move::Copy) << "it lies there as in memory";
  for (const MoveList* list : {&whole.encode, &whole.swapped}) {
    EXPECT_EQ(list->moves()->kind(), Move::Shuffles);
    EXPECT_EQ(list->count(), 1u);
    EXPECT_LE(list->moves()->count(), 3u);
  }
}

// The same bytes, by the loop that other processors take.
TEST_F(BinStructTest, ShufflesAreTheSameWithoutTheirInstruction) {
  alignas(16) Byte from[64], vectors[80], bytes[80];
  for (std::size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<Byte>(i + 1);
  const auto p = make_plan(unit, bin);
  const MoveList& list = run_of(*p).whole().swapped;
  std::memset(vectors, 0, sizeof vectors);
  std::memset(bytes, 0, sizeof bytes);
  get_rare(list.moves(), from, vectors);
  if (!list.vectors()) GTEST_SKIP() << "not on this machine";
  move_by_bytes(*list.moves(), bytes + list.moves()->native, from + list.moves()->wire);
  EXPECT_EQ(std::memcmp(vectors, bytes, sizeof bytes), 0);
}

// Decoding in blocks of 16 bytes must not reach into neighbours.
TEST(Shuffle, DecodingARunLeavesTheMembersAroundItAlone) {
  Types t;
  const Word s = t.structure({kString, kLong, kDouble, kShort, kOctet, kDouble, kString});
  const Unit u = t.unit();
  const auto p = make_plan(u, s);
  Value v(*p), w(*p);
  Random random(11);
  testing::random_value(u, s, v.data(), random);
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    const Bytes b = encoded(*p, v, order);
    ASSERT_EQ(decoded(*p, w, b, order), Fault::None);
    EXPECT_EQ(encoded(*p, w, order), b);
  }
}

// ---- flattening
TEST(Plan, NestedStructsAndArraysOfFixedSizeBecomeOneRun) {
  Types t;
  const Word inner = t.structure({kLong, kChar});
  const Word outer = t.structure({kShort, inner, t.array(inner, 3), kDouble});
  const Unit u = t.unit();
  const auto p = make_plan(u, outer);
  EXPECT_EQ(instructions(*p->program), 2u);
}
TEST(Plan, LongArraysOfStructsBecomeALoop) {
  Types t;
  const Word a = t.array(t.structure({kLong, kChar}), 1000);
  const Unit u = t.unit();
  const auto p = make_plan(u, a);
  EXPECT_EQ(testing::all(*p, Op::ArrFixed).size(), 1u);
  EXPECT_EQ(testing::element_run_of(*p, Op::ArrFixed).items, 2u);
}
TEST(Plan, PrimitiveArraysAreOneItemHoweverLong) {
  Types t;
  const Word a = t.array(kDouble, 100000);
  const Unit u = t.unit();
  const auto p = make_plan(u, a);
  EXPECT_EQ(testing::run_of(*p).items, 1u);
  EXPECT_EQ(native_size(*p), 800000u);
}

// ---- rules on what a peer sends
struct Rule {
  Types t;
  Fault decode_fault(Word type, const Bytes& bytes, cdr::Budget budget = plenty()) {
    const Unit u = t.unit();
    const auto p = make_plan(u, type);
    Value v(*p);
    return decoded(*p, v, bytes, ByteOrder::Big, 0, budget);
  }
};

TEST(DecodeRule, BooleanTwoIsRefused) {
  Rule r;
  const Word s = r.t.structure({kOctet, kBoolean, kOctet});
  EXPECT_EQ(r.decode_fault(s, {1, 1, 1}), Fault::None);
  EXPECT_EQ(r.decode_fault(s, {1, 2, 1}), Fault::BadBoolean);
}
TEST(DecodeRule, BooleanInSequenceIsChecked) {
  Rule r;
  const Word s = r.t.sequence(kBoolean);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 2, 1, 0}), Fault::None);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 2, 1, 9}), Fault::BadBoolean);
}
TEST(DecodeRule, BooleanInsideSequenceOfStructsIsChecked) {
  Rule r;
  const Word s = r.t.sequence(r.t.structure({kOctet, kBoolean}));
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 2, 7, 0, 7, 1}), Fault::None);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 2, 7, 0, 7, 3}), Fault::BadBoolean);
}
TEST(DecodeRule, EnumBeyondItsEnumeratorsIsRefused) {
  Rule r;
  EXPECT_EQ(r.decode_fault(type_word(Kind::Enum, 3), {0, 0, 0, 2}), Fault::None);
  Rule q;
  EXPECT_EQ(q.decode_fault(type_word(Kind::Enum, 3), {0, 0, 0, 3}), Fault::BadEnum);
}
TEST(DecodeRule, EnumInSequenceIsChecked) {
  Rule r;
  const Word s = r.t.sequence(type_word(Kind::Enum, 2));
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 1, 0, 0, 0, 1}), Fault::None);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 1, 0, 0, 0, 2}), Fault::BadEnum);
}
TEST(DecodeRule, BoundedSequenceHoldsToItsBound) {
  Rule r;
  const Word s = r.t.sequence(kOctet, 2);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 2, 1, 2}), Fault::None);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 3, 1, 2, 3}), Fault::BadBound);
}
TEST(DecodeRule, BoundedStringHoldsToItsBound) {
  Rule r;
  EXPECT_EQ(r.decode_fault(type_word(Kind::String, 2), {0, 0, 0, 4, 'a', 'b', 'c', 0}), Fault::BadBound);
}
TEST(DecodeRule, SequenceOfStringsCountsFiveBytesAnElement) {
  Rule r;
  const Word s = r.t.sequence(kString);
  EXPECT_EQ(r.decode_fault(s, {0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0}), Fault::BadCount);
}
TEST(DecodeRule, HugeCountIsRefusedBeforeMemoryIsTaken) {
  Rule r;
  const Word s = r.t.sequence(kDouble);
  EXPECT_EQ(r.decode_fault(s, {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}), Fault::BadCount);
}
TEST(DecodeRule, MemoryBeyondTheBudgetIsRefused) {
  Rule r;
  // A SequenceHeader for each empty inner sequence of 4 bytes
  const Word s = r.t.sequence(r.t.sequence(kOctet));
  Bytes b(4 + 4 * 100, 0);
  b[3] = 100;
  constexpr std::size_t kAll = 100 * sizeof(SequenceHeader);
  EXPECT_EQ(r.decode_fault(s, b, {kAll, 64}), Fault::None);
  EXPECT_EQ(r.decode_fault(s, b, {kAll - 1, 64}), Fault::BudgetExceeded);
}

// struct Node { sequence<Node> children; }
struct RecursiveType : ::testing::Test {
  Types t;
  Word node;
  RecursiveType() {
    const Word at = static_cast<Word>(t.words.size());
    node = type_word(Kind::Ref, at);
    t.words.insert(t.words.end(), {type_word(Kind::Struct, 1), type_word(Kind::Ref, at + 2),
                                   type_word(Kind::Sequence), 0, node});
  }
  Bytes nested(unsigned depth) {
    Bytes b;
    for (unsigned i = 0; i < depth; ++i) b.insert(b.end(), {0, 0, 0, 1});
    b.insert(b.end(), {0, 0, 0, 0});
    return b;
  }
  Fault decode_nested(unsigned depth) {
    const Unit u = t.unit();
    const auto p = make_plan(u, node);
    Value v(*p);
    return decoded(*p, v, nested(depth), ByteOrder::Big);
  }
};
TEST_F(RecursiveType, NestsToTheDepthLimit) { EXPECT_EQ(decode_nested(64), Fault::None); }
TEST_F(RecursiveType, OneDeeperIsRefused) { EXPECT_EQ(decode_nested(65), Fault::TooDeep); }
TEST_F(RecursiveType, MillionDeepIsRefusedWithoutRecursion) { EXPECT_EQ(decode_nested(1000000), Fault::TooDeep); }

// Elements that own nothing cannot nest, whatever way they are decoded.
TEST(DecodeRule, ElementsOfFixedSizeAreNoLevelOfNesting) {
  Rule r;
  const Word s = r.t.sequence(type_word(Kind::LongDouble));
  Bytes b(8 + 16);
  b[3] = 1;
  EXPECT_EQ(r.decode_fault(s, b, {1000, 0}), Fault::None);
  Rule q;
  const Word strings = q.t.sequence(kString);
  EXPECT_EQ(q.decode_fault(strings, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {1000, 0}), Fault::TooDeep);
}

// ---- rules on what the application passes
TEST(EncodeRule, NullStringIsAFault) {
  Types t;
  const Word s = t.structure({kLong, kString});
  const Unit u = t.unit();
  const auto p = make_plan(u, s);
  Value v(*p);
  Fault f;
  encoded(*p, v, kNativeOrder, 0, &f);
  EXPECT_EQ(f, Fault::NullPointer);
}
TEST(EncodeRule, StringBeyondItsBoundIsAFault) {
  Types t;
  const Unit u = t.unit();
  const auto p = make_plan(u, type_word(Kind::String, 3));
  Value v(*p);
  char* s = string_duplicate("abcd");
  std::memcpy(v.data(), &s, sizeof s);
  Fault f;
  encoded(*p, v, kNativeOrder, 0, &f);
  EXPECT_EQ(f, Fault::BadBound);
}
TEST(EncodeRule, EnumBeyondItsEnumeratorsIsAFault) {
  Types t;
  const Unit u = t.unit();
  const auto p = make_plan(u, type_word(Kind::Enum, 2));
  Value v(*p);
  store<std::uint32_t>(v.data(), 2);
  Fault f;
  encoded(*p, v, kNativeOrder, 0, &f);
  EXPECT_EQ(f, Fault::BadEnum);
}

// ---- replacing values
TEST(Decode, ReplacesAndFreesWhatTheMemoryHeld) {
  Types t;
  const Word s = t.structure({kString, t.sequence(kString)});
  const Unit u = t.unit();
  const auto p = make_plan(u, s);
  Value v(*p);
  Random random(3);
  testing::random_value(u, s, v.data(), random);
  const Bytes other = {0, 0, 0, 2, 'x', 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 'y', 0};
  EXPECT_EQ(decoded(*p, v, other, ByteOrder::Big), Fault::None);
  EXPECT_EQ(encoded(*p, v, ByteOrder::Big), other);
}

// GIOP 1.1: a run and an array that lie in two fragments
// What an application calls with again and again, as inout: the memory stays.
TEST(Decode, StringsGoIntoTheMemoryOfThoseTheyReplace) {
  Types types;
  const Word sequence = types.sequence(kString);
  const Unit unit = types.unit();
  const auto made = make_plan(unit, sequence);
  const Plan& plan = *made;
  Value v(plan);
  const auto message = [](const std::string& one, const std::string& two) {
    Buffer b;
    cdr::Encoder e(b);
    e.put<std::uint32_t>(2);
    e.put_string(one.c_str());
    e.put_string(two.c_str());
    e.finish();
    return Bytes(b.data(), b.data() + b.size());
  };
  const auto strings = [&] { return static_cast<char**>(reinterpret_cast<SequenceHeader*>(v.data())->buffer); };
  ASSERT_EQ(decoded(plan, v, message("a string that is long enough", "second"), kNativeOrder), Fault::None);
  char* const first = strings()[0];
  ASSERT_EQ(decoded(plan, v, message("another string", "2"), kNativeOrder), Fault::None);
  EXPECT_EQ(strings()[0], first);
  EXPECT_STREQ(strings()[0], "another string");
  EXPECT_STREQ(strings()[1], "2");
  Bytes spoiled = message("no, not this one", "3");
  spoiled[10] = 0;  // inside of the first string
  EXPECT_EQ(decoded(plan, v, spoiled, kNativeOrder), Fault::BadString);
  EXPECT_LT(std::strlen(strings()[0]), 28u);  // still a string
  ASSERT_EQ(decoded(plan, v, message(std::string(1000, 'x'), ""), kNativeOrder), Fault::None);
  EXPECT_EQ(strings()[0], std::string(1000, 'x'));
  EXPECT_STREQ(strings()[1], "");
}

TEST(Decode, RunsCrossFragments) {
  Types t;
  const Word s = t.structure({kLong, kShort, kDouble, kOctet});
  const Unit u = t.unit();
  const auto p = make_plan(u, s);
  const Bytes first = {0, 0, 0, 5, 0, 6};
  const Bytes second = {0, 0, 0, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 9};
  const cdr::Segment segments[] = {{first, 4}, {second, 4}};
  auto budget = plenty();
  cdr::Decoder d(segments, ByteOrder::Big, budget);
  Value v(*p);
  ASSERT_TRUE(decode(*p, v.data(), d));
  EXPECT_EQ(load<std::int32_t>(v.data()), 5);
  EXPECT_EQ(load<std::int16_t>(v.data() + 4), 6);
  EXPECT_EQ(load<double>(v.data() + 8), 1.0);
  EXPECT_EQ(v.data()[16], 9);
}

// ---- against the reference codec, over random types
class RandomTypes : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, RandomTypes, ::testing::Range(0, 20));

TEST_P(RandomTypes, EncodeLikeTheReferenceAndDecodeBack) {
  Random random(static_cast<unsigned>(GetParam()) + 100);
  for (int i = 0; i < 30; ++i) {
    Types types;
    const Word type = testing::random_type(types, random);
    const Unit unit = types.unit();
    const auto plan = make_plan(unit, type);
    for (int k = 0; k < 4; ++k) {
      Value v(*plan), w(*plan);
      testing::random_value(unit, type, v.data(), random);
      const std::size_t phase = random() & 7;
      const auto form = static_cast<cdr::WideForm>(random() & 1);
      for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
        testing::ReferenceWriter reference(unit, order, phase);
        reference.form = form;
        reference.value(type, v.data());
        const Bytes bytes = encoded(*plan, v, order, phase, nullptr, form);
        ASSERT_EQ(bytes, reference.out);
        ASSERT_EQ(decoded(*plan, w, bytes, order, phase, plenty(), form), Fault::None);
        ASSERT_EQ(encoded(*plan, w, order, phase, nullptr, form), bytes);
      }
    }
  }
}

// Memory in ISO 8859-1, the wire in UTF-8; then back through memory in UTF-8 and a wire in ISO 8859-1 is what any
// peer has.
TEST_P(RandomTypes, ConvertCharsLikeTheReferenceAndBack) {
  Random random(static_cast<unsigned>(GetParam()) + 2500);
  constexpr cdr::CharForm kUtf8 = cdr::CharForm::Utf8ForLatin1;
  int sent = 0;
  for (int i = 0; i < 60; ++i) {
    Types types;
    const Word type = testing::random_type(types, random);
    const Unit unit = types.unit();
    const auto plan = make_plan(unit, type);
    Value v(*plan), w(*plan);
    testing::random_value(unit, type, v.data(), random);
    const std::size_t phase = random() & 7;
    const auto form = static_cast<cdr::WideForm>(random() & 1);
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
      testing::ReferenceWriter reference(unit, order, phase);
      reference.form = form;
      reference.utf8 = true;
      reference.value(type, v.data());
      Fault fault;
      const Bytes bytes = encoded(*plan, v, order, phase, &fault, form, kUtf8);
      ASSERT_EQ(fault, reference.refused ? Fault::BadCharacter : Fault::None);
      Value x(*plan);
      ASSERT_EQ(decoded(*plan, x, reference.out, order, phase, plenty(), form, kUtf8), fault);
      if (reference.refused) continue;
      ++sent;
      ASSERT_EQ(bytes, reference.out);
      ASSERT_EQ(decoded(*plan, w, bytes, order, phase, plenty(), form, kUtf8), Fault::None);
      ASSERT_EQ(encoded(*plan, w, order, phase, nullptr, form), encoded(*plan, v, order, phase, nullptr, form));
    }
  }
  EXPECT_GT(sent, 40);
}

TEST_P(RandomTypes, AcceptAndRejectCorruptedBytesLikeTheReference) {
  Random random(static_cast<unsigned>(GetParam()) + 900);
  for (int i = 0; i < 40; ++i) {
    Types types;
    const Word type = testing::random_type(types, random);
    const Unit unit = types.unit();
    const auto plan = make_plan(unit, type);
    Value v(*plan);
    testing::random_value(unit, type, v.data(), random);
    const std::size_t phase = random() & 7;
    const auto form = static_cast<cdr::WideForm>(random() & 1);
    const Bytes good = encoded(*plan, v, ByteOrder::Big, phase, nullptr, form);
    for (int k = 0; k < 30; ++k) {
      Bytes bad = good;
      if (k % 3 == 0) bad.resize(random() % (bad.size() + 1));
      for (int n = 0; n < 1 + k % 3 && !bad.empty(); ++n)
        bad[random() % bad.size()] ^= static_cast<Byte>(1u << random() % 8);
      Value w(*plan);
      // Elements of which nothing is on the wire are bounded by the budget alone.
      const cdr::Budget budget{1u << 20, 64};
      const Fault fault = decoded(*plan, w, bad, ByteOrder::Big, phase, budget, form);
      testing::ReferenceReader reference(unit, {{bad, phase}}, ByteOrder::Big, budget);
      reference.form = form;
      ASSERT_EQ(fault == Fault::None, reference.value(type)) << fault_name(fault);
    }
  }
}

TEST_P(RandomTypes, EveryTruncationIsACleanFault) {
  Random random(static_cast<unsigned>(GetParam()) + 1700);
  for (int i = 0; i < 10; ++i) {
    Types types;
    const Word type = testing::random_type(types, random);
    const Unit unit = types.unit();
    const auto plan = make_plan(unit, type);
    Value v(*plan);
    testing::random_value(unit, type, v.data(), random);
    const Bytes good = encoded(*plan, v, ByteOrder::Little);
    for (std::size_t n = 0; n < good.size(); ++n) {
      Value w(*plan);
      ASSERT_NE(decoded(*plan, w, Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)),
                        ByteOrder::Little), Fault::None);
    }
  }
}

}  // namespace
}  // namespace callis::marshal
