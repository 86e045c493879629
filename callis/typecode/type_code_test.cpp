// SPDX-License-Identifier: Apache-2.0
// CORBA::TypeCode's operations, equality, and making TypeCodes at run time (CORBA 3.3 part 1, 8.11).
#include <callis/typecode/table.h>
#include <callis/typecode/testing/types.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

// As callis-idl writes it: struct S { string name; sequence<S> more; long n[2]; }; typedef S T;
constexpr Word kWords[] = {
    entry(CORBA::tk_struct), 0, 10, 3, 12, basic(CORBA::tk_string), 17, cell(1), 22, cell(2),  // 0
    CORBA::tk_sequence, 0, cell(0),                                                             // 10
    CORBA::tk_array, 2, basic(CORBA::tk_long),                                                  // 13
    entry(CORBA::tk_alias), 24, 34, cell(0),                                                    // 16
    entry(CORBA::tk_struct), 36, 46, 1, 22, other(0),                                           // 20
};
constexpr char kPool[] = "IDL:S:1.0\0S\0name\0more\0n\0IDL:T:1.0\0T\0IDL:U:1.0\0U";
extern const TypeCode_ptr tc_S;
constexpr const TypeCode_ptr* kOthers[] = {&tc_S};
constinit Constants<5> table = {{kWords, kPool, nullptr, kOthers, {}, 0},
                                {{0, 0}, {10, 1}, {13, 2}, {16, 3}, {20, 4}}};
constinit const TypeCode_ptr tc_S = &table.cells[0];
constinit const TypeCode_ptr tc_T = &table.cells[3];
constinit const TypeCode_ptr tc_U = &table.cells[4];

CORBA::ULong minor_of(auto call) {
  try {
    call();
  } catch (const CORBA::SystemException& e) {
    return e.minor() & 0xfff;
  }
  return 0;
}

TEST(TypeCode, GeneratedTablesAreRead) {
  EXPECT_EQ(tc_S->kind(), CORBA::tk_struct);
  EXPECT_STREQ(tc_S->id(), "IDL:S:1.0");
  EXPECT_STREQ(tc_S->name(), "S");
  EXPECT_EQ(tc_S->member_count(), 3u);
  EXPECT_STREQ(tc_S->member_name(1), "more");
  const TypeCode_var more = tc_S->member_type(1), n = tc_S->member_type(2), element = more->content_type();
  EXPECT_EQ(more->kind(), CORBA::tk_sequence);
  EXPECT_EQ(element.in(), tc_S);
  EXPECT_EQ(n->length(), 2u);
  EXPECT_STREQ(tc_T->name(), "T");
  const TypeCode_var s = tc_U->member_type(0);
  EXPECT_EQ(s.in(), tc_S);
}

TEST(TypeCode, ConstantsOfTheLibraryHaveTheirKinds) {
  EXPECT_EQ(CORBA::_tc_string->kind(), CORBA::tk_string);
  EXPECT_EQ(CORBA::_tc_string->length(), 0u);
  EXPECT_STREQ(CORBA::_tc_Object->name(), "Object");
  EXPECT_STREQ(CORBA::_tc_ValueBase->id(), "IDL:omg.org/CORBA/ValueBase:1.0");
  EXPECT_EQ(CORBA::_tc_ValueBase->member_count(), 0u);
  EXPECT_STREQ(CORBA::_tc_AbstractBase->name(), "AbstractBase");
  EXPECT_EQ(CORBA::_tc_AbstractBase->kind(), CORBA::tk_abstract_interface);
}

TEST(TypeCode, OperationsOfOtherKindsThrowBadKind) {
  using TC = CORBA::TypeCode;
  EXPECT_THROW(CORBA::_tc_long->id(), TC::BadKind);
  EXPECT_THROW(CORBA::_tc_string->name(), TC::BadKind);
  EXPECT_THROW(CORBA::_tc_Object->member_count(), TC::BadKind);
  EXPECT_THROW(tc_S->content_type(), TC::BadKind);
  EXPECT_THROW(tc_S->length(), TC::BadKind);
  EXPECT_THROW(tc_S->discriminator_type(), TC::BadKind);
  EXPECT_THROW(tc_S->member_label(0), TC::BadKind);
  EXPECT_THROW(tc_S->default_index(), TC::BadKind);
  EXPECT_THROW(tc_S->fixed_digits(), TC::BadKind);
  EXPECT_THROW(tc_S->fixed_scale(), TC::BadKind);
  EXPECT_THROW(tc_S->type_modifier(), TC::BadKind);
  EXPECT_THROW(tc_S->concrete_base_type(), TC::BadKind);
  EXPECT_THROW(tc_S->member_visibility(0), TC::BadKind);
  const TypeCode_var e = make_enum("IDL:E:1.0", "E", {"a"});
  EXPECT_THROW(e->member_type(0), TC::BadKind);
  EXPECT_STREQ(e->member_name(0), "a");
}

