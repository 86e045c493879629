// SPDX-License-Identifier: Apache-2.0
// What all DynAnys have (CORBA 3.3 part 1, 9.2.3), and those of basic types.
#include <callis/dynamic/testing/dyn_any_fixture.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/wire.h>

namespace callis::dynamic::testing {
namespace {

// TypeCodes that come from elsewhere know nothing of the program's classes.
TEST_F(DynAnyTest, references_of_types_made_at_run_time_are_extracted_as_of_the_programs_class) {
  const CORBA::TypeCode_var type = orb->create_interface_tc(Dyn::_tc_Radio->id(), "Radio");
  const DynAny_var d = factory->create_dyn_any_from_type_code(type.in());
  const CORBA::Object_var there = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  d->insert_reference(there.in());
  const CORBA::Any_var any = d->to_any();
  Dyn::Radio_ptr radio = nullptr;
  ASSERT_TRUE(any.in() >>= radio);
  ASSERT_NE(radio, nullptr);
  EXPECT_TRUE(radio->_is_equivalent(there.in()));
  const DynAny_var nil = factory->create_dyn_any_from_type_code(type.in());
  const CORBA::Any_var empty = nil->to_any();
  ASSERT_TRUE(empty.in() >>= radio);
  EXPECT_EQ(radio, nullptr);
}

TEST_F(DynAnyTest, a_struct_is_read_member_by_member) {
  const DynAny_var d = of(everything());
  EXPECT_EQ(d->component_count(), 23u);
  EXPECT_TRUE(d->get_boolean());
  const auto next = [&] { EXPECT_TRUE(d->next()); };
  next(); EXPECT_EQ(d->get_octet(), 200);
  next(); EXPECT_EQ(d->get_char(), 'c');
  next(); EXPECT_EQ(d->get_wchar(), L'\u20ac');
  next(); EXPECT_EQ(d->get_short(), -2);
  next(); EXPECT_EQ(d->get_ushort(), 2);
  next(); EXPECT_EQ(d->get_long(), -4);
  next(); EXPECT_EQ(d->get_ulong(), 4u);
  next(); EXPECT_EQ(d->get_longlong(), -8);
  next(); EXPECT_EQ(d->get_ulonglong(), 8u);
  next(); EXPECT_EQ(d->get_float(), 0.5f);
  next(); EXPECT_EQ(d->get_double(), 0.25);
  next(); EXPECT_EQ(d->get_longdouble(), 0.125L);
  next(); EXPECT_STREQ(CORBA::String_var(d->get_string()).in(), "text");
  next(); EXPECT_STREQ(CORBA::WString_var(d->get_wstring()).in(), L"w\u00efde");
  next();
  CORBA::Long n = 0;
  EXPECT_TRUE(CORBA::Any_var(d->get_any()).in() >>= n);
  EXPECT_EQ(n, 77);
  EXPECT_EQ(DynAny_var(d->get_dyn_any())->get_long(), 77);
  next();
  const CORBA::Object_var target = d->get_reference();
  const CORBA::Object_var same = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  EXPECT_TRUE(target->_is_equivalent(same.in()));
  next();
  const DynAny_var tint = d->current_component();
  const DynEnum_var as_enum = DynEnum::_narrow(tint.in());
  EXPECT_STREQ(CORBA::String_var(as_enum->get_as_string()).in(), "green");
  EXPECT_EQ(as_enum->get_as_ulong(), 1u);
  next();
  const DynStruct_var s = DynStruct::_narrow(d.in());
  EXPECT_STREQ(CORBA::String_var(s->current_member_name()).in(), "spot");
  EXPECT_EQ(s->current_member_kind(), CORBA::tk_struct);
  const DynAny_var spot = d->current_component();
  EXPECT_EQ(spot->get_long(), 3);
  EXPECT_TRUE(spot->seek(1));
  EXPECT_STREQ(CORBA::String_var(spot->get_string()).in(), "spot");
  EXPECT_FALSE(spot->next());
  EXPECT_THROW((void)spot->get_string(), DynAny::InvalidValue) << "there is no current position";
  next();
  const DynAny_var spots = d->current_component();
  EXPECT_EQ(spots->component_count(), 2u);
  next();
  const std::unique_ptr<CORBA::ShortSeq> row(d->get_short_seq());
  ASSERT_EQ(row->length(), 3u);
  EXPECT_EQ((*row)[2u], 9);
  next();
  const DynAny_var form = d->current_component();
  const DynUnion_var u = DynUnion::_narrow(form.in());
  EXPECT_STREQ(CORBA::String_var(u->member_name()).in(), "corner");
  EXPECT_EQ(u->member_kind(), CORBA::tk_struct);
  EXPECT_EQ(u->discriminator_kind(), CORBA::tk_enum);
  next();
  const DynAny_var price = d->current_component();
  EXPECT_STREQ(CORBA::String_var(DynFixed_var(DynFixed::_narrow(price.in()))->get_value()).in(), "123.45");
  EXPECT_FALSE(d->next());
}

TEST_F(DynAnyTest, what_is_inserted_is_in_the_value) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(Dyn::_tc_Everything);
  const auto next = [&] { EXPECT_TRUE(d->next()); };
  d->insert_boolean(true);
  next(); d->insert_octet(200);
  next(); d->insert_char('c');
  next(); d->insert_wchar(L'\u20ac');
  next(); d->insert_short(-2);
  next(); d->insert_ushort(2);
  next(); d->insert_long(-4);
  next(); d->insert_ulong(4);
  next(); d->insert_longlong(-8);
  next(); d->insert_ulonglong(8);
  next(); d->insert_float(0.5f);
  next(); d->insert_double(0.25);
  next(); d->insert_longdouble(0.125L);
  next(); d->insert_string("text");
  next(); d->insert_wstring(L"w\u00efde");
  CORBA::Any seven;
  seven <<= CORBA::Long(77);
  next(); d->insert_any(seven);
  const CORBA::Object_var there = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  next(); d->insert_reference(there.in());
  next();
  DynEnum_var(DynEnum::_narrow(DynAny_var(d->current_component()).in()))->set_as_string("green");
  next();
  const DynAny_var spot = d->current_component();
  spot->insert_long(3);
  spot->next();
  spot->insert_string("spot");
  next();
  const DynAny_var spots = d->current_component();
  const DynSequence_var sequence = DynSequence::_narrow(spots.in());
  sequence->set_length(2);
  sequence->rewind();
  DynAny_var(sequence->current_component())->insert_long(1);
  EXPECT_TRUE(sequence->seek(1));
  const DynAny_var second = sequence->current_component();
  second->insert_long(2);
  second->seek(1);
  second->insert_string("second");
  next();
  CORBA::ShortSeq row(3);
  row.length(3);
  row[2u] = 9;
  d->insert_short_seq(row);
  next();
  const DynAny_var form = d->current_component();
  const DynUnion_var u = DynUnion::_narrow(form.in());
  DynEnum_var(DynEnum::_narrow(DynAny_var(u->get_discriminator()).in()))->set_as_string("green");
  const DynAny_var corner = u->member();
  corner->insert_long(4);
  corner->next();
  corner->insert_string("corner");
  next();
  EXPECT_TRUE(DynFixed_var(DynFixed::_narrow(DynAny_var(d->current_component()).in()))->set_value("123.45"));

