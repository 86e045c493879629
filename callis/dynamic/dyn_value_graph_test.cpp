// SPDX-License-Identifier: Apache-2.0
// DynValues of graphs: values that occur twice, lead in circles, through anys too, and nest as deep as they like.
#include <callis/dynamic/testing/dyn_value_fixture.h>

namespace callis::dynamic::testing {
namespace {

using DynValueGraphTest = DynValueTest;

TEST_F(DynValueGraphTest, occurs_twice_and_is_one_dyn_any) {
  const DynAny_var d = empty(Dyn::_tc_Pack);
  const DynAny_var first = member(d.in(), 0);
  set_to_value_of(first.in(), Dyn::_tc_Dog);
  first->insert_string("Rex");
  const DynAny_var second = member(d.in(), 1);
  share_value(second.in(), first.in());
  EXPECT_EQ(member(d.in(), 1).in(), first.in());
  first->insert_string("Bello");
  EXPECT_STREQ(CORBA::String_var(second->get_string()).in(), "Bello");
  const CORBA::TypeCode_var type = actual_type(first.in());
  EXPECT_STREQ(type->id(), "IDL:Dyn/Dog:1.0");
  EXPECT_STREQ(CORBA::TypeCode_var(first->type())->id(), "IDL:Dyn/Animal:1.0");

  for (const bool by_wire : {false, true}) {
    const CORBA::Any_var made = d->to_any();
    const CORBA::Any any = by_wire ? received(made.in()) : made.in();
    const DynAny_var again = factory->create_dyn_any(any);
    EXPECT_TRUE(again->equal(d.in()));
    const DynAny_var a = member(again.in(), 0), b = member(again.in(), 1);
    EXPECT_EQ(a.in(), b.in()) << "by wire: " << by_wire;
    a->insert_string("Waldi");
    EXPECT_FALSE(again->equal(d.in()));
    as_value(a.in())->set_to_null();
    EXPECT_TRUE(as_value(member(again.in(), 1).in())->is_null()) << "at both places";
  }
}

TEST_F(DynValueGraphTest, leads_in_a_circle) {
  DynAny_var d = circle();
  const DynAny_var second = member(d.in(), 1);
  EXPECT_EQ(member(second.in(), 1).in(), d.in());
  const DynAny_var copy = d->copy();
  EXPECT_TRUE(copy->equal(d.in()));
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const CORBA::Any_var made = d->to_any();
    const CORBA::Any any = received(made.in(), order);
    const DynAny_var again = factory->create_dyn_any(any);
    EXPECT_TRUE(again->equal(d.in()));
    DynAny_var at = again;
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(member(at.in(), 0)->get_long(), 1 + i % 2);
      at = member(at.in(), 1);
    }
    EXPECT_EQ(at.in(), again.in());
    member(at.in(), 0)->insert_long(3);
    EXPECT_FALSE(again->equal(d.in()));
  }
  d->destroy();
  EXPECT_THROW((void)second->get_long(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(DynValueGraphTest, of_any_depth_is_walked_copied_and_freed) {
  constexpr int kLinks = 20'000;
  const DynAny_var d = empty(Dyn::_tc_Link);
  {
    // From the end on: each time the whole is one longer.
    DynAny_var at = DynAny::_duplicate(d.in());
    for (int i = 0; i < 900; ++i) {
      as_value(at.in())->set_to_value();
      at->insert_long(i);
      at = member(at.in(), 1);
    }
  }
  const CORBA::Any_var any = d->to_any();
  const DynAny_var again = factory->create_dyn_any(received(any.in()));
  EXPECT_TRUE(again->equal(d.in()));
  // Longer than a message may be.
  DynAny_var tail = empty(Dyn::_tc_Link);
  for (int i = 0; i < kLinks / 900; ++i) {
    const DynAny_var longer = d->copy();
    DynAny_var at = DynAny::_duplicate(longer.in());
    while (!as_value(member(at.in(), 1).in())->is_null()) at = member(at.in(), 1);
    const DynAny_var end = member(at.in(), 1);
    end->assign(tail.in());
    tail = longer;
  }
  const DynAny_var copy = tail->copy();
  EXPECT_TRUE(copy->equal(tail.in()));
}

TEST_F(DynValueGraphTest, shared_among_several_anys_stays_shared) {
  register_factory<LinkValue>("IDL:Dyn/Link:1.0");
  const CORBA::ValueBase_var link(new LinkValue);
  AnySeq values(2);
  values.length(2);
  values[0u] <<= Dyn::Link::_downcast(link.in());
  values[1u] <<= Dyn::Link::_downcast(link.in());
  const DynAnySeq_var both = factory->create_multiple_dyn_anys(values, false);
  both[0u]->insert_long(9);
  EXPECT_EQ(both[1u]->get_long(), 9);
  const AnySeq_var back = factory->create_multiple_anys(both.in());
  const DynAnySeq_var again = factory->create_multiple_dyn_anys(back.in(), false);
  again[1u]->insert_long(10);
  EXPECT_EQ(again[0u]->get_long(), 10);
  EXPECT_EQ(both[0u]->get_long(), 9);
  both[0u]->destroy();
  EXPECT_EQ(both[1u]->get_long(), 9);
}

TEST_F(DynValueGraphTest, leads_in_a_circle_through_an_any) {
  CORBA::ValueMemberSeq members(1);
  members.length(1);
  members[0].name = "held";
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_any);
  const CORBA::TypeCode_var type =
      orb->create_value_tc("IDL:Holds:1.0", "Holds", CORBA::VM_NONE, CORBA::_tc_null, members);
  // valuetype Holds { any held; }, in which it is itself: TypeCode, value tag, id; and once more, by an indirection.
  Buffer b;
  cdr::Encoder e(b);
  typecode::put_type_code(e, type.in());
  e.put_ulong(0x7fffff02);
  const std::size_t at = e.position() - 4;
  e.put_string("IDL:Holds:1.0");
  typecode::put_type_code(e, type.in());
  e.put_ulong(0xffffffff);
  e.put_ulong(static_cast<std::uint32_t>(at - e.position()));
  e.finish();
  cdr::Budget budget = cdr::Budget::of(Limits{}, b.size());
  cdr::Decoder d(b.view(), kNativeOrder, budget);
  CORBA::Any any;
  {
    const value::DecodeScope scope(d);
    typecode::get_any(d, any);
  }
  ASSERT_TRUE(d.ok()) << fault_name(d.fault());
  const DynAny_var whole = factory->create_dyn_any(any);
  const DynAny_var copy = whole->copy();
  EXPECT_TRUE(copy->equal(whole.in()));
  const CORBA::Any_var back = copy->to_any();
  const DynAny_var other = factory->create_dyn_any(received(back.in()));
  EXPECT_THROW(other->equal(whole.in()), CORBA::IMP_LIMIT);  // each of its anys is made anew
  DynAny_var inner = whole->get_dyn_any();
  for (int i = 0; i < 10; ++i) inner = inner->get_dyn_any();
  EXPECT_TRUE(inner->equal(whole.in()));
  copy->insert_any(CORBA::Any());
  EXPECT_FALSE(copy->equal(whole.in()));
}

TEST_F(DynValueGraphTest, in_sequences_unions_and_anys_is_copied_with_them) {
  const DynAny_var d = empty(Dyn::_tc_Pack);
  const DynAny_var links = member(d.in(), 2);
  const DynSequence_var sequence = DynSequence::_narrow(links.in());
  sequence->set_length(3);
  const DynAny_var one = member(links.in(), 0), two = member(links.in(), 1);
  as_value(one.in())->set_to_value();
  one->insert_long(1);
  share_value(two.in(), one.in());
  const DynAny_var next = member(one.in(), 1);
  share_value(next.in(), one.in());
  const AnySeq_var elements = sequence->get_elements();
  sequence->set_elements(elements.in());
  EXPECT_EQ(member(member(links.in(), 0).in(), 0)->get_long(), 1);
  const DynAnySeq_var as_dyn_any = sequence->get_elements_as_dyn_any();
  sequence->set_elements_as_dyn_any(as_dyn_any.in());
  EXPECT_TRUE(d->seek(4));
  const DynAny_var in_any = circle();
  d->insert_dyn_any(in_any.in());
  const CORBA::Any_var any = d->to_any();
  const DynAny_var again = factory->create_dyn_any(received(any.in()));
  EXPECT_TRUE(again->equal(d.in()));
  EXPECT_TRUE(again->seek(4));
  const DynAny_var out = again->get_dyn_any();
  EXPECT_TRUE(out->equal(in_any.in()));
}

}  // namespace
}  // namespace callis::dynamic::testing