TEST(TypeCode, IndicesBeyondThrowBounds) {
  EXPECT_THROW(tc_S->member_name(3), CORBA::TypeCode::Bounds);
  EXPECT_THROW(tc_S->member_type(3), CORBA::TypeCode::Bounds);
  try {
    tc_S->member_name(3);
  } catch (const CORBA::UserException& e) {
    EXPECT_STREQ(e._rep_id(), "IDL:omg.org/CORBA/TypeCode/Bounds:1.0");
  }
}

TEST(TypeCode, APartLivesWithoutTheWhole) {
  TypeCode_var node = make_node(), next = node->member_type(1);
  node = CORBA::TypeCode::_nil();
  const TypeCode_var again = next->content_type();
  EXPECT_STREQ(again->name(), "Node");
  EXPECT_STREQ(again->member_name(0), "value");
}

TEST(TypeCode, WhatIsMadeKeepsWhatItIsMadeOf) {
  TypeCode_var e = make_enum("IDL:E:1.0", "E", {"a", "b", "c"});
  TypeCode_var s = create_sequence_tc(0, e), a = create_alias_tc("IDL:A:1.0", "A", s);
  e = s = CORBA::TypeCode::_nil();
  const TypeCode_var seq = a->content_type(), element = seq->content_type();
  EXPECT_STREQ(element->member_name(2), "c");
}

TEST(TypeCode, EqualLooksAtNamesEquivalentDoesNot) {
  const TypeCode_var a = make_struct("IDL:S:1.0", "S", {{"x", CORBA::_tc_long}});
  const TypeCode_var same = make_struct("IDL:S:1.0", "S", {{"x", CORBA::_tc_long}});
  const TypeCode_var named = make_struct("IDL:S:1.0", "S", {{"y", CORBA::_tc_long}});
  const TypeCode_var elsewhere = make_struct("IDL:R:1.0", "S", {{"x", CORBA::_tc_long}});
  EXPECT_TRUE(a->equal(same));
  EXPECT_FALSE(a->equal(named));
  EXPECT_TRUE(a->equivalent(named));
  EXPECT_FALSE(a->equivalent(elsewhere));
  EXPECT_FALSE(a->equal(elsewhere));
}

TEST(TypeCode, EquivalentLooksBehindAliases) {
  const TypeCode_var inner = create_alias_tc("IDL:A:1.0", "A", CORBA::_tc_long);
  const TypeCode_var outer = create_alias_tc("IDL:B:1.0", "B", inner);
  EXPECT_TRUE(outer->equivalent(CORBA::_tc_long));
  EXPECT_TRUE(CORBA::_tc_long->equivalent(outer));
  EXPECT_FALSE(outer->equal(CORBA::_tc_long));
  EXPECT_FALSE(outer->equivalent(CORBA::_tc_ulong));
  const TypeCode_var s = create_sequence_tc(0, outer), t = create_sequence_tc(0, CORBA::_tc_long),
                     b = create_sequence_tc(1, outer);
  EXPECT_TRUE(s->equivalent(t));
  EXPECT_FALSE(s->equal(t));
  EXPECT_FALSE(s->equivalent(b));
}

TEST(TypeCode, EquivalentComparesStructureWithoutIds) {
  const TypeCode_var full = make_node();
  const auto bytes = Cdr(ByteOrder::Little).u32(15).within([](Cdr& c) {
    c.text("").text("").u32(2).text("").u32(3).text("");
    c.u32(19);
    c.within([at = 8 + c.size() + 4](Cdr& q) { q.back_to_start(at).u32(0); });
  });
  Fault fault;
  const TypeCode_var bare = read(bytes, ByteOrder::Little, &fault);
  ASSERT_NE(bare.in(), nullptr) << fault_name(fault);
  EXPECT_TRUE(full->equivalent(bare));
  EXPECT_TRUE(bare->equivalent(full));
  const TypeCode_var flat = make_struct("IDL:S:1.0", "S", {{"x", CORBA::_tc_long}, {"y", CORBA::_tc_long}});
  EXPECT_FALSE(flat->equivalent(bare));
}

