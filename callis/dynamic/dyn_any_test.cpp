// SPDX-License-Identifier: Apache-2.0
// DynAnys (CORBA 3.3 part 1, 9).
#include <callis/dynamic/testing/work.h>
#include <callis/dynamic_any.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/wire.h>

namespace callis::dynamic::testing {
namespace {

using namespace DynamicAny;

struct DynAnyTest : ::testing::Test {
  CORBA::ORB_var orb = make_orb({});
  DynAnyFactory_var factory;

  DynAnyTest() {
    const CORBA::Object_var o = orb->resolve_initial_references("DynAnyFactory");
    factory = DynAnyFactory::_narrow(o.in());
  }
  ~DynAnyTest() override { orb->destroy(); }

  template <class T>
  DynAny_var of(const T& value) {
    CORBA::Any any;
    any <<= value;
    return factory->create_dyn_any(any);
  }
  template <class T>
  static T value_in(DynAny_ptr d) {
    const CORBA::Any_var any = d->to_any();
    T v{};
    EXPECT_TRUE(any.in() >>= v);
    return v;
  }
  Dyn::Everything everything() {
    Dyn::Everything e{};
    e.b = true;
    e.o = 200;
    e.c = 'c';
    e.wc = L'\u20ac';
    e.s = -2;
    e.us = 2;
    e.l = -4;
    e.ul = 4;
    e.ll = -8;
    e.ull = 8;
    e.f = 0.5f;
    e.d = 0.25;
    e.ld = 0.125L;
    e.text = CORBA::string_dup("text");
    e.wide = CORBA::wstring_dup(L"w\u00efde");
    e.value <<= CORBA::Long(77);
    e.target = orb->string_to_object("corbaloc::127.0.0.1:9/there");
    e.tint = Dyn::green;
    e.spot = {3, CORBA::string_dup("spot")};
    e.spots.length(2);
    e.spots[0u].x = 1;
    e.spots[1u].x = 2;
    e.spots[1u].label = CORBA::string_dup("second");
    e.numbers[2] = 9;
    e.form.corner(Dyn::Point{4, CORBA::string_dup("corner")});
    e.price = CORBA::Fixed("123.45");
    return e;
  }
};

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

TEST_F(DynAnyTest, members_are_set_all_or_none) {
  const DynAny_var d = of(Dyn::Point{1, CORBA::string_dup("one")});
  const DynStruct_var s = DynStruct::_narrow(d.in());
  const NameValuePairSeq_var members = s->get_members();
  ASSERT_EQ(members->length(), 2u);
  EXPECT_STREQ(members[1u].id, "label");
  NameValuePairSeq other(members.in());
  other[0u].value <<= CORBA::Long(2);
  other[1u].value <<= CORBA::Long(2);
  EXPECT_THROW(s->set_members(other), DynAny::TypeMismatch);
  EXPECT_EQ(d->get_long(), 1);
  other[1u].value <<= "two";
  s->set_members(other);
  EXPECT_EQ(d->get_long(), 2);
  other[1u].id = CORBA::string_dup("wrong");
  EXPECT_THROW(s->set_members(other), DynAny::TypeMismatch);
  other.length(1);
  EXPECT_THROW(s->set_members(other), DynAny::InvalidValue);
  const NameDynAnyPairSeq_var dyn = s->get_members_as_dyn_any();
  dyn[0u].value->insert_long(7);
  EXPECT_EQ(d->get_long(), 7);
  s->set_members_as_dyn_any(dyn.in());
  EXPECT_EQ(d->get_long(), 7);
}

TEST_F(DynAnyTest, exceptions_are_structs_and_empty_ones_have_no_components) {
  const DynAny_var broken = of(Dyn::Broken("so", Dyn::Point{7, CORBA::string_dup("there")}));
  EXPECT_STREQ(CORBA::String_var(broken->get_string()).in(), "so");
  broken->insert_string("because");
  const CORBA::Any_var any = broken->to_any();
  const Dyn::Broken* e = nullptr;
  ASSERT_TRUE(any.in() >>= e);
  EXPECT_STREQ(e->why, "because");
  EXPECT_STREQ(e->where.label, "there");
  const DynAny_var late = factory->create_dyn_any_from_type_code(Dyn::_tc_Late);
  EXPECT_EQ(late->component_count(), 0u);
  EXPECT_FALSE(late->seek(0));
  EXPECT_THROW((void)late->current_component(), DynAny::TypeMismatch);
  EXPECT_THROW((void)DynStruct_var(DynStruct::_narrow(late.in()))->current_member_name(), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, the_discriminator_selects_the_member) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(Dyn::_tc_Shape);
  const DynUnion_var u = DynUnion::_narrow(d.in());
  EXPECT_EQ(u->component_count(), 2u);
  EXPECT_STREQ(CORBA::String_var(u->member_name()).in(), "side");
  const DynAny_var side = u->member();
  side->insert_long(5);
  EXPECT_TRUE(u->seek(1));
  EXPECT_EQ(u->get_long(), 5);
  u->set_discriminator(of(Dyn::green).in());
  EXPECT_STREQ(CORBA::String_var(u->member_name()).in(), "corner");
  EXPECT_THROW((void)side->get_long(), CORBA::OBJECT_NOT_EXIST) << "its place has gone";
  const DynAny_var corner = u->current_component();
  EXPECT_EQ(corner->component_count(), 2u) << "the current position is at the member";
  u->set_to_default_member();
  EXPECT_STREQ(CORBA::String_var(u->member_name()).in(), "text");
  EXPECT_EQ(DynEnum_var(DynEnum::_narrow(DynAny_var(u->get_discriminator()).in()))->get_as_ulong(), 2u);
  DynAny_var(u->member())->insert_string("words");
  EXPECT_THROW(u->set_to_no_active_member(), DynAny::TypeMismatch) << "there is a default";
  const CORBA::Any_var any = d->to_any();
  const Dyn::Shape* shape = nullptr;
  ASSERT_TRUE(any.in() >>= shape);
  EXPECT_STREQ(shape->text(), "words");
  EXPECT_THROW(u->set_discriminator(of(CORBA::Long(1)).in()), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, a_union_may_have_no_member) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(Dyn::_tc_Half);
  const DynUnion_var u = DynUnion::_narrow(d.in());
  EXPECT_FALSE(u->has_no_active_member());
  EXPECT_THROW(u->set_to_default_member(), DynAny::TypeMismatch);
  u->set_to_no_active_member();
  EXPECT_TRUE(u->has_no_active_member());
  EXPECT_EQ(u->component_count(), 1u);
  EXPECT_THROW((void)u->member(), DynAny::InvalidValue);
  EXPECT_THROW((void)u->member_name(), DynAny::InvalidValue);
  const CORBA::Any_var any = d->to_any();
  const Dyn::Half* half = nullptr;
  ASSERT_TRUE(any.in() >>= half);
  EXPECT_FALSE(half->_d());
  EXPECT_TRUE(u->seek(0));
  u->insert_boolean(true);
  EXPECT_STREQ(CORBA::String_var(u->member_name()).in(), "there") << "by the component";
}

TEST_F(DynAnyTest, the_length_of_a_sequence_moves_the_current_position) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(Dyn::_tc_Points);
  const DynSequence_var s = DynSequence::_narrow(d.in());
  EXPECT_EQ(s->get_length(), 0u);
  EXPECT_TRUE(CORBA::is_nil(DynAny_var(s->current_component()).in()));
  s->set_length(2);
  const DynAny_var first = s->current_component();
  first->insert_long(1);
  EXPECT_TRUE(s->seek(1));
  const DynAny_var second = s->current_component();
  second->insert_long(2);
  s->set_length(500);
  EXPECT_EQ(first->get_long(), 1) << "though the elements have moved";
  EXPECT_EQ(DynAny_var(s->current_component()).in(), second.in());
  s->set_length(1);
  EXPECT_TRUE(CORBA::is_nil(DynAny_var(s->current_component()).in()));
  EXPECT_THROW((void)second->get_long(), CORBA::OBJECT_NOT_EXIST);
  s->set_length(2);
  EXPECT_EQ(second->get_long(), 0) << "there is such a place again";
  EXPECT_EQ(DynAny_var(s->current_component()).in(), second.in()) << "at the first new element";
  const AnySeq_var elements = s->get_elements();
  ASSERT_EQ(elements->length(), 2u);
  s->set_elements(elements.in());
  const DynAnySeq_var places = s->get_elements_as_dyn_any();
  places[1u]->insert_long(6);
  s->set_elements_as_dyn_any(places.in());
  EXPECT_EQ(second->get_long(), 6);
  AnySeq wrong(1);
  wrong.length(1);
  wrong[0u] <<= CORBA::Long(1);
  EXPECT_THROW(s->set_elements(wrong), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, bounds_are_kept_to) {
  const DynAny_var few = factory->create_dyn_any_from_type_code(Dyn::_tc_FewLongs);
  const DynSequence_var s = DynSequence::_narrow(few.in());
  EXPECT_THROW(s->set_length(3), DynAny::InvalidValue);
  CORBA::LongSeq longs(3);
  longs.length(3);
  EXPECT_THROW(s->insert_long_seq(longs), DynAny::InvalidValue);
  longs.length(2);
  longs[1u] = 5;
  s->insert_long_seq(longs);
  const std::unique_ptr<CORBA::LongSeq> back(s->get_long_seq());
  ASSERT_EQ(back->length(), 2u);
  EXPECT_EQ((*back)[1u], 5);
  EXPECT_THROW((void)s->get_short_seq(), DynAny::TypeMismatch);
  const DynAny_var row = factory->create_dyn_any_from_type_code(Dyn::_tc_Row);
  CORBA::ShortSeq shorts(2);
  shorts.length(2);
  EXPECT_THROW(row->insert_short_seq(shorts), DynAny::InvalidValue);
}

TEST_F(DynAnyTest, arrays_of_arrays_have_rows) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(Dyn::_tc_Matrix);
  EXPECT_EQ(d->component_count(), 2u);
  EXPECT_TRUE(d->seek(1));
  const DynAny_var row = d->current_component();
  EXPECT_TRUE(row->seek(2));
  row->insert_short(7);
  const CORBA::Any_var any = d->to_any();
  Dyn::Matrix_forany m;
  ASSERT_TRUE(any.in() >>= m);
  EXPECT_EQ(m[1][2], 7);
  const DynArray_var a = DynArray::_narrow(row.in());
  const AnySeq_var elements = a->get_elements();
  AnySeq changed(elements.in());
  changed[0u] <<= CORBA::Short(3);
  a->set_elements(changed);
  row->rewind();
  EXPECT_EQ(row->get_short(), 3);
  changed.length(2);
  EXPECT_THROW(a->set_elements(changed), DynAny::InvalidValue);
}

TEST_F(DynAnyTest, fixed_numbers_say_when_places_are_cut_off) {
  const CORBA::TypeCode_var type = orb->create_fixed_tc(5, 2);
  const DynAny_var d = factory->create_dyn_any_from_type_code(type.in());
  const DynFixed_var f = DynFixed::_narrow(d.in());
  EXPECT_TRUE(f->set_value(" -12.50D "));
  EXPECT_STREQ(CORBA::String_var(f->get_value()).in(), "-12.50");
  EXPECT_FALSE(f->set_value("1.239"));
  EXPECT_STREQ(CORBA::String_var(f->get_value()).in(), "1.23");
  EXPECT_THROW((void)f->set_value("1234"), DynAny::InvalidValue);
  EXPECT_THROW((void)f->set_value("12x"), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, enums_know_their_names) {
  const DynAny_var d = of(Dyn::blue);
  const DynEnum_var e = DynEnum::_narrow(d.in());
  EXPECT_THROW(e->set_as_string("purple"), DynAny::InvalidValue);
  EXPECT_THROW(e->set_as_ulong(3), DynAny::InvalidValue);
  e->set_as_ulong(1);
  EXPECT_STREQ(CORBA::String_var(e->get_as_string()).in(), "green");
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
