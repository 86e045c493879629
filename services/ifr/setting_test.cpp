// SPDX-License-Identifier: Apache-2.0
// Attributes of definitions that are set over the wire, interface by interface (CORBA 3.3 part 1, 14.5): what is read
// afterwards, in the TypeCode too, and what is refused.
#include <services/ifr/testing/serving.h>

namespace callis::ifr::testing {
namespace {

struct SettingTest : ::testing::Test, Serving {
  CORBA::IDLType_var number = repository->get_primitive(CORBA::pk_long);
  CORBA::IDLType_var letter = repository->get_primitive(CORBA::pk_char);
  CORBA::IDLType_var nothing = repository->get_primitive(CORBA::pk_void);

  CORBA::StructMemberSeq member(const char* name, CORBA::IDLType_ptr type) {
    CORBA::StructMemberSeq out;
    out.length(1);
    out[0].name = name;
    out[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_void);
    out[0].type_def = CORBA::callis_duplicate(type);
    return out;
  }
  template<class I>
  CORBA::TypeCode_var type_of(const char* name) {
    return CORBA::TypeCode_var(at<I>(name)->type());
  }
};

TEST_F(SettingTest, MembersOfStructsExceptionsAndEnums) {
  feed("struct S { long a; }; exception E { long a; }; enum Color { red };");
  at<CORBA::StructDef>("::S")->members(member("b", letter.in()));
  EXPECT_STREQ(type_of<CORBA::StructDef>("::S")->member_name(0), "b");
  EXPECT_EQ(CORBA::StructMemberSeq_var(at<CORBA::StructDef>("::S")->members())[0u].type->kind(), CORBA::tk_char);
  EXPECT_EQ(refusal([&] { at<CORBA::StructDef>("::S")->members(member("b", nothing.in())); }), "BAD_PARAM 13");
  at<CORBA::ExceptionDef>("::E")->members(member("c", letter.in()));
  EXPECT_STREQ(type_of<CORBA::ExceptionDef>("::E")->member_name(0), "c");
  CORBA::EnumMemberSeq words;
  words.length(2);
  words[0] = CORBA::string_dup("green");
  words[1] = CORBA::string_dup("green");
  EXPECT_EQ(refusal([&] { at<CORBA::EnumDef>("::Color")->members(words); }), "BAD_PARAM 17");
  words[1] = CORBA::string_dup("blue");
  at<CORBA::EnumDef>("::Color")->members(words);
  EXPECT_EQ(type_of<CORBA::EnumDef>("::Color")->member_count(), 2u);
  EXPECT_STREQ(CORBA::EnumMemberSeq_var(at<CORBA::EnumDef>("::Color")->members())[1u], "blue");
}

TEST_F(SettingTest, UnionsAndTheirDiscriminators) {
  feed("union U switch (long) { case 1: long a; }; struct S { long a; };");
  const CORBA::UnionDef_var u = at<CORBA::UnionDef>("::U");
  EXPECT_EQ(refusal([&] { u->discriminator_type_def(at<CORBA::StructDef>("::S").in()); }), "BAD_PARAM 20");
  EXPECT_EQ(refusal([&] { u->discriminator_type_def(letter.in()); }), "BAD_PARAM 19") << "its labels are long";
  EXPECT_EQ(CORBA::TypeCode_var(u->discriminator_type())->kind(), CORBA::tk_long);
  CORBA::UnionMemberSeq_var members = u->members();
  ASSERT_EQ(members->length(), 1u);
  members[0u].name = "other";
  members[0u].type_def = CORBA::callis_duplicate(letter.in());
  u->members(members.in());
  EXPECT_STREQ(type_of<CORBA::UnionDef>("::U")->member_name(0), "other");
}

TEST_F(SettingTest, AliasesBoxesAndConstants) {
  feed("typedef long A; valuetype B long; const long c = 4;");
  at<CORBA::AliasDef>("::A")->original_type_def(letter.in());
  EXPECT_EQ(CORBA::TypeCode_var(type_of<CORBA::AliasDef>("::A")->content_type())->kind(), CORBA::tk_char);
  at<CORBA::ValueBoxDef>("::B")->original_type_def(letter.in());
  EXPECT_EQ(CORBA::TypeCode_var(type_of<CORBA::ValueBoxDef>("::B")->content_type())->kind(), CORBA::tk_char);
  const CORBA::ConstantDef_var c = at<CORBA::ConstantDef>("::c");
  EXPECT_EQ(refusal([&] { c->type_def(letter.in()); }), "BAD_PARAM 0") << "its value is a long";
  CORBA::Any five;
  five <<= CORBA::Long(5);
  c->value(five);
  CORBA::Long now = 0;
  EXPECT_TRUE(CORBA::Any_var(c->value()).in() >>= now);
  EXPECT_EQ(now, 5);
}

TEST_F(SettingTest, AttributesAndWhatTheyRaise) {
  feed("exception E {}; interface I { attribute long a; };");
  const CORBA::ExtAttributeDef_var a = at<CORBA::ExtAttributeDef>("::I::a");
  a->type_def(letter.in());
  a->mode(CORBA::ATTR_READONLY);
  CORBA::ExcDescriptionSeq raised;
  raised.length(1);
  raised[0].id = "IDL:E:1.0";
  a->get_exceptions(raised);
  const CORBA::ExtAttributeDescription_var d = a->describe_attribute();
  EXPECT_EQ(d->type->kind(), CORBA::tk_char);
  EXPECT_EQ(d->mode, CORBA::ATTR_READONLY);
  ASSERT_EQ(d->get_exceptions.length(), 1u);
  EXPECT_STREQ(d->get_exceptions[0].name, "E");
  EXPECT_EQ(d->put_exceptions.length(), 0u);
  a->mode(CORBA::ATTR_NORMAL);
  a->set_exceptions(raised);
  EXPECT_EQ(CORBA::ExcDescriptionSeq_var(a->set_exceptions())->length(), 1u);
  raised[0].id = "IDL:Nobody:1.0";
  EXPECT_EQ(refusal([&] { a->set_exceptions(raised); }), "BAD_PARAM 0");
  EXPECT_EQ(refusal([&] { a->type_def(nothing.in()); }), "BAD_PARAM 13");
}

TEST_F(SettingTest, OperationsInAllTheirParts) {
  feed("exception E {}; interface I { void run(); };");
  const CORBA::OperationDef_var run = at<CORBA::OperationDef>("::I::run");
  run->mode(CORBA::OP_ONEWAY);
  EXPECT_EQ(refusal([&] { run->result_def(number.in()); }), "BAD_PARAM 31");
  run->mode(CORBA::OP_NORMAL);
  run->result_def(number.in());
  EXPECT_EQ(CORBA::TypeCode_var(run->result())->kind(), CORBA::tk_long);
  CORBA::ParDescriptionSeq parameters;
  parameters.length(1);
  parameters[0].name = "p";
  parameters[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_char);
  parameters[0].type_def = CORBA::callis_duplicate(letter.in());
  parameters[0].mode = CORBA::PARAM_INOUT;
  run->params(parameters);
  const CORBA::ParDescriptionSeq_var now = run->params();
  ASSERT_EQ(now->length(), 1u);
  EXPECT_EQ(now[0u].mode, CORBA::PARAM_INOUT);
  EXPECT_EQ(now[0u].type->kind(), CORBA::tk_char);
  CORBA::ContextIdSeq contexts;
  contexts.length(1);
  contexts[0] = CORBA::string_dup("user");
  run->contexts(contexts);
  EXPECT_STREQ(CORBA::ContextIdSeq_var(run->contexts())[0u], "user");
  CORBA::ExceptionDefSeq raised;
  raised.length(1);
  raised[0] = at<CORBA::ExceptionDef>("::E")._retn();
  run->exceptions(raised);
  EXPECT_EQ(CORBA::ExceptionDefSeq_var(run->exceptions())->length(), 1u);
  EXPECT_EQ(refusal([&] { run->mode(CORBA::OP_ONEWAY); }), "BAD_PARAM 31");
}

TEST_F(SettingTest, ValuetypesInAllTheirParts) {
  feed("interface I {}; abstract valuetype A {}; valuetype Base {}; valuetype V { public long a; };");
  const CORBA::ExtValueDef_var v = at<CORBA::ExtValueDef>("::V");
  v->base_value(at<CORBA::ValueDef>("::Base").in());
  v->is_truncatable(true);
  EXPECT_TRUE(v->is_truncatable());
  EXPECT_EQ(type_of<CORBA::ValueDef>("::V")->type_modifier(), CORBA::VM_TRUNCATABLE);
  CORBA::ValueDefSeq abstract;
  abstract.length(1);
  abstract[0] = at<CORBA::ValueDef>("::A")._retn();
  v->abstract_base_values(abstract);
  EXPECT_TRUE(v->is_a("IDL:A:1.0"));
  CORBA::InterfaceDefSeq supported;
  supported.length(1);
  supported[0] = at<CORBA::InterfaceDef>("::I")._retn();
  v->supported_interfaces(supported);
  EXPECT_EQ(CORBA::InterfaceDefSeq_var(v->supported_interfaces())->length(), 1u);
  EXPECT_TRUE(v->is_a("IDL:I:1.0"));
  CORBA::InitializerSeq made;
  made.length(1);
  made[0].name = "make";
  made[0].members = member("p", letter.in());
  v->initializers(made);
  EXPECT_STREQ(CORBA::InitializerSeq_var(v->initializers())[0u].members[0].name, "p");
  const CORBA::ValueMemberDef_var a = at<CORBA::ValueMemberDef>("::V::a");
  a->type_def(letter.in());
  a->access(CORBA::PRIVATE_MEMBER);
  EXPECT_EQ(type_of<CORBA::ValueDef>("::V")->member_visibility(0), CORBA::PRIVATE_MEMBER);
  EXPECT_EQ(refusal([&] { a->access(7); }), "BAD_PARAM 0");
  EXPECT_EQ(refusal([&] { at<CORBA::ValueDef>("::Base")->base_value(v.in()); }), "BAD_PARAM 0") << "a circle";
}

}  // namespace
}  // namespace callis::ifr::testing