TEST(TypeCode, ComparingWithNilIsBadParam) {
  EXPECT_EQ(minor_of([] { CORBA::_tc_long->equal(nullptr); }), 13u);
  EXPECT_EQ(minor_of([] { CORBA::_tc_long->equivalent(nullptr); }), 13u);
}

TEST(TypeCode, RecursiveTypesAreEqualHoweverTheyWereMade) {
  const TypeCode_var a = make_node(), b = make_node();
  EXPECT_TRUE(a->equal(b));
  const TypeCode_var next = a->member_type(1), element = next->content_type();
  EXPECT_EQ(element.in(), a.in());
}

TEST(TypeCode, CompactHasNoNamesButIds) {
  const TypeCode_var node = make_node(), compact = node->get_compact_typecode();
  EXPECT_STREQ(compact->id(), "IDL:Node:1.0");
  EXPECT_STREQ(compact->name(), "");
  EXPECT_STREQ(compact->member_name(0), "");
  EXPECT_TRUE(compact->equivalent(node));
  EXPECT_FALSE(compact->equal(node));
  const TypeCode_var next = compact->member_type(1), element = next->content_type();
  EXPECT_EQ(element.in(), compact.in());
  const TypeCode_var basic = CORBA::_tc_long->get_compact_typecode();
  EXPECT_EQ(basic.in(), CORBA::_tc_long);
  const TypeCode_var generated = tc_U->get_compact_typecode();
  EXPECT_TRUE(generated->equivalent(tc_U));
}

TEST(TypeCode, ARecursiveOneMustBePartOfItsType) {
  const TypeCode_var r = create_recursive_tc("IDL:Node:1.0"), s = create_sequence_tc(0, r);
  EXPECT_THROW(r->kind(), CORBA::BAD_TYPECODE);
  EXPECT_EQ(minor_of([&] { r->id(); }), 1u);
  EXPECT_EQ(s->kind(), CORBA::tk_sequence);
  Buffer b;
  cdr::Encoder e(b);
  put_type_code(e, s);
  EXPECT_EQ(e.fault(), Fault::Unsupported);
  // Another id: stays open.
  const TypeCode_var t = make_struct("IDL:Other:1.0", "Other", {{"m", s}});
  cdr::Encoder f(b);
  put_type_code(f, t);
  EXPECT_EQ(f.fault(), Fault::Unsupported);
  // It can still be closed.
  const TypeCode_var node = make_struct("IDL:Node:1.0", "Node", {{"o", t}});
  Fault fault;
  const TypeCode_var back = read(written(node, ByteOrder::Big), ByteOrder::Big, &fault);
  ASSERT_NE(back.in(), nullptr) << fault_name(fault);
  EXPECT_TRUE(back->equal(node));
}

TEST(TypeCode, MutualRecursion) {
  // union U switch (long) { case 1: sequence<S> s; }; struct S { sequence<U> u; };
  const TypeCode_var rs = create_recursive_tc("IDL:S:1.0"), ss = create_sequence_tc(0, rs);
  const TypeCode_var u = create_union_tc("IDL:U:1.0", "U", CORBA::_tc_long,
                                         union_members({union_member("s", any_of(CORBA::Long{1}), ss)}));
  const TypeCode_var su = create_sequence_tc(0, u), s = make_struct("IDL:S:1.0", "S", {{"u", su}});
  const TypeCode_var a = s->member_type(0), b = a->content_type(), c = b->member_type(0), d = c->content_type();
  EXPECT_EQ(d.in(), s.in());
  for (ByteOrder o : {ByteOrder::Big, ByteOrder::Little}) {
    const TypeCode_var back = read(written(s, o), o);
    ASSERT_NE(back.in(), nullptr);
    EXPECT_TRUE(back->equal(s));
  }
}

TEST(TypeCode, DirectRecursionIsRefused) {
  const TypeCode_var r = create_recursive_tc("IDL:S:1.0"), array = create_array_tc(2, r);
  EXPECT_EQ(minor_of([&] { make_struct("IDL:S:1.0", "S", {{"m", r}}); }), 2u);
  EXPECT_EQ(minor_of([&] { make_struct("IDL:S:1.0", "S", {{"m", array}}); }), 2u);
}

// ---- checks of the parameters ----

