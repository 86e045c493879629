// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/plan.h>
#include <callis/marshal/testing/type_codes.h>
#include <callis/marshal/type_description.h>
#include <gtest/gtest.h>

namespace callis::marshal {
namespace {

using testing::Bytes;
using testing::Random;
using testing::Types;

// TypeCodes by hand.
struct Code {
  Buffer buffer{256};
  cdr::Encoder e{buffer, ByteOrder::Big};
  std::vector<cdr::Encoder::Encapsulation> open;

  Code& number(std::uint32_t n) { return e.put_ulong(n), *this; }
  Code& text(const char* s) { return e.put_string(s), *this; }
  Code& begin(std::uint32_t kind) { return number(kind), open.push_back(e.begin_encapsulation()), *this; }
  Code& end() { return e.end_encapsulation(open.back()), open.pop_back(), *this; }
  Code& begin_struct(std::uint32_t members) { return begin(15).text("IDL:S:1.0").text("S").number(members); }
  Code& back_to(std::size_t position) {
    number(0xffffffff);
    return number(static_cast<std::uint32_t>(position - e.position()));
  }
  Bytes bytes() {
    e.finish();
    return {buffer.data(), buffer.data() + buffer.size()};
  }
};

struct ReadType {
  std::shared_ptr<const TypeDescription> type;
  Fault fault;
  std::size_t remaining;
};
ReadType read_all(const Bytes& b, ByteOrder order = ByteOrder::Big, cdr::Budget budget = {1u << 20, 64}) {
  cdr::Decoder d(b, order, budget);
  auto t = read_type_code(d);
  EXPECT_EQ(t != nullptr, d.ok());
  return {t, d.fault(), d.remaining()};
}

TEST(TypeCode, OfRandomTypesGivesTheSamePlanAsTheirDescriptors) {
  Random random(77);
  for (int i = 0; i < 500; ++i) {
    Types types;
    const Word type = testing::random_type(types, random);
    const Unit unit = types.unit();
    Buffer b(64);
    const auto order = static_cast<ByteOrder>(random() & 1);
    cdr::Encoder e(b, order);
    testing::TypeCodeWriter(unit, e, random).write(type);
    e.put_octet(99);
    e.finish();
    const ReadType r = read_all({b.data(), b.data() + b.size()}, order);
    ASSERT_TRUE(r.type) << fault_name(r.fault);
    EXPECT_EQ(r.remaining, 1u);
    ASSERT_EQ(testing::difference(*make_plan(unit, type), *make_plan(r.type->unit(), r.type->type())), "") << i;
  }
}

TEST(TypeCode, OfAnotherTypeGivesAnotherPlan) {
  Types t;
  const auto plan = [&t](Word type) { return make_plan(t.unit(), type); };
  const Word a = t.structure({type_word(Kind::Long), type_word(Kind::Enum, 3)});
  const Word b = t.structure({type_word(Kind::Long), type_word(Kind::Enum, 4)});
  EXPECT_EQ(testing::difference(*plan(a), *plan(b)), "items");
  EXPECT_EQ(testing::difference(*plan(t.sequence(a)), *plan(t.sequence(a, 5))), "code");
  EXPECT_NE(testing::difference(*plan(a), *plan(type_word(Kind::Double))), "");
}

TEST(TypeCode, CutAnywhereIsACleanFault) {
  Code c;
  c.begin_struct(2).text("a").begin(19).number(18).number(5).number(7).end().text("b").begin(17).text("").text("").number(1).text("x").end().end();
  const Bytes whole = c.bytes();
  EXPECT_TRUE(read_all(whole).type);
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(read_all({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}).type) << n;
}

TEST(TypeCode, WithAnyByteChangedIsRefusedOrGivesATypeWithinTheLimits) {
  Random random(5);
  unsigned accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    Types types;
    const Word type = testing::random_type(types, random);
    const Unit unit = types.unit();
    Buffer b(64);
    cdr::Encoder e(b, ByteOrder::Big);
    testing::TypeCodeWriter(unit, e, random).write(type);
    e.finish();
    Bytes bytes(b.data(), b.data() + b.size());
    for (unsigned n = 0; n < 1 + random() % 3; ++n)
      bytes[random() % bytes.size()] = static_cast<Byte>(random() % 2 ? random() % 26 : random());
    const ReadType r = read_all(bytes);
    if (!r.type || kind_of(r.type->type()) == Kind::Void) continue;
    ++accepted;
    EXPECT_LE(native_size(*make_plan(r.type->unit(), r.type->type())), kMaxNativeTypeBytes);
  }
  EXPECT_GT(accepted, 100u);
}

TEST(TypeCode, RecursionThroughASequenceIsFollowed) {
  Code c;
  c.begin_struct(1).text("children").begin(19).back_to(0).number(0).end().end();
  const ReadType r = read_all(c.bytes());
  ASSERT_TRUE(r.type) << fault_name(r.fault);
  const auto p = make_plan(r.type->unit(), r.type->type());
  EXPECT_EQ(native_size(*p), sizeof(SequenceHeader));
}
TEST(TypeCode, StructThatContainsItselfIsRefused) {
  Code c;
  c.begin_struct(1).text("self").back_to(0).end();
  EXPECT_EQ(read_all(c.bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, StructThatContainsItselfWithinAnotherIsRefused) {
  Code c;
  c.begin_struct(1).text("s").begin(19).begin_struct(1).text("whole").back_to(0).end().number(0).end().end();
  EXPECT_EQ(read_all(c.bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, IndirectionForwardOrIntoTheMiddleOfAnythingIsRefused) {
  for (const unsigned to : {2u, 4u, 8u, 12u, 1000u}) {
    Code c;
    c.begin_struct(1).text("s").begin(19).back_to(to).number(0).end().end();
    EXPECT_EQ(read_all(c.bytes()).fault, Fault::BadValue) << to;
  }
}
TEST(TypeCode, StructsThatDoubleAtEachStepAreBounded) {
  Code c;
  c.begin_struct(30);
  std::size_t last = 0;
  for (int i = 0; i < 30; ++i) {
    c.text("m");
    c.e.align(4);
    const std::size_t here = c.e.position();
    c.begin_struct(2).text("a");
    if (i == 0) c.number(3).text("b").number(3);
    else c.back_to(last).text("b").back_to(last);
    c.end();
    last = here;
  }
  EXPECT_EQ(read_all(c.end().bytes()).fault, Fault::LimitExceeded);
}
TEST(TypeCode, ArrayBeyondTheLimitIsRefused) {
  Code c, d, zero;
  EXPECT_EQ(read_all(c.begin(20).number(7).number(0xffffffff).end().bytes()).fault, Fault::LimitExceeded);
  d.begin(20).begin(21).text("").text("").begin(20).number(10).number(1u << 20).end().end().number(17).end();
  EXPECT_EQ(read_all(d.bytes()).fault, Fault::LimitExceeded);
  EXPECT_EQ(read_all(zero.begin(20).number(7).number(0).end().bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, NestingBeyondTheDepthLimitIsRefused) {
  Code c;
  for (int i = 0; i < 70; ++i) c.begin(19);
  c.number(3);
  for (int i = 0; i < 70; ++i) c.number(0).end();
  EXPECT_EQ(read_all(c.bytes()).fault, Fault::TooDeep);
}
TEST(TypeCode, OfKindsWithoutDescriptorsIsUnsupported) {
  for (const std::uint32_t kind : {0u, 13u, 31u, 33u, 34u, 35u, 36u}) {
    Code c;
    EXPECT_EQ(read_all(c.number(kind).number(0).bytes()).fault, Fault::Unsupported) << kind;
  }
  Code c;
  EXPECT_EQ(read_all(c.number(37).bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, OfAStructWithoutMembersIsThatOfIdl42) {
  Code empty;
  EXPECT_TRUE(read_all(empty.begin_struct(0).end().bytes()).type);
}
TEST(TypeCode, OfAStructWithAVoidMemberIsRefused) {
  Code no_value;
  EXPECT_EQ(read_all(no_value.begin_struct(1).text("v").number(1).end().bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, OfAnExceptionIsOneOnlyByItself) {
  Code alone, inside;
  const ReadType r = read_all(alone.begin(22).text("IDL:X:1.0").text("X").number(0).end().bytes());
  ASSERT_TRUE(r.type);
  EXPECT_TRUE(make_plan(r.type->unit(), r.type->type()));
  inside.begin_struct(1).text("x").begin(22).text("IDL:X:1.0").text("X").number(0).end().end();
  EXPECT_EQ(read_all(inside.bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, WithTwoDimensionsIsOneArray) {
  Code c;
  c.begin(20).begin(20).number(3).number(3).end().number(2).end();
  const ReadType r = read_all(c.bytes());
  ASSERT_TRUE(r.type);
  const Word* const entry = r.type->unit().words + payload_of(r.type->type());
  EXPECT_EQ(entry[1], 6u);
  EXPECT_EQ(entry[2], type_word(Kind::Long));
}

}  // namespace
}  // namespace callis::marshal
