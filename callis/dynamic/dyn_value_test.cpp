// SPDX-License-Identifier: Apache-2.0
// DynValue and DynValueBox (CORBA 3.3 part 1, 9.2.11 to 9.2.13): values of classes that the program has, and of types
// that nobody has a class for; truncation.
#include <callis/dynamic/testing/dyn_value_fixture.h>

namespace callis::dynamic::testing {
namespace {

class OddValue : public OBV_Dyn::Odd, public CORBA::DefaultValueRefCountBase {
 public:
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  void marshal(CORBA::DataOutputStream* os) override { os->write_long(number()); }
  void unmarshal(CORBA::DataInputStream* is) override { number(is->read_long()); }
};
class AnimalValue : public OBV_Dyn::Animal {};
class DogValue : public OBV_Dyn::Dog {};
class CatValue : public OBV_Dyn::Cat {};

TEST_F(DynValueTest, begins_as_null_and_has_no_components) {
  const DynAny_var d = empty(Dyn::_tc_Dog);
  const DynValue_var v = as_value(d.in());
  ASSERT_FALSE(CORBA::is_nil(v.in()));
  EXPECT_TRUE(v->is_null());
  EXPECT_EQ(d->component_count(), 0u);
  EXPECT_FALSE(d->seek(0));
  EXPECT_TRUE(CORBA::is_nil(DynAny_var(d->current_component()).in()));
  EXPECT_THROW((void)v->get_members(), DynAny::InvalidValue);
  EXPECT_THROW((void)v->get_members_as_dyn_any(), DynAny::InvalidValue);
  EXPECT_THROW((void)v->current_member_name(), DynAny::TypeMismatch);
  EXPECT_EQ(d->get_val(), nullptr);
  const CORBA::Any_var any = d->to_any();
  Dyn::Dog* dog = reinterpret_cast<Dyn::Dog*>(8);
  EXPECT_TRUE(any.in() >>= dog);
  EXPECT_EQ(dog, nullptr);
}

TEST_F(DynValueTest, has_the_members_of_its_bases_first) {
  const DynAny_var d = empty(Dyn::_tc_Dog);
  const DynValue_var v = as_value(d.in());
  v->set_to_value();
  EXPECT_FALSE(v->is_null());
  ASSERT_EQ(d->component_count(), 3u);
  EXPECT_STREQ(CORBA::String_var(v->current_member_name()).in(), "name");
  EXPECT_EQ(v->current_member_kind(), CORBA::tk_string);
  d->insert_string("Rex");
  EXPECT_TRUE(d->next());
  EXPECT_STREQ(CORBA::String_var(v->current_member_name()).in(), "age");
  d->insert_short(7);
  EXPECT_TRUE(d->next());
  EXPECT_STREQ(CORBA::String_var(v->current_member_name()).in(), "leash");
  EXPECT_EQ(v->current_member_kind(), CORBA::tk_value);
  EXPECT_FALSE(d->next());
  v->set_to_value();
  d->rewind();
  EXPECT_STREQ(CORBA::String_var(d->get_string()).in(), "Rex") << "set_to_value() of a value does nothing";
  const NameValuePairSeq_var members = v->get_members();
  ASSERT_EQ(members->length(), 3u);
  NameValuePairSeq changed(members.in());
  changed[0u].value <<= "Bello";
  const DynAny_var other = empty(Dyn::_tc_Dog);
  const DynValue_var w = as_value(other.in());
  w->set_members(changed);
  EXPECT_FALSE(w->is_null()) << "set_members() makes a value of null";
  EXPECT_EQ(member(other.in(), 1)->get_short(), 7);
  changed[0u].id = CORBA::string_dup("other");
  EXPECT_THROW(w->set_members(changed), DynAny::TypeMismatch);
  changed.length(2);
  EXPECT_THROW(w->set_members(changed), DynAny::InvalidValue);
  const DynAny_var third = empty(Dyn::_tc_Dog);
  EXPECT_THROW(as_value(third.in())->set_members(changed), DynAny::InvalidValue);
  EXPECT_TRUE(as_value(third.in())->is_null());
  v->set_to_null();
  EXPECT_EQ(d->component_count(), 0u);
}

TEST_F(DynValueTest, of_a_class_of_the_programs_is_taken_apart_and_made) {
  register_factory<DogValue>("IDL:Dyn/Dog:1.0");
  register_factory<LinkValue>("IDL:Dyn/Link:1.0");
  CORBA::Any any;
  {
    DogValue* const dog = new DogValue;
    dog->name(static_cast<const char*>("Rex"));
    dog->age(3);
    const CORBA::ValueBase_var owned(dog);
    any <<= static_cast<Dyn::Dog*>(dog);
  }
  const DynAny_var d = factory->create_dyn_any(any);
  EXPECT_STREQ(CORBA::String_var(d->get_string()).in(), "Rex");
  EXPECT_EQ(member(d.in(), 1)->get_short(), 3);
  member(d.in(), 1)->insert_short(4);
  const DynAny_var leash = member(d.in(), 2);
  as_value(leash.in())->set_to_value();
  leash->insert_long(10);
  Dyn::Dog* seen = nullptr;
  ASSERT_TRUE(any >>= seen);
  EXPECT_EQ(seen->age(), 3) << "the DynAny has a copy";
  const CORBA::Any_var back = d->to_any();
  ASSERT_TRUE(back.in() >>= seen);
  ASSERT_NE(seen, nullptr);
  EXPECT_STREQ(seen->name(), "Rex");
  EXPECT_EQ(seen->age(), 4);
  ASSERT_NE(seen->leash(), nullptr);
  EXPECT_EQ(seen->leash()->number(), 10);
  d->rewind();
  const CORBA::ValueBase_var whole(d->get_val());
  ASSERT_NE(Dyn::Dog::_downcast(whole.in()), nullptr);
  EXPECT_EQ(Dyn::Dog::_downcast(whole.in())->age(), 4);
}

TEST_F(DynValueTest, of_a_type_that_nobody_knows_is_read_and_passed_on) {
  CORBA::ValueMemberSeq members(2);
  members.length(2);
  members[0].name = "text";
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_string);
  members[0].access = CORBA::PUBLIC_MEMBER;
  members[1].name = "more";
  members[1].type = orb->create_recursive_tc("IDL:Unknown:1.0");
  members[1].access = CORBA::PRIVATE_MEMBER;
  const CORBA::TypeCode_var type =
      orb->create_value_tc("IDL:Unknown:1.0", "Unknown", CORBA::VM_NONE, CORBA::_tc_null, members);
  const DynAny_var d = empty(type.in());
  as_value(d.in())->set_to_value();
  d->insert_string("outer");
  const DynAny_var more = member(d.in(), 1);
  as_value(more.in())->set_to_value();
  more->insert_string("inner");
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const CORBA::Any_var made = d->to_any();
    const CORBA::Any once = received(made.in(), order);
    const CORBA::Any any = received(once, kNativeOrder);
    const DynAny_var again = factory->create_dyn_any_without_truncation(any);
    EXPECT_TRUE(again->equal(d.in()));
    const DynAny_var inner = member(again.in(), 1);
    EXPECT_STREQ(CORBA::String_var(inner->get_string()).in(), "inner");
    EXPECT_TRUE(as_value(member(inner.in(), 1).in())->is_null());
    inner->rewind();  // not its own member
    const CORBA::ValueBase_var own(inner->get_val());
    EXPECT_NE(own.in(), nullptr);
    const DynAny_var other = empty(type.in());
    other->insert_val(own.in());
    EXPECT_STREQ(CORBA::String_var(other->get_string()).in(), "inner");
    inner->insert_string("changed");
    EXPECT_STREQ(CORBA::String_var(other->get_string()).in(), "inner") << "values of other DynAnys are copied";
  }
}

