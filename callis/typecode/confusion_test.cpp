// SPDX-License-Identifier: Apache-2.0
// Anys whose TypeCode has a repository id of the program's and says something else. Equivalence trusts ids
// (CORBA 3.3 part 1, 8.11.2.1); extraction holds the value to the program's type.
#include <callis/typecode/any.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/testing/types.h>
#include <gtest/gtest.h>
#include <array>
#include <bit>

namespace callis::typecode::testing {
namespace {

using CORBA::Any;

constexpr std::string_view kId = "IDL:Own:1.0";

// As a peer sends it: a TypeCode that says `sent`, and these bytes.
Any received(TypeCode_ptr sent, const std::vector<std::uint32_t>& numbers) {
  Buffer b;
  cdr::Encoder e(b);
  put_type_code(e, sent);
  for (const std::uint32_t n : numbers) e.put_ulong(n);
  e.finish();
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(b.view(), kNativeOrder, budget);
  Any a;
  get_any(d, a);
  EXPECT_TRUE(d.ok() && d.remaining() == 0) << fault_name(d.fault());
  return a;
}
// Whether what is sent as one type is extracted as the other.
bool extracted(TypeCode_ptr sent, TypeCode_ptr own, const std::vector<std::uint32_t>& numbers) {
  const Any a = received(sent, numbers);
  const CORBA::TypeCode_var type = a.type();
  EXPECT_TRUE(type->equivalent(own));
  return extract(a, own) != nullptr;
}
bool bidirectional(TypeCode_ptr a, TypeCode_ptr b, const std::vector<std::uint32_t>& numbers_of_a,
               const std::vector<std::uint32_t>& numbers_of_b) {
  const bool there = extracted(a, b, numbers_of_a), back = extracted(b, a, numbers_of_b);
  EXPECT_EQ(there, back);
  return there;
}

TypeCode_var own_struct(const std::vector<Member>& members) { return make_struct(kId.data(), "Own", members); }
TypeCode_var own_enum(int n) {
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back("e" + std::to_string(i));
  std::vector<const char*> list;
  for (const auto& s : names) list.push_back(s.c_str());
  return make_enum(kId.data(), "Own", list);
}

TEST(ForeignEnum, IsExtractedWhenTheProgramHasTheEnumerator) {
  const TypeCode_var three = own_enum(3), ten = own_enum(10);
  EXPECT_TRUE(extracted(ten, three, {2}));
  EXPECT_FALSE(extracted(ten, three, {3}));
  EXPECT_FALSE(extracted(ten, three, {9}));
  EXPECT_TRUE(extracted(three, ten, {2}));
  const Any a = received(ten, {9});
  EXPECT_TRUE(a.value()) << "what the sender has";
}
TEST(ForeignEnum, BehindAnAliasToo) {
  const TypeCode_var three = own_enum(3), ten = own_enum(10);
  const TypeCode_var alias = create_alias_tc("IDL:Alias:1.0", "Alias", three);
  EXPECT_FALSE(extracted(ten, alias, {9}));
  EXPECT_TRUE(extracted(ten, alias, {1}));
}
TEST(ForeignEnum, InStructsSequencesAndUnions) {
  const TypeCode_var three = make_enum("IDL:E:1.0", "E", {"a", "b", "c"}),
                     four = make_enum("IDL:E:1.0", "E", {"a", "b", "c", "d"});
  const auto of = [](const TypeCode_var& e) { return own_struct({{"n", CORBA::_tc_long}, {"e", e}}); };
  EXPECT_TRUE(extracted(of(four), of(three), {7, 2}));
  EXPECT_FALSE(extracted(of(four), of(three), {7, 3}));
  const auto list = [](const TypeCode_var& e) { return TypeCode_var(create_sequence_tc(0, e)); };
  EXPECT_TRUE(extracted(list(four), list(three), {2, 0, 2}));
  EXPECT_FALSE(extracted(list(four), list(three), {2, 0, 3}));
}

TEST(ForeignStruct, OfOtherMembersIsNotExtracted) {
  const TypeCode_var number = own_struct({{"a", CORBA::_tc_long}});
  const TypeCode_var real = own_struct({{"a", CORBA::_tc_float}});
  const TypeCode_var unsigned_number = own_struct({{"a", CORBA::_tc_ulong}});
  const TypeCode_var two = own_struct({{"a", CORBA::_tc_short}, {"b", CORBA::_tc_short}});
  const TypeCode_var text = own_struct({{"a", CORBA::_tc_string}});
  const TypeCode_var none = own_struct({});
  for (const TypeCode_var& other : {real, unsigned_number, two}) EXPECT_FALSE(bidirectional(number, other, {1}, {1}));
  EXPECT_FALSE(extracted(number, text, {1}));
  EXPECT_FALSE(extracted(number, none, {1}));
  EXPECT_FALSE(extracted(none, number, {}));
  EXPECT_TRUE(extracted(number, own_struct({{"another_name", CORBA::_tc_long}}), {1}));
}
TEST(ForeignStruct, IsLookedIntoWhereverItIs) {
  const auto inner = [](TypeCode_ptr of) { return TypeCode_var(make_struct("IDL:In:1.0", "In", {{"x", of}})); };
  const auto outer = [&](TypeCode_ptr of) {
    const TypeCode_var in = inner(of), list = create_sequence_tc(0, in);
    return own_struct({{"list", list}});
  };
  EXPECT_FALSE(bidirectional(outer(CORBA::_tc_long), outer(CORBA::_tc_float), {1, 5}, {1, 5}));
  EXPECT_TRUE(extracted(outer(CORBA::_tc_long), outer(CORBA::_tc_long), {1, 5}));
}
TEST(ForeignStruct, OfAnArrayOfAnotherLengthIsNotExtracted) {
  const auto of = [](CORBA::ULong n) {
    const TypeCode_var a = create_array_tc(n, CORBA::_tc_long);
    return own_struct({{"a", a}});
  };
  EXPECT_FALSE(bidirectional(of(1), of(2), {1}, {1, 2}));
  // Two dimensions are one array of as many elements.
  const TypeCode_var two = create_array_tc(2, CORBA::_tc_long), matrix = create_array_tc(2, two);
  EXPECT_TRUE(bidirectional(own_struct({{"a", matrix}}), of(4), {1, 2, 3, 4}, {1, 2, 3, 4}));
}
TEST(ForeignStruct, IsHeldToTheBoundsOfTheProgram) {
  const auto of = [](CORBA::ULong bound) {
    const TypeCode_var s = create_sequence_tc(bound, CORBA::_tc_long);
    return own_struct({{"s", s}});
  };
  EXPECT_TRUE(extracted(of(0), of(2), {2, 8, 9}));
  EXPECT_FALSE(extracted(of(0), of(2), {3, 7, 8, 9}));
  const auto text = [](CORBA::ULong bound) {
    const TypeCode_var s = create_string_tc(bound);
    return own_struct({{"s", s}});
  };
  const auto aaa = std::bit_cast<std::uint32_t>(std::array{'a', 'a', 'a', '\0'});
  EXPECT_TRUE(extracted(text(0), text(3), {4, aaa}));
  EXPECT_FALSE(extracted(text(4), text(2), {4, aaa}));
}

// union Own switch (long) { case first: long a; case second: float b; };
TypeCode_var own_union(CORBA::Long first, CORBA::Long second, bool swapped = false,
                       TypeCode_ptr by = CORBA::_tc_long) {
  Any one, two;
  const auto label = [&by](Any& a, CORBA::Long n) {
    if (by == CORBA::_tc_long) a <<= n;
    else a <<= static_cast<CORBA::ULong>(n);
  };
  label(one, first);
  label(two, second);
  CORBA::UnionMemberSeq members;
  members.length(2);
  const CORBA::ULong a = swapped ? 1 : 0;
  members[a].name = "a";
  members[a].label = one;
  members[a].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  members[1 - a].name = "b";
  members[1 - a].label = two;
  members[1 - a].type = CORBA::TypeCode::_duplicate(CORBA::_tc_float);
  return create_union_tc(kId.data(), "Own", by, members);
}
TEST(ForeignUnion, OfOtherLabelsIsNotExtracted) {
  EXPECT_TRUE(extracted(own_union(1, 2), own_union(1, 2), {1, 5}));
  EXPECT_FALSE(bidirectional(own_union(1, 2), own_union(2, 1), {1, 5}, {1, 5}));
  EXPECT_FALSE(bidirectional(own_union(1, 2), own_union(1, 3), {1, 5}, {1, 5}));
  EXPECT_TRUE(bidirectional(own_union(1, 2), own_union(1, 2, true), {2, 5}, {2, 5})) << "cases in another order";
}
TEST(ForeignUnion, OfAnotherDiscriminatorIsNotExtracted) {
  EXPECT_FALSE(bidirectional(own_union(1, 2), own_union(1, 2, false, CORBA::_tc_ulong), {1, 5}, {1, 5}));
}

// Types that lead to themselves, one of them repeated once in full before it does.
TEST(ForeignStruct, ThatContainsItselfIsComparedToItsEnd) {
  const auto node = [](TypeCode_ptr of) {
    const TypeCode_var self = create_recursive_tc(kId.data()), list = create_sequence_tc(0, self);
    return own_struct({{"x", of}, {"more", list}});
  };
  EXPECT_TRUE(bidirectional(node(CORBA::_tc_long), node(CORBA::_tc_long), {1, 0}, {1, 0}));
  EXPECT_FALSE(bidirectional(node(CORBA::_tc_long), node(CORBA::_tc_float), {1, 0}, {1, 0}));
}

// ---- how much there is to compare

TEST(Comparing, LooksAtATypeOnceHoweverOftenItIsUsed) {
  // Two graphs of 100 levels, of which each names the level below twice: 2^100 ways.
  const auto levels = [] {
    TypeCode_var t = make_struct("IDL:L:1.0", "L", {{"x", CORBA::_tc_long}});
    for (int i = 0; i < 100; ++i) {
      const TypeCode_var list = create_sequence_tc(0, t);
      t = make_struct(("IDL:L" + std::to_string(i) + ":1.0").c_str(), "L", {{"a", list}, {"b", list}});
    }
    return t;
  };
  const TypeCode_var a = levels(), b = levels();
  EXPECT_TRUE(a->equal(b));
  EXPECT_TRUE(a->equivalent(b));
  EXPECT_TRUE(same_form(*a.in(), *b.in()));
}

}  // namespace
}  // namespace callis::typecode::testing