  const CORBA::Any_var any = d->to_any();
  const Dyn::Everything* e = nullptr;
  ASSERT_TRUE(any.in() >>= e);
  EXPECT_STREQ(e->text, "text");
  EXPECT_STREQ(e->spots[1u].label, "second");
  EXPECT_EQ(e->numbers[2], 9);
  EXPECT_STREQ(e->form.corner().label, "corner");
  EXPECT_EQ(e->price, CORBA::Fixed("123.45"));
  const DynAny_var same = of(everything());
  d->rewind();
  same->rewind();
  for (CORBA::Long i = 0; i < 23; ++i) {
    EXPECT_TRUE(d->seek(i));
    EXPECT_TRUE(same->seek(i));
    EXPECT_TRUE(DynAny_var(d->current_component())->equal(DynAny_var(same->current_component()).in())) << i;
  }
  EXPECT_TRUE(d->equal(same.in()));
  EXPECT_TRUE(same->equal(d.in()));
  spot->seek(0);
  spot->insert_long(5);
  EXPECT_FALSE(d->equal(same.in()));
}

TEST_F(DynAnyTest, begins_with_the_defaults_of_the_types) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(Dyn::_tc_Everything);
  const CORBA::Any_var any = d->to_any();
  const Dyn::Everything* e = nullptr;
  ASSERT_TRUE(any.in() >>= e);
  EXPECT_STREQ(e->text, "");
  EXPECT_STREQ(e->spot.label, "");
  EXPECT_EQ(e->tint, Dyn::red);
  EXPECT_EQ(e->form._d(), Dyn::red);
  EXPECT_EQ(e->spots.length(), 0u);
  EXPECT_EQ(CORBA::TypeCode_var(e->value.type())->kind(), CORBA::tk_null);
  EXPECT_EQ(DynAny_var(factory->create_dyn_any_from_type_code(CORBA::_tc_long))->get_long(), 0);
  const DynAny_var t = factory->create_dyn_any_from_type_code(CORBA::_tc_TypeCode);
  EXPECT_EQ(CORBA::TypeCode_var(t->get_typecode())->kind(), CORBA::tk_null);
  t->insert_typecode(Dyn::_tc_Point);
  EXPECT_TRUE(CORBA::TypeCode_var(t->get_typecode())->equal(Dyn::_tc_Point));
  const DynAny_var nothing = factory->create_dyn_any_from_type_code(CORBA::_tc_null);
  EXPECT_EQ(nothing->component_count(), 0u);
  EXPECT_EQ(CORBA::TypeCode_var(CORBA::Any_var(nothing->to_any())->type())->kind(), CORBA::tk_null);
}