TEST_F(DynValueTest, of_a_derived_type_in_the_place_of_its_base) {
  register_factory<AnimalValue>("IDL:Dyn/Animal:1.0");
  register_factory<DogValue>("IDL:Dyn/Dog:1.0");
  register_factory<CatValue>("IDL:Dyn/Cat:1.0");
  CORBA::Any dog, cat;
  {
    const CORBA::ValueBase_var a(new DogValue), b(new CatValue);
    Dyn::Animal::_downcast(a.in())->name(static_cast<const char*>("Rex"));
    Dyn::Animal::_downcast(b.in())->name(static_cast<const char*>("Mimi"));
    dog <<= Dyn::Animal::_downcast(a.in());
    cat <<= Dyn::Animal::_downcast(b.in());
  }
  // The any's TypeCode says nothing of dogs, which may be truncated.
  const DynAny_var d = factory->create_dyn_any(dog);
  EXPECT_STREQ(CORBA::String_var(d->get_string()).in(), "Rex");
  EXPECT_EQ(d->component_count(), 1u);
  EXPECT_THROW((void)factory->create_dyn_any_without_truncation(dog), MustTruncate);
  AnySeq both(2);
  both.length(2);
  both[1u] = dog;
  both[0u] <<= CORBA::Long(1);
  EXPECT_THROW((void)factory->create_multiple_dyn_anys(both, false), MustTruncate);
  const DynAnySeq_var made = factory->create_multiple_dyn_anys(both, true);
  EXPECT_EQ(made[1u]->component_count(), 1u);
  // Nor of cats, which may not.
  const DynAny_var opaque = factory->create_dyn_any(cat);
  EXPECT_EQ(opaque->component_count(), 0u);
  EXPECT_THROW((void)opaque->current_component(), DynAny::TypeMismatch);
  EXPECT_THROW((void)as_value(opaque.in())->get_members(), DynAny::InvalidValue);
  EXPECT_FALSE(as_value(opaque.in())->is_null());
  const CORBA::ValueBase_var out(opaque->get_val());
  EXPECT_NE(Dyn::Cat::_downcast(out.in()), nullptr);
  // Where the TypeCode says it, nothing is lost.
  const DynAny_var place = empty(Dyn::_tc_Animal), filled = empty(Dyn::_tc_Cat);
  as_value(filled.in())->set_to_value();
  filled->insert_string("Mimi");
  set_to_value_of(place.in(), Dyn::_tc_Cat);
  EXPECT_EQ(place->component_count(), 2u);
  EXPECT_THROW(set_to_value_of(place.in(), Dyn::_tc_Link), DynAny::TypeMismatch);
  EXPECT_THROW(set_to_value_of(empty(Dyn::_tc_Cat).in(), Dyn::_tc_Animal), DynAny::TypeMismatch);
}

