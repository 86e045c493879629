// SPDX-License-Identifier: Apache-2.0
// TypeCodes made from the words of descriptors.
#include <callis/typecode/of_descriptor.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/link.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

using marshal::Kind;
using marshal::type_word;
using marshal::Unit;
using marshal::Word;

// What all links begin with.
struct Link {
  const char* repository_id;
};
const Link interface_link = {"IDL:acme.org/Bank/Account:1.0"}, exception_link = {"IDL:Broken:1.0"};

TypeCode_ptr type_of(const std::vector<Word>& words, Word type) {
  static const void* const links[] = {&interface_link, &exception_link};
  return type_of_descriptor(Unit{words.data(), "", links, nullptr, nullptr}, type);
}

TEST(OfDescriptor, KindsWithoutParametersAreTheConstants) {
  const std::pair<Kind, TypeCode_ptr> all[] = {
      {Kind::Void, CORBA::_tc_void}, {Kind::Boolean, CORBA::_tc_boolean}, {Kind::Octet, CORBA::_tc_octet},
      {Kind::Char, CORBA::_tc_char}, {Kind::WChar, CORBA::_tc_wchar}, {Kind::Short, CORBA::_tc_short},
      {Kind::UShort, CORBA::_tc_ushort}, {Kind::Long, CORBA::_tc_long}, {Kind::ULong, CORBA::_tc_ulong},
      {Kind::LongLong, CORBA::_tc_longlong}, {Kind::ULongLong, CORBA::_tc_ulonglong}, {Kind::Float, CORBA::_tc_float},
      {Kind::Double, CORBA::_tc_double}, {Kind::LongDouble, CORBA::_tc_longdouble}, {Kind::String, CORBA::_tc_string},
      {Kind::WString, CORBA::_tc_wstring}, {Kind::Any, CORBA::_tc_any}, {Kind::TypeCode, CORBA::_tc_TypeCode}};
  for (const auto& [kind, constant] : all) EXPECT_EQ(type_of({}, type_word(kind)), constant);
  EXPECT_EQ(type_of({}, type_word(Kind::ObjRef, marshal::kNoLink)), CORBA::_tc_Object);
  EXPECT_EQ(type_of({}, type_word(Kind::Value, marshal::kNoLink)), CORBA::_tc_ValueBase);
  EXPECT_EQ(type_of({}, type_word(Kind::Abstract, marshal::kNoLink)), CORBA::_tc_AbstractBase);
}

TEST(OfDescriptor, BoundsDigitsAndLengthsAreKept) {
  EXPECT_EQ(TypeCode_var(type_of({}, type_word(Kind::String, 7)))->length(), 7u);
  EXPECT_EQ(TypeCode_var(type_of({}, type_word(Kind::WString, 8)))->length(), 8u);
  const TypeCode_var fixed = type_of({}, type_word(Kind::Fixed, 9 | 2 << 8));
  EXPECT_EQ(fixed->fixed_digits(), 9);
  EXPECT_EQ(fixed->fixed_scale(), 2);
  const std::vector<Word> words = {type_word(Kind::String, marshal::kBigBound), 1u << 25,
                                   type_word(Kind::Array), 3, type_word(Kind::Ref, 0),
                                   type_word(Kind::Sequence), 5, type_word(Kind::Ref, 2)};
  const TypeCode_var sequence = type_of(words, type_word(Kind::Ref, 5));
  EXPECT_EQ(sequence->kind(), CORBA::tk_sequence);
  EXPECT_EQ(sequence->length(), 5u);
  const TypeCode_var array = sequence->content_type();
  EXPECT_EQ(array->kind(), CORBA::tk_array);
  EXPECT_EQ(array->length(), 3u);
  EXPECT_EQ(TypeCode_var(array->content_type())->length(), 1u << 25);
}

TEST(OfDescriptor, InterfacesAndExceptionsHaveTheirIdsAndNames) {
  const TypeCode_var account = type_of({}, type_word(Kind::ObjRef, 0));
  EXPECT_EQ(account->kind(), CORBA::tk_objref);
  EXPECT_STREQ(account->id(), interface_link.repository_id);
  EXPECT_STREQ(account->name(), "Account");
  const TypeCode_var broken =
      type_of({type_word(Kind::Exception, 1), 1, type_word(Kind::Long)}, type_word(Kind::Ref, 0));
  EXPECT_EQ(broken->kind(), CORBA::tk_except);
  EXPECT_STREQ(broken->id(), exception_link.repository_id);
  EXPECT_STREQ(broken->name(), "Broken");
  ASSERT_EQ(broken->member_count(), 1u);
  EXPECT_STREQ(broken->member_name(0), "");
  EXPECT_EQ(TypeCode_var(broken->member_type(0))->kind(), CORBA::tk_long);
}