TEST_F(DynAnyTest, a_component_is_a_place_in_its_parent) {
  const DynAny_var d = of(Dyn::Point{1, CORBA::string_dup("one")});
  const DynAny_var x = d->current_component();
  EXPECT_EQ(x.in(), DynAny_var(d->current_component()).in()) << "the same DynAny";
  x->insert_long(2);
  EXPECT_EQ(d->get_long(), 2);
  d->insert_long(3);
  EXPECT_EQ(x->get_long(), 3);
  Dyn::Point other{4, CORBA::string_dup("four")};
  CORBA::Any any;
  any <<= other;
  d->from_any(any);
  EXPECT_EQ(x->get_long(), 4);
  EXPECT_STREQ(other.label, "four");
}

TEST_F(DynAnyTest, components_keep_the_whole_until_it_is_destroyed) {
  DynAny_var x;
  {
    const DynAny_var d = of(Dyn::Point{1, CORBA::string_dup("one")});
    x = d->current_component();
  }
  EXPECT_EQ(x->get_long(), 1);
  const DynAny_var d = of(Dyn::Point{1, CORBA::string_dup("one")});
  x = d->current_component();
  x->destroy();
  EXPECT_EQ(x->get_long(), 1) << "destroy() of a component does nothing";
  d->destroy();
  EXPECT_THROW((void)x->get_long(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW((void)d->to_any(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW((void)d->type(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(d->destroy(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(DynAnyTest, the_value_is_a_copy) {
  CORBA::Any any;
  any <<= Dyn::Point{1, CORBA::string_dup("one")};
  const DynAny_var d = factory->create_dyn_any(any);
  const DynAny_var copy = d->copy();
  d->insert_long(2);
  const Dyn::Point* p = nullptr;
  EXPECT_TRUE(any >>= p);
  EXPECT_EQ(p->x, 1);
  EXPECT_EQ(copy->get_long(), 1);
  copy->assign(d.in());
  EXPECT_EQ(copy->get_long(), 2);
  EXPECT_THROW(copy->assign(of(CORBA::Long(1)).in()), DynAny::TypeMismatch);
  CORBA::Any other;
  other <<= CORBA::Long(1);
  EXPECT_THROW(copy->from_any(other), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, types_are_checked) {
  const DynAny_var d = of(CORBA::Long(5));
  EXPECT_THROW((void)d->get_short(), DynAny::TypeMismatch);
  EXPECT_THROW(d->insert_string("x"), DynAny::TypeMismatch);
  EXPECT_THROW((void)d->current_component(), DynAny::TypeMismatch);
  EXPECT_FALSE(d->seek(0));
  EXPECT_EQ(d->component_count(), 0u);
  EXPECT_THROW((void)d->get_long_seq(), DynAny::TypeMismatch);
  const CORBA::TypeCode_var bounded = orb->create_string_tc(3);
  const DynAny_var s = factory->create_dyn_any_from_type_code(bounded.in());
  s->insert_string("abc");
  EXPECT_THROW(s->insert_string("abcd"), DynAny::InvalidValue);
  const CORBA::TypeCode_var wide = orb->create_wstring_tc(1);
  const DynAny_var w = factory->create_dyn_any_from_type_code(wide.in());
  EXPECT_THROW(w->insert_wstring(L"ab"), DynAny::InvalidValue);
  const CORBA::TypeCode_var native = orb->create_native_tc("IDL:N:1.0", "N");
  EXPECT_THROW((void)factory->create_dyn_any_from_type_code(native.in()), DynAnyFactory::InconsistentTypeCode);
  EXPECT_THROW((void)factory->create_dyn_any_from_type_code(CORBA::_tc_Principal),
               DynAnyFactory::InconsistentTypeCode);
}

TEST_F(DynAnyTest, aliases_stay_the_type_and_are_looked_through) {
  const CORBA::TypeCode_var alias = orb->create_alias_tc("IDL:A:1.0", "A", Dyn::_tc_Point);
  const DynAny_var d = factory->create_dyn_any_from_type_code(alias.in());
  EXPECT_EQ(CORBA::TypeCode_var(d->type())->kind(), CORBA::tk_alias);
  EXPECT_FALSE(CORBA::is_nil(DynStruct_var(DynStruct::_narrow(d.in())).in()));
  d->assign(of(Dyn::Point{8, CORBA::string_dup("x")}).in());
  EXPECT_EQ(d->get_long(), 8);
  EXPECT_EQ(CORBA::TypeCode_var(CORBA::Any_var(d->to_any())->type())->kind(), CORBA::tk_alias);
}

TEST_F(DynAnyTest, many_are_made_at_once) {
  AnySeq values(2);
  values.length(2);
  values[0u] <<= CORBA::Long(1);
  values[1u] <<= "two";
  const DynAnySeq_var all = factory->create_multiple_dyn_anys(values, false);
  EXPECT_EQ(all[0u]->get_long(), 1);
  all[0u]->insert_long(3);
  const AnySeq_var back = factory->create_multiple_anys(all.in());
  CORBA::Long n = 0;
  EXPECT_TRUE(back[0u] >>= n);
  EXPECT_EQ(n, 3);
}

// As a peer sends them, in each byte order, of types that the program does not know.
TEST_F(DynAnyTest, values_from_the_wire_are_read_by_their_typecodes) {
  CORBA::StructMemberSeq members(2);
  members.length(2);
  members[0].name = "n";
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_longlong);
  members[1].name = "names";
  members[1].type = orb->create_sequence_tc(0, CORBA::_tc_string);
  const CORBA::TypeCode_var type = orb->create_struct_tc("IDL:Unknown:1.0", "Unknown", members);
  const DynAny_var made = factory->create_dyn_any_from_type_code(type.in());
  made->insert_longlong(1234567890123);
  made->next();
  const DynAny_var names = made->current_component();
  DynSequence_var(DynSequence::_narrow(names.in()))->set_length(1);
  names->insert_string("name");
  const CORBA::Any_var any = made->to_any();
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    Buffer b;
    cdr::Encoder e(b, order);
    typecode::put_any(e, any.in());
    e.finish();
    cdr::Budget budget = cdr::Budget::of(Limits{}, b.size());
    cdr::Decoder d(b.view(), order, budget);
    CORBA::Any came;
    typecode::get_any(d, came);
    ASSERT_TRUE(d.ok());
    const DynAny_var read = factory->create_dyn_any(came);
    EXPECT_EQ(read->get_longlong(), 1234567890123);
    EXPECT_TRUE(read->equal(made.in()));
    read->next();
    const DynAny_var list = read->current_component();
    EXPECT_STREQ(CORBA::String_var(list->get_string()).in(), "name");
  }
}

}  // namespace
}  // namespace callis::dynamic::testing
