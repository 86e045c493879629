// SPDX-License-Identifier: Apache-2.0
// DynStruct, DynUnion, DynSequence, DynArray, DynEnum and DynFixed (CORBA 3.3 part 1, 9.2.4 to 9.2.10).
#include <callis/dynamic/testing/dyn_any_fixture.h>

namespace callis::dynamic::testing {
namespace {

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

}  // namespace
}  // namespace callis::dynamic::testing
