// SPDX-License-Identifier: Apache-2.0
// Plans from TypeCodes: random ones, cut ones, spoiled ones.
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
  EXPECT_EQ(testing::difference(*plan(a), *plan(b)), "tables");
  EXPECT_EQ(testing::difference(*plan(t.sequence(a)), *plan(t.sequence(a, 5))), "tables");
  EXPECT_NE(testing::difference(*plan(a), *plan(type_word(Kind::Double))), "");
}

TEST(TypeCode, CutAnywhereIsACleanFault) {
  Code c;
  c.begin_struct(2)
      .text("a")
      .begin(19)
      .number(18)
      .number(5)
      .number(7)
      .end()
      .text("b")
      .begin(17)
      .text("")
      .text("")
      .number(1)
      .text("x")
      .end()
      .end();
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
// Sizes that wrap to 0 where a std::size_t has 32 bits.
TEST(TypeCode, ArrayThatWrapsAroundIsRefused) {
  Code c;
  c.begin(20).begin_struct(1).text("a").begin(20).number(10).number(256).end().end().number(1u << 24).end();
  EXPECT_EQ(read_all(c.bytes()).fault, Fault::LimitExceeded);
}
TEST(TypeCode, StructThatWrapsAroundIsRefused) {
  Code c;
  c.begin_struct(256);
  for (int i = 0; i < 256; ++i)
    c.text(("a" + std::to_string(i)).c_str()).begin(20).number(10).number(16u << 20).end();
  EXPECT_EQ(read_all(c.end().bytes()).fault, Fault::LimitExceeded);
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
// ---- unions

// union U switch (discriminator) with a line for each label; the labels are written by the caller.
struct UnionCode : Code {
  UnionCode& begin_union(std::uint32_t discriminator, std::uint32_t otherwise, std::uint32_t lines) {
    begin(16).text("IDL:U:1.0").text("U").number(discriminator).number(otherwise).number(lines);
    return *this;
  }
  template <class T>
  UnionCode& label(T v) { return e.put(v), *this; }
};
constexpr std::uint32_t kNone = 0xffffffff;

struct UnionWords {
  ReadType read;
  const Word* entry;
  explicit UnionWords(const Bytes& b) : read(read_all(b)) {
    EXPECT_TRUE(read.type) << fault_name(read.fault);
    entry = read.type->unit().words + payload_of(read.type->type());
  }
};

TEST(UnionTypeCode, GivesTheWordsOfTheCompiler) {
  // union U switch (short) { case 2: case -1: long a; default: octet b; };
  UnionCode c;
  c.begin_union(2, 2, 3);
  c.label(std::int16_t{2}).text("a").number(3);
  c.label(std::int16_t{-1}).text("a").number(3);
  c.label(std::int16_t{0}).text("b").number(10).end();
  const UnionWords u(c.bytes());
  const Word expected[] = {type_word(Kind::Union, 2),
                           type_word(Kind::Short),
                           1,
                           2,
                           type_word(Kind::Long),
                           type_word(Kind::Octet),
                           2,
                           0,
                           0,
                           0xffffffff,
                           0xffffffff,
                           0};
  EXPECT_TRUE(std::equal(std::begin(expected), std::end(expected), u.entry));
}

// As omniORB 4.2.5 sends union U switch (long) { case 1: case 2: short a; case 3: octet b; default: char c; };
TEST(UnionTypeCode, OfOmniOrbIsRead) {
  const std::uint32_t sent[] = {0x10,       0x68, 1,    0x0a, 0x553a4c44u << 8 | 0x49,
                                0x302e313a, 0,    2,    0x55, 3,
                                3,          4,    1,    2,    0x61,
                                2,          2,    2,    0x61, 2,
                                3,          2,    0x62, 0x0a, 0,
                                2,          0x63, 9};
  Bytes bytes(sizeof sent);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<Byte>(sent[i / 4] >> 8 * (i % 4));
  const std::string id = "IDL:U:1.0";
  std::copy(id.begin(), id.end(), bytes.begin() + 16);
  bytes[25] = 0;
  const ReadType r = read_all(bytes, ByteOrder::Little);
  ASSERT_TRUE(r.type) << fault_name(r.fault);
  const Word* const entry = r.type->unit().words + payload_of(r.type->type());
  EXPECT_EQ(entry[0], type_word(Kind::Union, 3));
  EXPECT_EQ(entry[2], 2u);
  EXPECT_EQ(entry[3], 3u);
}

TEST(UnionTypeCode, HasLabelsOfEveryDiscriminator) {
  UnionCode wide, boolean, huge, enumeration;
  wide.begin_union(26, kNone, 1).e.put_wchar(L'\u20AC');
  wide.text("a").number(3).end();
  EXPECT_EQ(UnionWords(wide.bytes()).entry[5], 0x20ACu);
  boolean.begin_union(8, kNone, 1).label(std::uint8_t{1}).text("a").number(3).end();
  EXPECT_EQ(UnionWords(boolean.bytes()).entry[5], 1u);
  huge.begin_union(24, kNone, 1).label(std::uint64_t{0x100000002}).text("a").number(3).end();
  const UnionWords h(huge.bytes());
  EXPECT_EQ(h.entry[5], 2u);
  EXPECT_EQ(h.entry[6], 1u);
  enumeration.begin(16).text("IDL:U:1.0").text("U").begin(17).text("").text("").number(1).text("x").end();
  enumeration.number(kNone).number(1).number(0).text("a").number(3).end();
  EXPECT_EQ(UnionWords(enumeration.bytes()).entry[1], type_word(Kind::Enum, 1));
}

TEST(UnionTypeCode, ThatBreaksARuleIsRefused) {
  UnionCode twice, beyond, none, text, not_an_enumerator, itself, is_void;
  twice.begin_union(3, kNone, 2).label(5).text("a").number(3);
  twice.label(5).text("b").number(4).end();
  EXPECT_EQ(read_all(twice.bytes()).fault, Fault::BadValue) << "two cases of one label";
  beyond.begin_union(3, 1, 1).label(5).text("a").number(3).end();
  EXPECT_EQ(read_all(beyond.bytes()).fault, Fault::BadValue) << "a default that is none of the members";
  none.begin_union(3, kNone, 0).end();
  EXPECT_EQ(read_all(none.bytes()).fault, Fault::BadValue);
  text.begin(16)
      .text("IDL:U:1.0")
      .text("U")
      .number(18)
      .number(0)
      .number(kNone)
      .number(1)
      .number(1)
      .text("a")
      .number(3)
      .end();
  EXPECT_EQ(read_all(text.bytes()).fault, Fault::BadValue) << "a string does not discriminate";
  not_an_enumerator.begin(16).text("IDL:U:1.0").text("U").begin(17).text("").text("").number(1).text("x").end();
  not_an_enumerator.number(kNone).number(1).number(1).text("a").number(3).end();
  EXPECT_EQ(read_all(not_an_enumerator.bytes()).fault, Fault::BadValue);
  itself.begin_union(3, kNone, 1).label(5).text("a").back_to(0).end();
  EXPECT_EQ(read_all(itself.bytes()).fault, Fault::BadValue);
  is_void.begin_union(3, kNone, 1).label(5).text("a").number(1).end();
  EXPECT_EQ(read_all(is_void.bytes()).fault, Fault::BadValue);
}

TEST(UnionTypeCode, RecursionThroughASequenceIsFollowed) {
  UnionCode c;
  c.begin_union(3, kNone, 2).label(1).text("more").begin(19).back_to(0).number(0).end();
  c.label(2).text("leaf").number(7).end();
  const ReadType r = read_all(c.bytes());
  ASSERT_TRUE(r.type) << fault_name(r.fault);
  EXPECT_EQ(native_size(*make_plan(r.type->unit(), r.type->type())), 8 + sizeof(SequenceHeader));
}

// ---- kinds of CORBA 2.3 and later

const void* link_by_kind(void* context, Kind kind, std::string_view id) {
  static const int links[64] = {};
  static_cast<std::vector<std::string>*>(context)->emplace_back(id);
  return &links[static_cast<int>(kind)];
}
struct Linked {
  std::vector<std::string> asked;
  std::shared_ptr<const TypeDescription> type;
  explicit Linked(const Bytes& b) {
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(b, ByteOrder::Big, budget);
    type = read_type_code(d, link_by_kind, &asked);
    EXPECT_TRUE(type) << fault_name(d.fault());
  }
};

TEST(TypeCode, OfAValueIsItsLink) {
  // valuetype V : B { public long n; private V next; public S s; } with struct S { V v; }
  Code c;
  c.begin(29).text("IDL:V:1.0").text("V");
  c.e.put(std::int16_t{3});
  c.begin(29).text("IDL:B:1.0").text("B");
  c.e.put(std::int16_t{0});
  c.number(0).number(0).end().number(3).text("n").number(3);
  c.e.put(std::int16_t{1});
  c.text("next").back_to(0);
  c.e.put(std::int16_t{0});
  c.text("s").begin_struct(1).text("v").back_to(0).end();
  c.e.put(std::int16_t{1});
  const Linked r(c.end().bytes());
  EXPECT_EQ(kind_of(r.type->type()), Kind::Value);
  EXPECT_EQ(r.asked, (std::vector<std::string>{"IDL:V:1.0", "IDL:B:1.0"}));
}
TEST(TypeCode, OfABoxedValueAndAnAbstractInterfaceIsItsLink) {
  Code box, abstract, base;
  const Linked b(box.begin(30).text("IDL:Box:1.0").text("Box").number(18).number(0).end().bytes());
  EXPECT_EQ(b.type->type(), type_word(Kind::Value, 0));
  const Linked a(abstract.begin(32).text("IDL:A:1.0").text("A").end().bytes());
  EXPECT_EQ(a.type->type(), type_word(Kind::Abstract, 0));
  const Linked none(base.begin(32).text("IDL:omg.org/CORBA/AbstractBase:1.0").text("AbstractBase").end().bytes());
  EXPECT_EQ(none.type->type(), type_word(Kind::Abstract, kNoLink));
  EXPECT_TRUE(none.asked.empty());
}
TEST(TypeCode, OfAValueThatBreaksARuleIsRefused) {
  Code modifier, base;
  modifier.begin(29).text("IDL:V:1.0").text("V");
  modifier.e.put(std::int16_t{4});
  EXPECT_EQ(read_all(modifier.number(0).number(0).end().bytes()).fault, Fault::BadValue);
  base.begin(29).text("IDL:V:1.0").text("V");
  base.e.put(std::int16_t{0});
  EXPECT_EQ(read_all(base.number(3).number(0).end().bytes()).fault, Fault::BadValue);
}
TEST(TypeCode, OfWideCharactersFixedAnyAndTypeCode) {
  const auto simple = [](std::uint32_t kind) {
    Code c;
    const ReadType r = read_all(c.number(kind).bytes());
    return r.type ? r.type->type() : 0;
  };
  EXPECT_EQ(simple(26), type_word(Kind::WChar));
  EXPECT_EQ(simple(11), type_word(Kind::Any));
  EXPECT_EQ(simple(12), type_word(Kind::TypeCode));
  Code bounded;
  EXPECT_EQ(read_all(bounded.number(27).number(7).bytes()).type->type(), type_word(Kind::WString, 7));
  const auto fixed = [](std::uint16_t digits, std::uint16_t scale) {
    Code c;
    c.number(28).e.put(digits);
    c.e.put(scale);
    return read_all(c.bytes());
  };
  EXPECT_EQ(fixed(5, 2).type->type(), type_word(Kind::Fixed, 5 | 2 << 8));
  EXPECT_TRUE(fixed(31, 31).type);
  for (const auto& [digits, scale] : {std::pair{0, 0}, {32, 0}, {3, 4}, {3, 0xffff}})
    EXPECT_EQ(fixed(static_cast<std::uint16_t>(digits), static_cast<std::uint16_t>(scale)).fault, Fault::BadValue);
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