// What extraction from an Any asks (8.11.3).
TEST(OfDescriptor, StructsEnumsAndUnionsAreEquivalentToThoseWithNames) {
  // enum E { a, b }; struct S { E e; string<4> s; };
  const std::vector<Word> words = {type_word(Kind::Struct, 2), type_word(Kind::Enum, 2), type_word(Kind::String, 4)};
  const TypeCode_var e = make_enum("IDL:E:1.0", "E", {"a", "b"});
  const TypeCode_var bounded = create_string_tc(4);
  const TypeCode_var s = make_struct("IDL:S:1.0", "S", {{"e", e}, {"s", bounded}});
  const TypeCode_var made = type_of(words, type_word(Kind::Ref, 0));
  EXPECT_STREQ(made->id(), "");
  EXPECT_TRUE(made->equivalent(s));
  EXPECT_TRUE(s->equivalent(made));
  EXPECT_FALSE(made->equal(s));
  const TypeCode_var three = make_enum("IDL:E:1.0", "E", {"a", "b", "c"});
  EXPECT_FALSE(TypeCode_var(type_of({}, type_word(Kind::Enum, 2)))->equivalent(three));

  // union U switch (short) { case -1: case 3: long l; default: string s; };
  const std::vector<Word> of_union = {type_word(Kind::Union, 2), type_word(Kind::Short), 1, 2, type_word(Kind::Long),
                                      type_word(Kind::String), 3, 0, 0, 0xffffffff, 0xffffffff, 0};
  const auto label = [](CORBA::Short v) { return any_of(v); };
  const TypeCode_var u = create_union_tc("IDL:U:1.0", "U", CORBA::_tc_short,
                                         union_members({union_member("l", label(3), CORBA::_tc_long),
                                                        union_member("l", label(-1), CORBA::_tc_long),
                                                        union_member("s", default_label(), CORBA::_tc_string)}));
  const TypeCode_var made_union = type_of(of_union, type_word(Kind::Ref, 0));
  EXPECT_EQ(made_union->default_index(), 2);
  EXPECT_EQ(made_union->member_count(), 3u);
  EXPECT_TRUE(made_union->equivalent(u));
}

TEST(OfDescriptor, TypesMayContainThemselves) {
  // struct Node { long value; sequence<Node> next; };
  const std::vector<Word> words = {type_word(Kind::Struct, 2), type_word(Kind::Long), type_word(Kind::Ref, 3),
                                   type_word(Kind::Sequence), 0, type_word(Kind::Ref, 0)};
  const TypeCode_var made = type_of(words, type_word(Kind::Ref, 0)), node = make_node();
  EXPECT_TRUE(made->equivalent(node));
  // And can be sent.
  const TypeCode_var back = read(written(made, ByteOrder::Little), ByteOrder::Little);
  ASSERT_NE(back.in(), nullptr);
  EXPECT_TRUE(back->equivalent(node));
}

TEST(OfDescriptor, ValuesHaveStateBaseAndModifier) {
  // valuetype B { private long l; }; valuetype D : truncatable B { private D next; }; valuetype Box string;
  static const Word words[] = {type_word(Kind::Struct, 1), type_word(Kind::Long), type_word(Kind::Struct, 1),
                               type_word(Kind::Value, 0)};
  static const void* links[1];
  static const Unit unit{words, "", links, nullptr, nullptr};
  value::ValueLink base, derived, box;
  base.repository_id = "IDL:B:1.0";
  base.unit = derived.unit = box.unit = &unit;
  base.state = type_word(Kind::Ref, 0);
  derived.repository_id = "IDL:D:1.0";
  derived.base = &base;
  derived.flags = value::kTruncatable;
  derived.state = type_word(Kind::Ref, 2);
  box.repository_id = "IDL:Box:1.0";
  box.flags = value::kBox;
  box.state = type_word(Kind::String);
  links[0] = &derived;
  const TypeCode_var d = type_of_descriptor(unit, type_word(Kind::Value, 0));
  EXPECT_EQ(d->kind(), CORBA::tk_value);
  EXPECT_STREQ(d->id(), "IDL:D:1.0");
  EXPECT_EQ(d->type_modifier(), CORBA::VM_TRUNCATABLE);
  ASSERT_EQ(d->member_count(), 1u);
  EXPECT_STREQ(TypeCode_var(d->member_type(0))->id(), "IDL:D:1.0");
  const TypeCode_var b = d->concrete_base_type();
  EXPECT_STREQ(b->id(), "IDL:B:1.0");
  EXPECT_EQ(b->type_modifier(), CORBA::VM_NONE);
  EXPECT_EQ(TypeCode_var(b->concrete_base_type()).in(), nullptr);
  EXPECT_EQ(TypeCode_var(b->member_type(0))->kind(), CORBA::tk_long);
  links[0] = &box;
  const TypeCode_var boxed = type_of_descriptor(unit, type_word(Kind::Value, 0));
  EXPECT_EQ(boxed->kind(), CORBA::tk_value_box);
  EXPECT_EQ(TypeCode_var(boxed->content_type())->kind(), CORBA::tk_string);
}

}  // namespace
}  // namespace callis::typecode::testing
