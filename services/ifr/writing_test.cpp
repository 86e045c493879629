// SPDX-License-Identifier: Apache-2.0
// create_... and attributes that are set, over the wire, by good clients and by others (CORBA 3.0.3, 10.5).
#include <services/ifr/testing/serving.h>

namespace callis::ifr::testing {
namespace {

struct WritingTest : ::testing::Test, Serving {
  CORBA::IDLType_var primitive(CORBA::PrimitiveKind kind) { return repository->get_primitive(kind); }
  static CORBA::StructMemberSeq members(const std::vector<std::pair<const char*, CORBA::IDLType_ptr>>& all) {
    CORBA::StructMemberSeq out;
    out.length(static_cast<CORBA::ULong>(all.size()));
    for (CORBA::ULong i = 0; i < out.length(); ++i) {
      out[i].name = CORBA::string_dup(all[i].first);
      out[i].type = CORBA::TypeCode::_duplicate(CORBA::_tc_void);
      out[i].type_def = CORBA::callis_duplicate(all[i].second);
    }
    return out;
  }
};

TEST_F(WritingTest, MakesAnInterfaceFromNothing) {
  const CORBA::ModuleDef_var module = repository->create_module("IDL:Bank:1.0", "Bank", "1.0");
  const CORBA::IDLType_var text = primitive(CORBA::pk_string), number = primitive(CORBA::pk_long);
  const CORBA::ExceptionDef_var poor =
      module->create_exception("IDL:Bank/Poor:1.0", "Poor", "1.0", members({{"missing", number.in()}}));
  const CORBA::InterfaceDef_var account =
      module->create_interface("IDL:Bank/Account:1.0", "Account", "1.0", CORBA::InterfaceDefSeq());
  const CORBA::AttributeDef_var owner =
      account->create_attribute("IDL:Bank/Account/owner:1.0", "owner", "1.0", text.in(), CORBA::ATTR_READONLY);
  CORBA::ParDescriptionSeq parameters;
  parameters.length(1);
  parameters[0].name = CORBA::string_dup("amount");
  parameters[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  parameters[0].type_def = CORBA::callis_duplicate(number.in());
  parameters[0].mode = CORBA::PARAM_IN;
  CORBA::ExceptionDefSeq raises;
  raises.length(1);
  raises[0] = CORBA::ExceptionDef::_duplicate(poor.in());
  const CORBA::OperationDef_var take =
      account->create_operation("IDL:Bank/Account/take:1.0", "take", "1.0", number.in(), CORBA::OP_NORMAL, parameters,
                                raises, CORBA::ContextIdSeq());
  EXPECT_STREQ(CORBA::String_var(take->absolute_name()).in(), "::Bank::Account::take");
  EXPECT_EQ(owner->mode(), CORBA::ATTR_READONLY);
  const CORBA::InterfaceDef::FullInterfaceDescription_var d = account->describe_interface();
  EXPECT_EQ(d->operations.length(), 1u);
  EXPECT_EQ(d->attributes.length(), 1u);
  // Said by IDL it is the same.
  const CallisIfr::Fed fed = feed(
      "module Bank { exception Poor { long missing; }; interface Account { readonly attribute string owner;"
      " long take(in long amount) raises (Poor); }; };");
  EXPECT_EQ(fed.added, 0u);
  EXPECT_EQ(fed.known, 5u);
}

TEST_F(WritingTest, MakesTypesOfAllKinds) {
  const CORBA::IDLType_var number = primitive(CORBA::pk_long);
  CORBA::EnumMemberSeq words;
  words.length(2);
  words[0] = CORBA::string_dup("on");
  words[1] = CORBA::string_dup("off");
  const CORBA::EnumDef_var mode = repository->create_enum("IDL:Mode:1.0", "Mode", "1.0", words);
  CORBA::UnionMemberSeq cases;
  cases.length(2);
  cases[0].name = CORBA::string_dup("n");
  cases[0].type_def = CORBA::callis_duplicate(number.in());
  cases[0].label <<= CORBA::Long(4);
  cases[1] = cases[0];
  cases[1].name = CORBA::string_dup("m");
  EXPECT_EQ(refusal([&] { repository->create_union("IDL:U:1.0", "U", "1.0", number.in(), cases); }), "BAD_PARAM 18");
  cases[1].label <<= CORBA::Any::from_octet(0);
  const CORBA::UnionDef_var u = repository->create_union("IDL:U:1.0", "U", "1.0", number.in(), cases);
  EXPECT_EQ(CORBA::TypeCode_var(u->type())->default_index(), 1);
  EXPECT_EQ(refusal([&] { repository->create_union("IDL:V:1.0", "V", "1.0", u.in(), cases); }), "BAD_PARAM 20");
  const CORBA::SequenceDef_var many = repository->create_sequence(7, mode.in());
  const CORBA::AliasDef_var modes = repository->create_alias("IDL:Modes:1.0", "Modes", "1.0", many.in());
  EXPECT_EQ(CORBA::TypeCode_var(CORBA::TypeCode_var(modes->type())->content_type())->length(), 7u);
  EXPECT_EQ(refusal([&] { repository->create_array(0, mode.in()); }), "BAD_PARAM 0");
  EXPECT_EQ(refusal([&] { repository->create_fixed(32, 0); }), "BAD_PARAM 0");
  CORBA::Any four;
  four <<= CORBA::Long(4);
  const CORBA::ConstantDef_var c = repository->create_constant("IDL:c:1.0", "c", "1.0", number.in(), four);
  four <<= "text";
  EXPECT_EQ(refusal([&] { c->value(four); }), "BAD_PARAM 0");
  EXPECT_EQ(refusal([&] { repository->create_constant("IDL:d:1.0", "d", "1.0", many.in(), four); }), "BAD_PARAM 0");
  const CORBA::ValueDef_var value =
      repository->create_value("IDL:Val:1.0", "Val", "1.0", false, false, nullptr, false, CORBA::ValueDefSeq(),
                               CORBA::InterfaceDefSeq(), CORBA::InitializerSeq());
  CORBA::ValueMemberDef_var made =
      value->create_value_member("IDL:Val/a:1.0", "a", "1.0", number.in(), CORBA::PUBLIC_MEMBER);
  made = value->create_value_member("IDL:Val/self:1.0", "self", "1.0", value.in(), CORBA::PRIVATE_MEMBER);
  EXPECT_EQ(CORBA::TypeCode_var(value->type())->member_count(), 2u);
  EXPECT_EQ(refusal([&] { value->base_value(value.in()); }), "BAD_PARAM 0");
  const CORBA::NativeDef_var native = repository->create_native("IDL:Nat:1.0", "Nat", "1.0");
  EXPECT_EQ(CORBA::TypeCode_var(native->type())->kind(), CORBA::tk_native);
}

// CORBA 3.0.3, 10.5.16 to 10.5.19: their attributes can be written.
TEST_F(WritingTest, ChangesAnonymousTypesOfOneDefinition) {
  const CORBA::IDLType_var number = primitive(CORBA::pk_long), letter = primitive(CORBA::pk_char);
  const auto content_of = [](CORBA::AliasDef_ptr alias) {
    return CORBA::TypeCode_var(CORBA::TypeCode_var(alias->type())->content_type());
  };
  const CORBA::SequenceDef_var many = repository->create_sequence(7, number.in());
  const CORBA::AliasDef_var a = repository->create_alias("IDL:A:1.0", "A", "1.0", many.in());
  many->bound(8);
  EXPECT_EQ(content_of(a.in())->length(), 8u);
  many->element_type_def(letter.in());
  EXPECT_EQ(CORBA::TypeCode_var(content_of(a.in())->content_type())->kind(), CORBA::tk_char);
  EXPECT_EQ(CORBA::TypeCode_var(many->element_type())->kind(), CORBA::tk_char);
  EXPECT_EQ(refusal([&] { many->element_type_def(a.in()); }), "BAD_TYPECODE 2") << "through the alias in itself";
  const CORBA::ArrayDef_var row = repository->create_array(3, number.in());
  const CORBA::AliasDef_var b = repository->create_alias("IDL:B:1.0", "B", "1.0", row.in());
  row->length(4);
  EXPECT_EQ(content_of(b.in())->length(), 4u);
  EXPECT_EQ(refusal([&] { row->length(0); }), "BAD_PARAM 0");
  EXPECT_EQ(row->length(), 4u);
  const CORBA::FixedDef_var price = repository->create_fixed(5, 2);
  const CORBA::AliasDef_var c = repository->create_alias("IDL:C:1.0", "C", "1.0", price.in());
  price->digits(9);
  price->scale(3);
  EXPECT_EQ(content_of(c.in())->fixed_digits(), 9u);
  EXPECT_EQ(content_of(c.in())->fixed_scale(), 3);
  EXPECT_EQ(refusal([&] { price->digits(2); }), "BAD_PARAM 0");
  const CORBA::StringDef_var text = repository->create_string(5);
  const CORBA::WstringDef_var wide = repository->create_wstring(5);
  text->bound(6);
  wide->bound(7);
  EXPECT_EQ(CORBA::TypeCode_var(text->type())->length(), 6u);
  EXPECT_EQ(CORBA::TypeCode_var(wide->type())->length(), 7u);
  // What two definitions have changes for neither.
  const CORBA::AliasDef_var d = repository->create_alias("IDL:D:1.0", "D", "1.0", many.in());
  EXPECT_EQ(refusal([&] { many->bound(9); }), "BAD_INV_ORDER 0");
  EXPECT_EQ(content_of(d.in())->length(), 8u);
  const CORBA::SequenceDef_var again = repository->create_sequence(8, letter.in());
  EXPECT_TRUE(again->_is_equivalent(many.in())) << "found by what it is now";
}

TEST_F(WritingTest, RefusesCircles) {
  const CORBA::IDLType_var number = primitive(CORBA::pk_long);
  const CORBA::StructDef_var s = repository->create_struct("IDL:S:1.0", "S", "1.0", members({{"n", number.in()}}));
  EXPECT_EQ(refusal([&] { s->members(members({{"self", s.in()}})); }), "BAD_TYPECODE 2");
  const CORBA::SequenceDef_var many = repository->create_sequence(0, s.in());
  s->members(members({{"selves", many.in()}}));
  EXPECT_EQ(CORBA::TypeCode_var(s->type())->member_count(), 1u);
  const CORBA::AliasDef_var a = repository->create_alias("IDL:A:1.0", "A", "1.0", number.in());
  EXPECT_EQ(refusal([&] { a->original_type_def(a.in()); }), "BAD_TYPECODE 2");
  const CORBA::InterfaceDef_var i = repository->create_interface("IDL:I:1.0", "I", "1.0", CORBA::InterfaceDefSeq());
  CORBA::InterfaceDefSeq bases;
  bases.length(1);
  bases[0] = CORBA::InterfaceDef::_duplicate(i.in());
  EXPECT_EQ(refusal([&] { i->base_interfaces(bases); }), "BAD_PARAM 0");
}

TEST_F(WritingTest, RefusesNilAndStrangeReferences) {
  const CORBA::Object_var elsewhere = client->string_to_object("corbaloc::127.0.0.1:9/strange");
  const CORBA::IDLType_var strange = CORBA::IDLType::_unchecked_narrow(elsewhere.in());
  EXPECT_EQ(refusal([&] { repository->create_alias("IDL:A:1.0", "A", "1.0", nullptr); }), "BAD_PARAM 13");
  EXPECT_EQ(refusal([&] { repository->create_alias("IDL:A:1.0", "A", "1.0", strange.in()); }), "BAD_PARAM 0");
  const CORBA::IDLType_var itself = CORBA::IDLType::_unchecked_narrow(repository.in());
  EXPECT_EQ(refusal([&] { repository->create_alias("IDL:A:1.0", "A", "1.0", itself.in()); }), "BAD_PARAM 13");
  EXPECT_EQ(CORBA::ContainedSeq_var(repository->contents(CORBA::dk_all, true))->length(), 0u);
}

TEST_F(WritingTest, WhatIsDestroyedIsGoneForThoseWhoHoldIt) {
  const CORBA::IDLType_var number = primitive(CORBA::pk_long);
  const CORBA::ModuleDef_var m = repository->create_module("IDL:M:1.0", "M", "1.0");
  const CORBA::StructDef_var s = m->create_struct("IDL:M/S:1.0", "S", "1.0", members({{"n", number.in()}}));
  const CORBA::AliasDef_var a = repository->create_alias("IDL:A:1.0", "A", "1.0", s.in());
  EXPECT_EQ(refusal([&] { m->destroy(); }), "BAD_INV_ORDER 1");
  EXPECT_EQ(refusal([&] { repository->destroy(); }), "BAD_INV_ORDER 2");
  EXPECT_EQ(refusal([&] { number->destroy(); }), "BAD_INV_ORDER 2");
  a->destroy();
  m->destroy();
  EXPECT_EQ(refusal([&] { CORBA::String_var(s->name()); }), "OBJECT_NOT_EXIST 4");
  EXPECT_EQ(refusal([&] { m->destroy(); }), "OBJECT_NOT_EXIST 4");
  EXPECT_EQ(refusal([&] { repository->create_sequence(0, s.in()); }), "OBJECT_NOT_EXIST 4");
  EXPECT_TRUE(s->_non_existent());
  EXPECT_NO_THROW(
      CORBA::StructDef_var(repository->create_struct("IDL:M/S:1.0", "M", "1.0", CORBA::StructMemberSeq())));
}

TEST_F(WritingTest, RenamesAndMoves) {
  const CORBA::ModuleDef_var m = repository->create_module("IDL:M:1.0", "M", "1.0");
  const CORBA::NativeDef_var n = repository->create_native("IDL:N:1.0", "N", "1.0");
  n->move(m.in(), "Moved", "1.1");
  EXPECT_STREQ(CORBA::String_var(n->absolute_name()).in(), "::M::Moved");
  EXPECT_STREQ(CORBA::String_var(n->version()).in(), "1.1");
  n->name("Again");
  n->id("IDL:other:2.0");
  EXPECT_TRUE(CORBA::Contained_var(repository->lookup_id("IDL:other:2.0")).in());
  EXPECT_FALSE(CORBA::Contained_var(repository->lookup_id("IDL:N:1.0")).in());
  EXPECT_EQ(refusal([&] { n->id("IDL:M:1.0"); }), "BAD_PARAM 2");
  EXPECT_EQ(refusal([&] { n->name("\x01"); }), "BAD_PARAM 15");
  EXPECT_EQ(refusal([&] { m->move(m.in(), "X", "1.0"); }), "BAD_PARAM 4");
}

TEST(BoundedAnswers, AreNotMade) {
  Bounds small;
  small.answers = 2;
  Serving s(nullptr, small);
  s.feed("module A {  const long a = 1; const long b = 2; const short c = 3; typedef long D; };");
  const CORBA::Container_var module = s.at<CORBA::Container>("::A");
  EXPECT_EQ(refusal([&] { CORBA::ContainedSeq_var(module->contents(CORBA::dk_all, true)); }), "IMP_LIMIT 0");
  EXPECT_EQ(CORBA::ContainedSeq_var(module->contents(CORBA::dk_Alias, true))->length(), 1u);
  const auto describe = [&](CORBA::Long most) {
    return CORBA::Container::DescriptionSeq_var(module->describe_contents(CORBA::dk_all, true, most))->length();
  };
  EXPECT_EQ(refusal([&] { describe(-1); }), "IMP_LIMIT 0");
  EXPECT_EQ(describe(2), 2u);
}

TEST_F(WritingTest, RejectsAFileWithTheCompilersWords) {
  try {
    feed("interface I { voi run(); };");
    ADD_FAILURE();
  } catch (const CallisIfr::Rejected& r) {
    EXPECT_NE(std::string(r.why.in()).find("test.idl:1:15"), std::string::npos) << r.why.in();
  }
  EXPECT_EQ(CORBA::ContainedSeq_var(repository->contents(CORBA::dk_all, true))->length(), 0u);
}

}  // namespace
}  // namespace callis::ifr::testing
