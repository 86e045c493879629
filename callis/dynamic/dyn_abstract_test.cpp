// SPDX-License-Identifier: Apache-2.0
// DynAnys of abstract interfaces: references and values behind them, of classes and of types known by TypeCodes.
#include <callis/dynamic/testing/dyn_value_fixture.h>
#include <callis/typecode/described_any.h>

namespace callis::dynamic::testing {
namespace {

class ParrotValue : public virtual OBV_Dyn::Parrot, public virtual CORBA::DefaultValueRefCountBase {
 public:
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  char* speak() override { return CORBA::string_dup(word()); }
};

struct DynAbstractTest : DynValueTest {
  DynAny_var choir = empty(Dyn::_tc_Choir);
  DynAny_var behind(DynAny_ptr all, CORBA::Long i) { return value_behind(member(all, i).in()); }
  // The first is a parrot, which has itself as its friend; the second is the third.
  DynAny_var filled() {
    const DynAny_var first = member(choir.in(), 0);
    set_to_value_of(first.in(), Dyn::_tc_Parrot);
    const DynAny_var parrot = value_behind(first.in());
    parrot->rewind();
    parrot->insert_string("hello");
    share_value(member(parrot.in(), 2).in(), parrot.in());
    const DynAny_var third = member(choir.in(), 2);
    as_value(third.in())->set_to_value();
    third->rewind();
    third->insert_string("bye");
    share_value(member(choir.in(), 1).in(), third.in());
    return DynAny::_duplicate(choir.in());
  }
};

TEST_F(DynAbstractTest, begins_as_nil) {
  const DynAny_var first = member(choir.in(), 0);
  EXPECT_TRUE(CORBA::is_nil(value_behind(first.in())));
  EXPECT_TRUE(CORBA::is_nil(first->get_abstract()));
  EXPECT_EQ(first->component_count(), 0u);
  EXPECT_THROW((void)value_behind(choir.in()), CORBA::BAD_PARAM);
  EXPECT_THROW((void)choir->get_val(), DynAny::TypeMismatch);
}

TEST_F(DynAbstractTest, has_the_value_behind_it) {
  const DynAny_var all = filled();
  const DynAny_var parrot = behind(all.in(), 0);
  ASSERT_FALSE(CORBA::is_nil(parrot.in()));
  EXPECT_STREQ(CORBA::TypeCode_var(parrot->type())->id(), "IDL:Dyn/Parrot:1.0");
  EXPECT_STREQ(CORBA::String_var(member(parrot.in(), 0)->get_string()).in(), "hello");
  EXPECT_EQ(behind(parrot.in(), 2).in(), parrot.in()) << "one value is one DynAny, also in a circle";
  EXPECT_EQ(behind(all.in(), 1).in(), member(all.in(), 2).in());
}

TEST_F(DynAbstractTest, is_passed_on_without_a_class) {
  const DynAny_var all = filled();
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const CORBA::Any_var made = all->to_any();
    const DynAny_var again = factory->create_dyn_any(received(made.in(), order));
    EXPECT_TRUE(again->equal(all.in()));
    const DynAny_var parrot = behind(again.in(), 0);
    ASSERT_FALSE(CORBA::is_nil(parrot.in()));
    EXPECT_EQ(behind(parrot.in(), 2).in(), parrot.in());
    EXPECT_EQ(behind(again.in(), 1).in(), member(again.in(), 2).in());
    const DynAny_var copy = again->copy();
    member(parrot.in(), 0)->insert_string("changed");
    EXPECT_FALSE(again->equal(all.in()));
    EXPECT_TRUE(copy->equal(all.in())) << "a copy has values of its own";
    again->destroy();
    EXPECT_THROW((void)parrot->get_string(), CORBA::OBJECT_NOT_EXIST);
  }
}

TEST_F(DynAbstractTest, is_replaced_wherever_it_occurs) {
  const DynAny_var all = filled();
  as_value(member(all.in(), 2).in())->set_to_null();
  EXPECT_TRUE(CORBA::is_nil(member(all.in(), 1)->get_abstract()));
  const DynAny_var third = member(all.in(), 2);
  share_value(third.in(), behind(all.in(), 0).in());
  EXPECT_EQ(behind(all.in(), 0).in(), member(all.in(), 2).in());
  as_value(behind(all.in(), 0).in())->set_to_null();
  EXPECT_TRUE(as_value(member(all.in(), 2).in())->is_null());
  EXPECT_TRUE(CORBA::is_nil(member(all.in(), 0)->get_abstract()));
}

TEST_F(DynAbstractTest, that_occurs_once_is_replaced) {
  const DynAny_var first = member(choir.in(), 0);
  set_to_value_of(first.in(), Dyn::_tc_Parrot);
  const DynAny_var parrot = value_behind(first.in());
  as_value(parrot.in())->set_to_null();
  EXPECT_TRUE(CORBA::is_nil(first->get_abstract()));
  EXPECT_TRUE(CORBA::is_nil(value_behind(first.in())));
  EXPECT_THROW((void)parrot->component_count(), CORBA::OBJECT_NOT_EXIST) << "its place has gone";
}

TEST_F(DynAbstractTest, comes_out_by_the_programs_class) {
  register_factory<ParrotValue>("IDL:Dyn/Parrot:1.0");
  member(choir.in(), 0)->insert_abstract(nullptr);
  const DynAny_var second = member(choir.in(), 1);
  set_to_value_of(second.in(), Dyn::_tc_Parrot);
  const DynAny_var parrot = value_behind(second.in());
  parrot->rewind();
  parrot->insert_string("good");
  const CORBA::AbstractBase_var base = second->get_abstract();
  const Dyn::Speaker_var speaker = Dyn::Speaker::_narrow(base.in());
  ASSERT_FALSE(CORBA::is_nil(speaker.in()));
  EXPECT_STREQ(CORBA::String_var(speaker->speak()).in(), "good");
}

TEST_F(DynAbstractTest, of_a_class_goes_in_and_is_taken_apart) {
  register_factory<ParrotValue>("IDL:Dyn/Parrot:1.0");
  const CORBA::ValueBase_var value(new ParrotValue);
  auto* const parrot = dynamic_cast<ParrotValue*>(value.in());
  parrot->word("mine");
  const DynAny_var first = member(choir.in(), 0);
  first->insert_abstract(parrot);
  EXPECT_TRUE(CORBA::is_nil(value_behind(first.in()))) << "opaque in memory";
  const CORBA::Any_var any = choir->to_any();
  const DynAny_var again = factory->create_dyn_any(received(any.in()));
  const DynAny_var seen = behind(again.in(), 0);
  ASSERT_FALSE(CORBA::is_nil(seen.in()));
  EXPECT_STREQ(CORBA::String_var(member(seen.in(), 0)->get_string()).in(), "mine");
}

TEST_F(DynAbstractTest, of_another_dyn_any_is_copied) {
  const DynAny_var all = filled();
  const CORBA::AbstractBase_var base = member(all.in(), 0)->get_abstract();
  const DynAny_var other = empty(Dyn::_tc_Choir);
  member(other.in(), 1)->insert_abstract(base.in());
  const DynAny_var copied = behind(other.in(), 1);
  ASSERT_FALSE(CORBA::is_nil(copied.in()));
  member(copied.in(), 0)->insert_string("other");
  EXPECT_STREQ(CORBA::String_var(member(behind(all.in(), 0).in(), 0)->get_string()).in(), "hello");
  EXPECT_EQ(behind(copied.in(), 2).in(), copied.in());
}

TEST_F(DynAbstractTest, references_stay_references) {
  const CORBA::Object_var there = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  const Dyn::Radio_var radio = Dyn::Radio::_unchecked_narrow(there.in());
  const DynAny_var first = member(choir.in(), 0);
  first->insert_abstract(radio.in());
  EXPECT_TRUE(CORBA::is_nil(value_behind(first.in())));
  const CORBA::Any_var any = choir->to_any();
  const DynAny_var again = factory->create_dyn_any(received(any.in(), ByteOrder::Big));
  EXPECT_TRUE(again->equal(choir.in()));
  const CORBA::AbstractBase_var base = member(again.in(), 0)->get_abstract();
  ASSERT_FALSE(CORBA::is_nil(base.in()));
  EXPECT_TRUE(CORBA::Object_var(base->_to_object())->_is_equivalent(there.in()));
  filled();
  EXPECT_FALSE(again->equal(choir.in()));
}

TEST_F(DynAbstractTest, of_a_type_that_nobody_describes_is_refused) {
  const DynAny_var speaker = empty(Dyn::_tc_Speaker);
  set_to_value_of(speaker.in(), Dyn::_tc_Parrot);
  const CORBA::Any_var any = speaker->to_any();
  Buffer b;
  cdr::Encoder e(b);
  typecode::put_any(e, any.in());
  e.finish();
  cdr::Budget budget = cdr::Budget::of(Limits{}, b.size());
  cdr::Decoder d(b.view(), kNativeOrder, budget);
  CORBA::Any came;
  typecode::get_any(d, came);
  EXPECT_EQ(d.fault(), Fault::NoValueFactory);
}

TEST_F(DynAbstractTest, is_described_by_whom_the_program_asks) {
  const DynAny_var speaker = empty(Dyn::_tc_Speaker);
  set_to_value_of(speaker.in(), Dyn::_tc_Parrot);
  const CORBA::Any_var any = speaker->to_any();
  typecode::type_finder = [](std::string_view id) -> CORBA::TypeCode_ptr {
    return id == "IDL:Dyn/Parrot:1.0" ? Dyn::_tc_Parrot : nullptr;
  };
  const DynAny_var again = factory->create_dyn_any(received(any.in()));
  EXPECT_TRUE(again->equal(speaker.in()));
  EXPECT_FALSE(CORBA::is_nil(DynAny_var(value_behind(again.in())).in()));
  typecode::type_finder = nullptr;
}

}  // namespace
}  // namespace callis::dynamic::testing