TEST(CreateTypeCode, IdsAndNamesAreChecked) {
  EXPECT_EQ(minor_of([] { make_struct("", "S", {}); }), 16u);
  EXPECT_EQ(minor_of([] { make_struct("noformat", "S", {}); }), 16u);
  EXPECT_EQ(minor_of([] { make_struct(nullptr, "S", {}); }), 16u);
  EXPECT_EQ(minor_of([] { make_struct("IDL:S:1.0", "1S", {}); }), 15u);
  EXPECT_EQ(minor_of([] { create_alias_tc("IDL:S:1.0", "a b", CORBA::_tc_long); }), 15u);
  EXPECT_EQ(minor_of([] { create_named_tc(CORBA::tk_objref, "x", "A"); }), 16u);
}

TEST(CreateTypeCode, MembersAreChecked) {
  EXPECT_EQ(minor_of([] { make_struct("IDL:S:1.0", "S", {{"a", CORBA::_tc_long}, {"A", CORBA::_tc_long}}); }), 17u);
  EXPECT_EQ(minor_of([] { make_struct("IDL:S:1.0", "S", {{"a-b", CORBA::_tc_long}}); }), 17u);
  EXPECT_EQ(minor_of([] { make_enum("IDL:E:1.0", "E", {"a", "a"}); }), 17u);
  EXPECT_EQ(minor_of([] { make_struct("IDL:S:1.0", "S", {{"a", nullptr}}); }), 13u);
  for (TypeCode_ptr bad : {CORBA::_tc_null, CORBA::_tc_void}) {
    EXPECT_EQ(minor_of([&] { make_struct("IDL:S:1.0", "S", {{"a", bad}}); }), 2u);
    EXPECT_EQ(minor_of([&] { create_sequence_tc(0, bad); }), 2u);
    EXPECT_EQ(minor_of([&] { create_array_tc(1, bad); }), 2u);
    EXPECT_EQ(minor_of([&] { create_alias_tc("IDL:S:1.0", "S", bad); }), 2u);
    EXPECT_EQ(minor_of([&] { create_value_box_tc("IDL:S:1.0", "S", bad); }), 2u);
  }
  const TypeCode_var e = create_exception_tc("IDL:X:1.0", "X", members({}));
  EXPECT_EQ(minor_of([&] { create_sequence_tc(0, e); }), 2u);
}

TEST(CreateTypeCode, UnionsAreChecked) {
  const auto make = [](TypeCode_ptr by, const std::vector<CORBA::UnionMember>& m) {
    return create_union_tc("IDL:U:1.0", "U", by, union_members(m));
  };
  const auto m = [](const char* name, auto label) { return union_member(name, any_of(label), CORBA::_tc_long); };
  EXPECT_EQ(minor_of([&] { make(CORBA::_tc_double, {}); }), 20u);
  EXPECT_EQ(minor_of([&] { make(CORBA::_tc_long, {m("a", CORBA::Long{1}), m("b", CORBA::Long{1})}); }), 18u);
  EXPECT_EQ(minor_of([&] { make(CORBA::_tc_long, {m("a", CORBA::Short{1})}); }), 19u);
  EXPECT_EQ(minor_of([&] {
              make(CORBA::_tc_long, {m("a", CORBA::Long{1}), m("b", CORBA::Long{2}), m("a", CORBA::Long{3})});
            }),
            17u);
  const TypeCode_var two = make(CORBA::_tc_long, {m("a", CORBA::Long{1}), m("a", CORBA::Long{2})});
  EXPECT_EQ(two->member_count(), 2u);
  CORBA::Long label = 0;
  const CORBA::Any_var second = two->member_label(1);
  EXPECT_TRUE(second.in() >>= label);
  EXPECT_EQ(label, 2);
}

TEST(CreateTypeCode, NumbersAreChecked) {
  EXPECT_THROW(create_fixed_tc(0, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(create_fixed_tc(32, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(create_fixed_tc(3, 4), CORBA::BAD_PARAM);
  EXPECT_THROW(create_array_tc(0, CORBA::_tc_long), CORBA::BAD_PARAM);
  EXPECT_THROW(make_enum("IDL:E:1.0", "E", {}), CORBA::BAD_PARAM);
  const TypeCode_var f = create_fixed_tc(5, 2);
  EXPECT_EQ(f->fixed_digits(), 5);
  EXPECT_EQ(f->fixed_scale(), 2);
}

}  // namespace
}  // namespace callis::typecode::testing
