// SPDX-License-Identifier: Apache-2.0
// Meanings of unions, values, fixed-point constants, local types and annotations that a program asks for.
#include <idl/ast/walk.h>
#include <idl/sema/testing/meaning.h>

namespace callis::idl::sema {
namespace {

class Language : public Meaning {
 protected:
  ast::FixedValue fixed(const std::string& expression) {
    return std::get<ast::FixedValue>(value("const fixed X = " + expression + ";"));
  }
  // Of the union U.
  std::optional<ast::Value> free_label(const std::string& text) {
    unit(text);
    EXPECT_EQ(diagnostics_.text(), "");
    return find<ast::Union>("U")->free_label;
  }
  static std::string cases(int first, int last) {
    std::string out;
    for (int i = first; i <= last; ++i) {
      out += "case " + std::to_string(i) + ": ";
    }
    return out;
  }
};

void expect_fixed(const ast::FixedValue& value, bool negative, const std::string& digits, int scale) {
  EXPECT_EQ(value.negative, negative);
  EXPECT_EQ(value.digits, digits);
  EXPECT_EQ(value.scale, scale);
}

// IDL 4.2, 7.4.1.4.3 -----------------------------------------------------------------------------

TEST_F(Language, FixedLiteralsLoseNeedlessZeros) { expect_fixed(fixed("0012.3400d"), false, "1234", 2); }

TEST_F(Language, FixedFractionsKeepTheZerosBehindThePoint) { expect_fixed(fixed("0.05d"), false, "05", 2); }

TEST_F(Language, FixedZeroHasOneDigitAndNoSign) { expect_fixed(fixed("-0.00d"), false, "0", 0); }

TEST_F(Language, FixedSumsAreExact) {
  expect_fixed(fixed("0.1d + 0.2d"), false, "3", 1);
}

TEST_F(Language, FixedDifferencesMayBeNegative) { expect_fixed(fixed("1.1d - 2.35d"), true, "125", 2); }

TEST_F(Language, FixedProductsAddTheirScales) { expect_fixed(fixed("-1.5d * 0.05d"), true, "075", 3); }

TEST_F(Language, FixedQuotientsHave31DigitsThatAreNotRounded) {
  expect_fixed(fixed("2d / 3d"), false, std::string(31, '6'), 31);
}

TEST_F(Language, FixedQuotientsKeepTheirWholePart) {
  expect_fixed(fixed("1000d / 7d"), false, "1428571428571428571428571428571", 28);
}

TEST_F(Language, FixedResultsOfMoreThan31DigitsLoseTheEndOfTheFraction) {
  expect_fixed(fixed("1234567890123456789012345678.99d * 1.001d"), false, "1235802458013580245801358024668", 3);
}

// Unions -----------------------------------------------------------------------------------------

TEST_F(Language, TheFreeLabelIsTheLeastThatIsNotNegative) {
  EXPECT_EQ(std::get<std::int64_t>(*free_label("union U switch (long) { " + cases(0, 4) + "case -1: long a; };")), 5);
}

TEST_F(Language, TheFreeLabelIsNegativeWhereNoOtherIsLeft) {
  EXPECT_EQ(std::get<std::int64_t>(*free_label("union U switch (int8) { " + cases(0, 127) + "long a; };")), -128);
}

TEST_F(Language, AnExhaustiveUnionHasNoFreeLabel) {
  EXPECT_FALSE(free_label("union U switch (octet) { " + cases(0, 255) + "long a; };").has_value());
}

TEST_F(Language, AnExhaustiveSignedUnionHasNoFreeLabel) {
  EXPECT_FALSE(free_label("union U switch (int8) { " + cases(-128, 127) + "long a; };").has_value());
}

TEST_F(Language, TheFreeLabelOfABooleanIsTheOtherValue) {
  EXPECT_FALSE(std::get<bool>(*free_label("union U switch (boolean) { case TRUE: long a; };")));
}

TEST_F(Language, TheFreeLabelOfAnEnumIsAnEnumerator) {
  const auto label = free_label("enum E { e1, e2, e3 }; union U switch (E) { case e1: long a; default: long b; };");
  EXPECT_EQ(std::get<const ast::Enumerator*>(*label)->name, "e2");
}

TEST_F(Language, LabelsAreValuesOfTheDiscriminator) {
  unit("union U switch (wchar) { case L'x': case L'\\u20ac': long a; default: case L'y': long b; };");
  ASSERT_EQ(diagnostics_.text(), "");
  const auto* u = find<ast::Union>("U");
  ASSERT_EQ(u->members.size(), 2u);
  ASSERT_EQ(u->members[0]->labels.size(), 2u);
  EXPECT_EQ(std::get<char32_t>(u->members[0]->labels[1]), U'\u20AC');
  EXPECT_FALSE(u->members[0]->is_default);
  EXPECT_TRUE(u->members[1]->is_default);
  EXPECT_EQ(u->members[1]->labels.size(), 1u);
}

TEST_F(Language, AnEnumInTheSwitchBelongsToTheUnion) {
  unit("union U switch (enum E { e1 }) { case e1: long a; };");
  const auto* u = find<ast::Union>("U");
  ASSERT_EQ(u->nested.size(), 1u);
  EXPECT_EQ(ast::declaration(*u->discriminator), u->nested[0]);
  EXPECT_EQ(ast::scoped_name(*u->nested[0]), "U::E");
}

TEST_F(Language, StructsAndUnionsOnOneCycleAreRecursive) {
  unit("union U; typedef sequence<U> Us; struct S { Us all; }; struct T { S s1; long l; };"
       "union U switch (long) { case 1: S s1; };");
  ASSERT_EQ(diagnostics_.text(), "");
  EXPECT_TRUE(find<ast::Union>("U")->recursive);
  EXPECT_TRUE(find<ast::Struct>("S")->recursive);
  EXPECT_FALSE(find<ast::Struct>("T")->recursive);
}

// Values -----------------------------------------------------------------------------------------

TEST_F(Language, TheStateOfABaseComesFirst) {
  unit("valuetype A { public long a1; }; valuetype B : A { private long b1, b2; };"
       "valuetype C : truncatable B { public string c1; };");
  std::string names;
  for (const ast::StateMember* m : ast::all_state(*find<ast::ValueType>("C"))) {
    names += m->name + " ";
  }
  EXPECT_EQ(names, "a1 b1 b2 c1 ");
  EXPECT_TRUE(find<ast::ValueType>("C")->truncatable);
  EXPECT_EQ(find<ast::ValueType>("C")->base, find<ast::ValueType>("B"));
}

TEST_F(Language, BasesOfValuesAreOnceAndInOrder) {
  unit("abstract valuetype A {}; abstract valuetype B : A {}; valuetype C : A {}; valuetype D : C, B {};");
  std::string names;
  for (const ast::ValueType* v : ast::all_bases(*find<ast::ValueType>("D"))) {
    names += v->name;
  }
  EXPECT_EQ(names, "ACB");
}

TEST_F(Language, SupportedInterfacesComeFromBasesToo) {
  unit("interface I {}; interface J : I {}; abstract interface K {}; abstract valuetype A supports I {};"
       "valuetype B : A supports K, J {};");
  ASSERT_EQ(diagnostics_.text(), "");
  std::string names;
  for (const ast::Interface* i : ast::all_supported(*find<ast::ValueType>("B"))) {
    names += i->name;
  }
  EXPECT_EQ(names, "IKJ");
}

TEST_F(Language, AForwardValueAndItsDefinitionAreOneNode) {
  unit("valuetype V; struct S { V v1; }; valuetype V { public S s1; };");
  ASSERT_EQ(diagnostics_.text(), "");
  EXPECT_EQ(ast::declaration(*find<ast::Struct>("S")->members[0]->type), find("V"));
  EXPECT_TRUE(find<ast::ValueType>("V")->defined);
  EXPECT_FALSE(find<ast::Struct>("S")->recursive);
}

// Local types ------------------------------------------------------------------------------------

TEST_F(Language, WhatHoldsALocalInterfaceIsLocal) {
  unit(
      "struct S; typedef sequence<S> Ss; struct T { Ss all; }; valuetype Box T; union U switch (long) { case 1: Box "
      "b; };"
      "local interface L {}; struct S { L l1; }; struct Free { long x; };");
  ASSERT_EQ(diagnostics_.text(), "");
  for (const char* name : {"S", "T"}) {
    EXPECT_TRUE(ast::is_local(*find<ast::Struct>(name))) << name;
  }
  EXPECT_TRUE(ast::is_local(*find<ast::Union>("U")));
  EXPECT_TRUE(ast::is_local(*find<ast::Typedef>("Ss")));
  EXPECT_FALSE(ast::is_local(*find<ast::Struct>("Free")));
}

TEST_F(Language, VariableLengthKnowsTheNewTypes) {
  unit(
      "typedef fixed<4, 2> F; struct A { F f1; }; union U switch (long) { case 1: A a1; }; struct B { any a1; };"
      "union W switch (long) { case 1: long l; case 2: B b1; }; struct C { CORBA::TypeCode t; }; struct D { "
      "ValueBase v; };");
  ASSERT_EQ(diagnostics_.text(), "");
  EXPECT_FALSE(ast::is_variable_length(*find<ast::Struct>("A")));
  EXPECT_FALSE(ast::is_variable_length(*find<ast::Union>("U")));
  EXPECT_TRUE(ast::is_variable_length(*find<ast::Union>("W")));
  EXPECT_TRUE(ast::is_variable_length(*find<ast::Struct>("C")));
  EXPECT_TRUE(ast::is_variable_length(*find<ast::Struct>("D")));
}

// Names and ids ----------------------------------------------------------------------------------

TEST_F(Language, TypeCodeIsABasicTypeHoweverItIsReached) {
  unit("typedef CORBA::TypeCode A; module CORBA { typedef TypeCode B; interface TypeCode {}; typedef TypeCode C; };"
       "typedef ::CORBA::TypeCode D;");
  ASSERT_EQ(diagnostics_.text(), "");
  for (const char* name : {"A", "CORBA::B", "CORBA::C", "D"}) {
    EXPECT_EQ(find<ast::Typedef>(name)->type, &ast::basic(ast::TypeKind::TypeCode)) << name;
  }
  EXPECT_EQ(find("CORBA::TypeCode"), nullptr);
}

TEST_F(Language, SequencesOfOrbIdlAreNobodysToGenerate) {
  unit("module CORBA { typedef sequence<octet> OctetSeq; typedef sequence<octet, 4> ShortSeq; };"
       "typedef sequence<octet> OctetSeq;");
  EXPECT_FALSE(find("CORBA::OctetSeq")->from_main_file);
  EXPECT_TRUE(find("CORBA::ShortSeq")->from_main_file);
  EXPECT_TRUE(find("OctetSeq")->from_main_file);
}

TEST_F(Language, TypePrefixesReachWhatWasDeclaredBefore) {
  unit("module M { interface I { void f(); }; interface J; };\ntypeprefix M \"a.b\";\n"
       "module M { struct S { long x; }; interface J {}; };");
  ASSERT_EQ(diagnostics_.text(), "");
  EXPECT_EQ(find("M")->repository_id, "IDL:a.b/M:1.0");
  EXPECT_EQ(find("M::I::f")->repository_id, "IDL:a.b/M/I/f:1.0");
  EXPECT_EQ(find("M::S")->repository_id, "IDL:a.b/M/S:1.0");
  EXPECT_EQ(find("M::J")->repository_id, "IDL:a.b/M/J:1.0");
}

TEST_F(Language, AForwardDeclarationHasTheIdOfTheDefinition) {
  const auto& u = unit("interface I; interface I { void f(); };\ntypeid I \"IDL:x:2.0\";");
  ASSERT_EQ(diagnostics_.text(), "");
  EXPECT_EQ(u.contents[0]->repository_id, "IDL:x:2.0");
}

// IDL 4.2 ----------------------------------------------------------------------------------------

TEST_F(Language, MembersOfABaseStructComeFirstAsTheSameNodes) {
  unit("struct A { long a1; }; struct B : A { string b1; };");
  const auto* a = find<ast::Struct>("A");
  const auto* b = find<ast::Struct>("B");
  ASSERT_EQ(b->members.size(), 2u);
  EXPECT_EQ(b->members[0], a->members[0]);
  EXPECT_EQ(b->base, a);
}

TEST_F(Language, AnnotationsAreKeptAsWritten) {
  unit("struct S { @default(value = 1 + 2) @key long a; @range(min = -1, max = 1) long b; };");
  ASSERT_EQ(diagnostics_.text(), "");
  const auto& members = find<ast::Struct>("S")->members;
  ASSERT_EQ(members[0]->annotations.size(), 2u);
  EXPECT_EQ(members[0]->annotations[0].name, "default");
  EXPECT_EQ(members[0]->annotations[0].parameters[0].text, "1 + 2");
  EXPECT_TRUE(members[0]->annotations[1].parameters.empty());
  ASSERT_EQ(members[1]->annotations[0].parameters.size(), 2u);
  EXPECT_EQ(members[1]->annotations[0].parameters[1].name, "max");
}

TEST_F(Language, IntegersMayStandForFloatingPointNumbers) {
  EXPECT_EQ(std::get<long double>(value("const double X = 1 / 2;")), 0.5L);
}

TEST_F(Language, BitmasksCountPositionsFromTheLastOneGiven) {
  unit("@bit_bound(16) bitmask B { b0, @position(9) b9, b10 };");
  const auto* mask = find<ast::Bitmask>("B");
  EXPECT_EQ(mask->bits, 16u);
  ASSERT_EQ(mask->flags.size(), 3u);
  EXPECT_EQ(mask->flags[2].position, 10u);
}

}  // namespace
}  // namespace callis::idl::sema