TEST_F(DynValueTest, custom_values_are_opaque) {
  register_factory<OddValue>("IDL:Dyn/Odd:1.0");
  const DynAny_var null = empty(Dyn::_tc_Odd);
  EXPECT_TRUE(as_value(null.in())->is_null());
  EXPECT_THROW(as_value(null.in())->set_to_value(), CORBA::NO_IMPLEMENT);
  CORBA::Any any;
  {
    auto* const odd = new OddValue;
    odd->number(5);
    const CORBA::ValueBase_var owned(odd);
    any <<= static_cast<Dyn::Odd*>(odd);
  }
  for (const bool by_wire : {false, true}) {
    const DynAny_var d = factory->create_dyn_any(by_wire ? received(any) : any);
    EXPECT_EQ(d->component_count(), 0u);
    EXPECT_THROW((void)d->current_component(), DynAny::TypeMismatch);
    const CORBA::ValueBase_var out(d->get_val());
    auto* const odd = Dyn::Odd::_downcast(out.in());
    ASSERT_NE(odd, nullptr);
    EXPECT_EQ(odd->number(), 5);
    null->insert_val(out.in());
    EXPECT_FALSE(as_value(null.in())->is_null());
    const CORBA::Any_var back = null->to_any();
    Dyn::Odd* seen = nullptr;
    ASSERT_TRUE(back.in() >>= seen);
    EXPECT_EQ(seen->number(), 5);
    as_value(null.in())->set_to_null();
  }
}

TEST_F(DynValueTest, boxes_have_one_component) {
  const DynAny_var d = empty(Dyn::_tc_Spot);
  const DynValueBox_var box = DynValueBox::_narrow(d.in());
  ASSERT_FALSE(CORBA::is_nil(box.in()));
  EXPECT_TRUE(box->is_null());
  EXPECT_THROW((void)box->get_boxed_value(), DynAny::InvalidValue);
  EXPECT_THROW((void)box->get_boxed_value_as_dyn_any(), DynAny::InvalidValue);
  CORBA::Any wrong, right;
  wrong <<= CORBA::Long(1);
  right <<= Dyn::Point{5, CORBA::string_dup("five")};
  EXPECT_THROW(box->set_boxed_value(wrong), DynAny::TypeMismatch);
  EXPECT_TRUE(box->is_null());
  box->set_boxed_value(right);
  EXPECT_EQ(d->component_count(), 1u);
  EXPECT_EQ(DynAny_var(box->get_boxed_value_as_dyn_any())->get_long(), 5);
  const CORBA::Any_var inner = box->get_boxed_value();
  const Dyn::Point* p = nullptr;
  ASSERT_TRUE(inner.in() >>= p);
  EXPECT_STREQ(p->label, "five");
  const CORBA::Any_var any = d->to_any();
  Dyn::Spot* spot = nullptr;
  ASSERT_TRUE(any.in() >>= spot);
  EXPECT_EQ(spot->x(), 5);
  const DynAny_var again = factory->create_dyn_any(any.in());
  EXPECT_TRUE(again->equal(d.in()));

  CORBA::Any text;
  const CORBA::ValueBase_var boxed(new Dyn::Name("Pack"));
  text <<= Dyn::Name::_downcast(boxed.in());
  const DynAny_var name = factory->create_dyn_any(received(text));
  EXPECT_STREQ(CORBA::String_var(name->get_string()).in(), "Pack");
  name->insert_string("Herd");
  const CORBA::Any_var back = name->to_any();
  Dyn::Name* seen = nullptr;
  ASSERT_TRUE(back.in() >>= seen);
  EXPECT_STREQ(seen->_value(), "Herd");
}

TEST_F(DynValueTest, references_in_values_keep_their_orb) {
  const DynAny_var d = empty(Dyn::_tc_Pack);
  EXPECT_TRUE(d->seek(5));
  const CORBA::Object_var there = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  d->insert_reference(there.in());
  const CORBA::Any_var any = d->to_any();
  const DynAny_var again = factory->create_dyn_any(any.in());
  EXPECT_TRUE(again->equal(d.in()));
  const Dyn::Pack* pack = nullptr;
  ASSERT_TRUE(any.in() >>= pack);
  EXPECT_TRUE(pack->target->_is_equivalent(there.in()));
  CORBA::Any inserted;
  inserted <<= *pack;
  const DynAny_var of_class = factory->create_dyn_any(inserted);
  EXPECT_TRUE(of_class->equal(d.in()));
}

}  // namespace
}  // namespace callis::dynamic::testing
