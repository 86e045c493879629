// SPDX-License-Identifier: Apache-2.0
// Meanings that a program asks for: values, ids, pointers between nodes. What is refused, and how
// it is said, is in idl/testdata/bad.
#include <idl/ast/walk.h>
#include <idl/sema/suggest.h>
#include <idl/sema/testing/meaning.h>
#include <gtest/gtest.h>

namespace callis::idl::sema {
namespace {

using Signed = std::int64_t;
using Unsigned = std::uint64_t;

TEST_F(Meaning, SignedConstantsAreInt64) {
  EXPECT_EQ(std::get<Signed>(value("const short X = -5;")), -5);
}

TEST_F(Meaning, UnsignedConstantsAndOctetsAreUint64) {
  EXPECT_EQ(std::get<Unsigned>(value("const octet X = 200;")), 200u);
}

TEST_F(Meaning, TheSmallestLongLongCanBeWritten) {
  EXPECT_EQ(std::get<Signed>(value("const long long X = -9223372036854775808;")), INT64_MIN);
}

TEST_F(Meaning, ComplementKnowsTheWidthOfItsType) {
  EXPECT_EQ(std::get<Signed>(value("const long X = ~0xFF;")), -256);
}

TEST_F(Meaning, ComplementOfUnsignedLongHas32Bits) {
  EXPECT_EQ(std::get<Unsigned>(value("const unsigned long X = ~0xFF;")), 0xFFFFFF00u);
}

TEST_F(Meaning, ComplementOfUnsignedLongLongHas64Bits) {
  EXPECT_EQ(std::get<Unsigned>(value("const unsigned long long X = ~0xFF;")), 0xFFFFFFFFFFFFFF00u);
}

TEST_F(Meaning, ShiftToTheRightFillsWithZeros) {
  EXPECT_EQ(std::get<Signed>(value("const long long X = -8 >> 1;")), 0x7FFFFFFFFFFFFFFC);
}

TEST_F(Meaning, IntermediateValuesMayExceedTheType) {
  EXPECT_EQ(std::get<Signed>(value("const short X = 40000 * 2 - 60000;")), 20000);
}

TEST_F(Meaning, BitOperationsOnNegativeNumbersAreTwosComplement) {
  EXPECT_EQ(std::get<Unsigned>(value("const unsigned long X = -1 & 0xFFFFFFFF;")), 0xFFFFFFFFu);
}

TEST_F(Meaning, FloatConstantsAreRoundedToFloat) {
  EXPECT_EQ(std::get<long double>(value("const float X = 0.1;")), static_cast<long double>(0.1F));
}

TEST_F(Meaning, DoubleExpressionsAreComputedInDouble) {
  EXPECT_EQ(std::get<long double>(value("const double X = 0.1 + 0.2;")),
            static_cast<long double>(0.1 + 0.2));
}

TEST_F(Meaning, LongDoubleExpressionsAreComputedInLongDouble) {
  EXPECT_EQ(std::get<long double>(value("const long double X = 0.1 + 0.2;")), 0.1L + 0.2L);
}

TEST_F(Meaning, EnumConstantsPointToTheEnumerator) {
  const ast::Value v = value("enum E { a, b }; const E X = b;");
  EXPECT_EQ(std::get<const ast::Enumerator*>(v)->ordinal, 1u);
}

TEST_F(Meaning, TypedefsKeepTheirNamesAndCanBeLookedThrough) {
  unit("typedef long A; typedef A B; typedef B C[2]; struct S { C c1; };");
  ASSERT_EQ(diagnostics_.text(), "");
  const auto* c = ast::as<ast::Typedef>(find("C"));
  const auto* array = ast::as<ast::ArrayType>(c->type);
  ASSERT_NE(array, nullptr);
  EXPECT_EQ(array->element, ast::as<ast::Typedef>(find("B")));
  EXPECT_EQ(&ast::strip_aliases(*array->element), &ast::basic(ast::TypeKind::Long));
  EXPECT_EQ(array->dimensions, std::vector<std::uint32_t>{2});
}

TEST_F(Meaning, AForwardInterfaceAndItsDefinitionAreOneNode) {
  unit("interface I; struct S { I i1; }; interface I { void f(); };");
  const auto* s = ast::as<ast::Struct>(find("S"));
  EXPECT_EQ(ast::declaration(*s->members[0]->type), find("I"));
  EXPECT_TRUE(ast::as<ast::Interface>(find("I"))->defined);
  const auto* forward = ast::as<ast::Forward>(unit_->contents[0]);
  ASSERT_NE(forward, nullptr);
  EXPECT_EQ(forward->target, find("I"));
}

TEST_F(Meaning, ReopenedModulesShareTheirFirstPart) {
  const auto& u = unit("module M { typedef long A; }; module M { typedef A B; };");
  ASSERT_EQ(u.contents.size(), 2u);
  const auto* first = ast::as<ast::Module>(u.contents[0]);
  const auto* second = ast::as<ast::Module>(u.contents[1]);
  EXPECT_EQ(first->first, first);
  EXPECT_EQ(second->first, first);
  EXPECT_EQ(second->contents.size(), 1u);
}

TEST_F(Meaning, AllBasesAreInOrderAndOnce) {
  unit("interface A {}; interface B : A {}; interface C : A {}; interface D : B, C {};");
  std::string names;
  for (const ast::Interface* i : ast::all_bases(*ast::as<ast::Interface>(find("D")))) {
    names += i->name;
  }
  EXPECT_EQ(names, "ABC");
  EXPECT_TRUE(ast::is_a(*ast::as<ast::Interface>(find("D")), *ast::as<ast::Interface>(find("A"))));
  EXPECT_FALSE(ast::is_a(*ast::as<ast::Interface>(find("B")), *ast::as<ast::Interface>(find("C"))));
}

TEST_F(Meaning, AttributesAreOperationsOnTheWire) {
  unit("interface A { attribute long x; readonly attribute long y; }; interface B : A { void f(); };");
  std::string names;
  for (const ast::WireOperation& o : ast::all_operations(*ast::as<ast::Interface>(find("B")))) {
    names += o.name + " ";
  }
  EXPECT_EQ(names, "_get_x _set_x _get_y f ");
}

TEST_F(Meaning, EnumeratorsAreNamedWithoutTheirEnum) {
  unit("module M { enum E { a }; };");
  const auto* e = ast::as<ast::Enum>(find("M::E"));
  EXPECT_EQ(ast::scoped_name(*e->enumerators[0]), "M::a");
  EXPECT_EQ(ast::scoped_name(*e->enumerators[0], "/"), "M/a");
}

TEST_F(Meaning, IdsHaveThePrefixInForce) {
  unit("#pragma prefix \"a.b\"\nmodule M { interface I { void f(); }; };\n"
       "#pragma prefix \"\"\ntypedef long T;");
  EXPECT_EQ(find("M::I::f")->repository_id, "IDL:a.b/M/I/f:1.0");
  EXPECT_EQ(find("T")->repository_id, "IDL:T:1.0");
}

TEST_F(Meaning, ThePrefixOfAModuleEndsWithIt) {
  unit("#pragma prefix \"A\"\nmodule M {\n#pragma prefix \"B\"\ntypedef long X; };\ntypedef long Y;");
  EXPECT_EQ(find("M")->repository_id, "IDL:A/M:1.0");
  EXPECT_EQ(find("M::X")->repository_id, "IDL:B/M/X:1.0");
  EXPECT_EQ(find("Y")->repository_id, "IDL:A/Y:1.0");
}

TEST_F(Meaning, VersionsKeepThePrefixAndIdsDoNot) {
  unit("#pragma prefix \"A\"\ninterface B {}; interface C {};\n"
       "#pragma ID B \"IDL:myB:1.0\"\n#pragma version C 9.9\n");
  EXPECT_EQ(find("B")->repository_id, "IDL:myB:1.0");
  EXPECT_EQ(find("C")->repository_id, "IDL:A/C:9.9");
}

TEST_F(Meaning, AnIdGivenToADeclarationStaysWithTheDefinition) {
  unit("interface I;\n#pragma ID I \"IDL:x/I:2.0\"\ninterface I { void f(); };");
  EXPECT_EQ(diagnostics_.text(), "");
  EXPECT_EQ(find("I")->repository_id, "IDL:x/I:2.0");
}

TEST_F(Meaning, ADeclarationKnowsItsParentAndPlace) {
  unit("module M {\n  interface I { void f(in long a); };\n};");
  const auto* f = ast::as<ast::Operation>(find("M::I::f"));
  EXPECT_EQ(f->parent, find("M::I"));
  EXPECT_EQ(f->parameters[0]->parent, f);
  EXPECT_EQ(f->where.begin.line, 2u);
  EXPECT_EQ(f->where.begin.column, 22u);
  EXPECT_TRUE(f->from_main_file);
}

TEST_F(Meaning, VariableLengthFollowsTheMapping) {
  unit("struct F { long a[3]; }; struct V { F f1; string s1; }; typedef V A[2]; typedef F B[2];");
  EXPECT_FALSE(ast::is_variable_length(*ast::as<ast::Struct>(find("F"))));
  EXPECT_TRUE(ast::is_variable_length(*ast::as<ast::Struct>(find("V"))));
  EXPECT_TRUE(ast::is_variable_length(*ast::as<ast::Typedef>(find("A"))));
  EXPECT_FALSE(ast::is_variable_length(*ast::as<ast::Typedef>(find("B"))));
}

TEST_F(Meaning, AUnitWithFaultsHoldsWhatIsRight) {
  unit("struct A { Missing x; long y; }; typedef A B; typedef Nothing C; typedef C D;");
  EXPECT_EQ(diagnostics_.errors(), 2u);
  EXPECT_EQ(ast::as<ast::Struct>(find("A"))->members.size(), 1u);
  EXPECT_NE(find("B"), nullptr);
  EXPECT_EQ(find("D"), nullptr);
}

TEST(Suggesting, CountsEdits) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3u);
  EXPECT_EQ(edit_distance("ab", "ba", 9), 1u);
  EXPECT_EQ(edit_distance("", "abc", 9), 3u);
  EXPECT_EQ(edit_distance("same", "same", 9), 0u);
  EXPECT_EQ(edit_distance("completely", "different", 2), 3u);  // more than asked for
}

TEST(Suggesting, OffersOnlyWhatIsNear) {
  Suggestion s("Acount");
  s.offer("Bank");
  EXPECT_EQ(s.best(), "");
  s.offer("Amount");
  s.offer("Account");
  EXPECT_TRUE(s.best() == "Amount" || s.best() == "Account");
  Suggestion tiny("x");
  tiny.offer("y");
  EXPECT_EQ(tiny.best(), "");
}

}  // namespace
}  // namespace callis::idl::sema
