// SPDX-License-Identifier: Apache-2.0
// _var, _out and return types of fixed and of variable length.
#include <callis/classic/classic.h>
#include <gtest/gtest.h>

namespace {

using namespace callis::classic;

struct Plain {
  CORBA::Long a;
};
struct Rich {
  CORBA::String_member s;
};
using Longs = Sequence<CORBA::Long>;
using TwoTexts = CORBA::String_member[2];
using Numbers = CORBA::Long[2][3];

TEST(FixedVar, MakesStorageForAnOutParameter) {
  FixedVar<Plain> v;
  v.out().a = 3;
  EXPECT_EQ(v->a, 3);
  EXPECT_EQ(v._retn().a, 3);
}

TEST(FixedVar, AssignsByValueAndByPointer) {
  FixedVar<Plain> v = new Plain{1};
  v = Plain{2};
  EXPECT_EQ(v.in().a, 2);
  v = new Plain{3};
  const FixedVar<Plain> copy = v;
  v.inout().a = 4;
  EXPECT_EQ(copy->a, 3);
}

TEST(VariableVar, CopiesAreDeep) {
  VariableVar<Rich> a = new Rich{"x"};
  const VariableVar<Rich> b = a;
  a->s = "y";
  EXPECT_STREQ(b->s, "x");
}

TEST(VariableVar, OutDeletesTheOldValueAndRetnGivesAway) {
  VariableVar<Rich> v = new Rich{"old"};
  v.out() = new Rich{"new"};
  const std::unique_ptr<Rich> owner(v._retn());
  EXPECT_EQ(v.ptr(), nullptr);
  EXPECT_STREQ(owner->s, "new");
}

TEST(VariableVar, ValuesOfTheMarshalingEngineAreDeletedAlike) {
  VariableVar<Rich> v = static_cast<Rich*>(callis::marshal::value_allocate(sizeof(Rich)));
  EXPECT_EQ(v->s.in(), nullptr);
}

TEST(VariableOut, NullsThePointerOfTheCaller) {
  const auto callee = [](VariableOut<Rich> out) {
    EXPECT_EQ(out.ptr(), nullptr);
    out = new Rich{"out"};
  };
  VariableVar<Rich> v = new Rich{"old"};
  callee(v);
  EXPECT_STREQ(v->s, "out");
}

TEST(SequenceVar, IndexesTheSequence) {
  SequenceVar<Longs> v = new Longs;
  v->length(2);
  v[1] = 5;
  EXPECT_EQ(std::as_const(v)[1], 5);
}

TEST(Arrays, AllocatedOnesAreEmptyAndFreedWithTheirElements) {
  auto* slice = array_allocate<TwoTexts>();
  EXPECT_STREQ(slice[1], "");
  slice[1] = "x";
  auto* copy = array_duplicate<TwoTexts>(slice);
  slice[1] = "y";
  EXPECT_STREQ(copy[1], "x");
  array_free<TwoTexts>(slice);
  array_free<TwoTexts>(copy);
  array_free<TwoTexts>(nullptr);
  EXPECT_EQ(array_duplicate<TwoTexts>(nullptr), nullptr);
}

TEST(Arrays, CopyOntoItselfChangesNothing) {
  TwoTexts a;
  a[0] = "x";
  array_copy<TwoTexts>(a, a);
  EXPECT_STREQ(a[0], "x");
}

TEST(ArrayVar, OwnsItsArray) {
  VariableArrayVar<TwoTexts> a = array_allocate<TwoTexts>();
  a[0] = "x";
  const VariableArrayVar<TwoTexts> b = a;
  a[0] = "y";
  EXPECT_STREQ(b[0], "x");
  a.out() = array_allocate<TwoTexts>();
  EXPECT_STREQ(a[0], "");
}

TEST(ArrayVar, OfSeveralDimensionsGivesRows) {
  FixedArrayVar<Numbers> v;
  v.out()[1][2] = 6;
  EXPECT_EQ(v[1][2], 6);
  EXPECT_EQ(v[0][0], 0);
}

}  // namespace
