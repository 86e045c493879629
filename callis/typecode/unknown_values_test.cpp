// SPDX-License-Identifier: Apache-2.0
// Values in Anys that the program has no factory for: they are passed on.
#include <callis/typecode/testing/any_of_value.h>

namespace callis::typecode::testing {
namespace {

TEST_P(AnyOfValue, WithoutFactoryIsPassedOn) {
  auto m = message().type(tc_node());
  m.u32(kPlain).u32(5).u32(kPlain).u32(6).u32(0);
  passes_on(m, [](ByteOrder order) {
    Message c(order);
    c.type(tc_node()).u32(kWithId);
    const std::size_t id = c.size();
    c.text("IDL:Node:1.0").u32(5).u32(kWithId).u32(kBack);
    c.u32(static_cast<std::uint32_t>(id - c.size())).u32(6).u32(0);
    return c;
  });
}

TEST_P(AnyOfValue, OfADerivedTypeWithoutFactoryIsPassedOn) {
  auto m = message().type(tc_leaf());
  m.u32(kWithId).text("IDL:Leaf:1.0").u32(5).u32(0).text("end");
  passes_on(m, [](ByteOrder order) {
    Message c(order);
    c.type(tc_leaf()).u32(kWithId).text("IDL:Leaf:1.0").u32(5).u32(0).text("end");
    return c;
  });
}

TEST_P(AnyOfValue, WithoutFactoryMayContainItself) {
  auto m = message().type(tc_node());
  const std::size_t at = m.size();
  m.u32(kPlain).u32(5).u32(kBack);
  m.u32(static_cast<std::uint32_t>(at - m.size()));
  passes_on(m, [](ByteOrder order) {
    Message c(order);
    c.type(tc_node());
    const std::size_t begins = c.size();
    c.u32(kWithId).text("IDL:Node:1.0").u32(5).u32(kBack);
    c.u32(static_cast<std::uint32_t>(begins - c.size()));
    return c;
  });
}

TEST_P(AnyOfValue, InChunksIsPassedOnWhateverItIs) {
  const TypeCode_var custom = value_type_code("IDL:Custom:1.0", CORBA::VM_CUSTOM, nullptr, {});
  auto m = message().type(custom);
  m.u32(kChunks).text("IDL:Custom:1.0").u32(8).u32(1).u32(2).u32(static_cast<std::uint32_t>(-1));
  passes_on_as_it_is(m);
}

// JacORB 3.9 says of a truncatable type with a base only what it adds, and names no base.
TEST_P(AnyOfValue, OfATypeCodeThatSaysTooLittleIsPassedOnAsItCame) {
  const TypeCode_var t =
      value_type_code("IDL:Derived:1.0", CORBA::VM_NONE, nullptr, {member("z", CORBA::_tc_long)});
  auto m = message().type(t);
  m.u32(0x7fffff0e).u32(2).text("IDL:Derived:1.0").text("IDL:Base:1.0");
  m.u32(12).u32(1).u32(2).u32(3).u32(static_cast<std::uint32_t>(-1));
  passes_on_as_it_is(m);
}

TEST_P(AnyOfValue, BoxesAndSequencesOfUnknownOnesArePassedOn) {
  const TypeCode_var box = create_value_box_tc("IDL:Unknown:1.0", "Unknown", CORBA::_tc_string);
  auto m = message().type(box);
  m.u32(kPlain).text("boxed");
  passes_on(m, [&](ByteOrder order) {
    Message c(order);
    c.type(box).u32(kWithId).text("IDL:Unknown:1.0").text("boxed");
    return c;
  });
  const TypeCode_var nodes = create_sequence_tc(0, tc_node());
  auto s = message().type(nodes);
  s.u32(3).u32(0).u32(kPlain).u32(1).u32(0);
  const std::size_t at = s.size() - 12;
  s.u32(kBack);
  s.u32(static_cast<std::uint32_t>(at - s.size()));
  passes_on(s, [&](ByteOrder order) {
    Message c(order);
    c.type(nodes).u32(3).u32(0);
    const std::size_t begins = c.size();
    c.u32(kWithId).text("IDL:Node:1.0").u32(1).u32(0).u32(kBack);
    c.u32(static_cast<std::uint32_t>(begins - c.size()));
    return c;
  });
}

// What is known beside it is passed on with it: a custom value without chunks can only be read.
TEST_P(AnyOfValue, WithoutFactoryBesideAKnownCustomOneWithoutChunksIsPassedOn) {
  class Custom : public CORBA::CustomMarshal, public CORBA::DefaultValueRefCountBase {
   public:
    CORBA::Long number = 0;
    CORBA::ValueBase* _copy_value() override { return nullptr; }
    const ValueLink* _callis_link() const noexcept override { return &custom_link; }
    void marshal(CORBA::DataOutputStream* os) override { os->write_long(number); }
    void unmarshal(CORBA::DataInputStream* is) override { number = is->read_long(); }
  };
  class CustomFactory : public CORBA::ValueFactoryBase {
    CORBA::ValueBase* create_for_unmarshal() override { return new Custom; }
  };
  {
    const CORBA::ValueFactory_var f(new CustomFactory);
    const CORBA::ValueFactory_var before(value::register_value_factory("IDL:Custom:1.0", f.in()));
  }
  const TypeCode_var custom = value_type_code("IDL:Custom:1.0", CORBA::VM_CUSTOM, nullptr, {});
  const TypeCode_var both = make_struct("IDL:Both:1.0", "Both", {{"c", custom}, {"n", tc_node()}});
  auto m = message().type(both);
  m.u32(kWithId).text("IDL:Custom:1.0").u32(4711).u32(kPlain).u32(5).u32(0);
  Any a;
  ASSERT_STREQ(fault_name(receive(m, a)), fault_name(Fault::None));
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Message expected(order);
    expected.type(both).u32(kChunks).text("IDL:Custom:1.0").u32(4).u32(4711).u32(static_cast<std::uint32_t>(-1));
    expected.u32(kWithId).text("IDL:Node:1.0").u32(5).u32(0);
    EXPECT_EQ(sent(a, order), expected.bytes());
  }
  a = Any();
  EXPECT_EQ(value::living_values(), 0u);
  value::unregister_value_factory("IDL:Custom:1.0");
}

// Of a derived type that the any's TypeCode does not describe: whole in the same byte order, as far as it is
// described in the other, where the value allows that.
TEST_P(AnyOfValue, OfATruncatableTypeThatNobodyKnowsIsPassedOnAsFarAsItIsDescribed) {
  auto m = message().type(tc_node());
  m.u32(0x7fffff0e).u32(2).text("IDL:More:1.0").text("IDL:Node:1.0");
  m.u32(12).u32(5).u32(0).u32(4711).u32(static_cast<std::uint32_t>(-1));
  Any a;
  ASSERT_STREQ(fault_name(receive(m, a)), fault_name(Fault::None));
  EXPECT_EQ(sent(a), m.bytes());
  Message cut(other(GetParam()));
  cut.type(tc_node()).u32(kWithId).text("IDL:Node:1.0").u32(5).u32(0);
  EXPECT_EQ(sent(a, other(GetParam())), cut.bytes());
}

// Nothing says what its bytes are.
TEST_P(AnyOfValue, CustomWithoutFactoryIsRefusedInTheOtherOrder) {
  const TypeCode_var custom = value_type_code("IDL:Custom:1.0", CORBA::VM_CUSTOM, nullptr, {});
  auto m = message().type(custom);
  m.u32(kChunks).text("IDL:Custom:1.0").u32(8).u32(1).u32(2).u32(static_cast<std::uint32_t>(-1));
  Any a;
  ASSERT_EQ(receive(m, a), Fault::None);
  Buffer b;
  cdr::Encoder e(b, other(GetParam()));
  put_any(e, a);
  EXPECT_STREQ(fault_name(e.fault()), fault_name(Fault::NoValueFactory));
}

// One value in two anys: the second has an indirection out of it.
TEST_P(AnyOfValue, WithoutFactoryInTwoAnysIsPassedOnInEach) {
  auto m = message().type(tc_node());
  const std::size_t at = m.size();
  m.u32(kPlain).u32(5).u32(0);
  m.type(tc_node()).u32(kBack);
  m.u32(static_cast<std::uint32_t>(at - m.size()));
  Any first, second;
  {
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(m, GetParam(), budget);
    const value::DecodeScope scope(d);
    get_any(d, first);
    get_any(d, second);
    ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
    EXPECT_EQ(d.remaining(), 0u);
  }
  EXPECT_EQ(value::living_values(), 1u);
  first = Any();
  EXPECT_EQ(value::living_values(), 1u) << "the second has it still";
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Message whole(order);
    whole.type(tc_node()).u32(kWithId).text("IDL:Node:1.0").u32(5).u32(0);
    EXPECT_EQ(sent(second, order), whole.bytes()) << "a copy of its own";
  }
  second = Any();
  EXPECT_EQ(value::living_values(), 0u);
}

// The scopes of requests and replies as callis sends them: what is shared is an indirection there, too.
TEST_P(AnyOfValue, SharedByTwoAnysIsSharedWhenTheyArePassedOnTogether) {
  auto m = message().type(tc_node());
  const std::size_t at = m.size();
  m.u32(kWithId).text("IDL:Node:1.0").u32(5).u32(0);
  m.type(tc_node()).u32(kBack);
  m.u32(static_cast<std::uint32_t>(at - m.size()));
  Any first, second;
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(m, GetParam(), budget);
  const value::DecodeScope scope(d);
  get_any(d, first);
  get_any(d, second);
  ASSERT_TRUE(d.ok());
  Buffer b;
  cdr::Encoder e(b, GetParam());
  const value::EncodeScope writing(e);
  put_any(e, first);
  put_any(e, second);
  e.finish();
  EXPECT_EQ(std::vector<Byte>(b.view().begin(), b.view().end()), m.bytes());
}

// A truncatable value known here with an any of an unknown one in it.
TEST_P(AnyOfValue, WithoutFactoryInAChunkedValueIsPassedOn) {
  static const marshal::Word words[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Any)};
  static const marshal::Unit unit = {words, "", nullptr, nullptr, &marshal::kExtension};
  static const marshal::Plan* plan;
  class Holder : public CORBA::DefaultValueRefCountBase {
   public:
    static const ValueLink& link() {
      static const ValueLink l = {"IDL:Holder:1.0", nullptr, 0, &unit, type_word(Kind::Ref, 1), &plan,
                                  &value::upcast<Holder>, &value::downcast<Holder>};
      return l;
    }
    Any held;
    CORBA::ValueBase* _copy_value() override { return nullptr; }
    const ValueLink* _callis_link() const noexcept override { return &link(); }
    void* _callis_state(const ValueLink& l) noexcept override { return &l == &link() ? &held : nullptr; }
  };
  class HolderFactory : public CORBA::ValueFactoryBase {
    CORBA::ValueBase* create_for_unmarshal() override { return new Holder; }
  };
  {
    const CORBA::ValueFactory_var f(new HolderFactory);
    const CORBA::ValueFactory_var before(value::register_value_factory("IDL:Holder:1.0", f.in()));
  }
  auto m = message();
  m.u32(kChunks).text("IDL:Holder:1.0");
  while (m.size() % 4 != 0) m.u8(0);
  const std::size_t size_at = m.size();
  Message inside(GetParam());  // its alignment is the message's
  while (inside.size() % 8 != (size_at + 4) % 8) inside.u8(0);
  const std::size_t padding = inside.size();
  inside.type(tc_node());
  m.u32(static_cast<std::uint32_t>(inside.size() - padding));
  for (std::size_t i = padding; i < inside.size(); ++i) m.u8(inside.bytes()[i]);
  m.u32(kChunks).text("IDL:Node:1.0").u32(8).u32(5).u32(0).u32(static_cast<std::uint32_t>(-1));
  {
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(m, GetParam(), budget);
    const value::DecodeScope scope(d);
    const CORBA::ValueBase_var v(value::get_value(d, nullptr));
    ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
    EXPECT_EQ(d.remaining(), 0u);
    const auto* const holder = dynamic_cast<const Holder*>(v.in());
    ASSERT_NE(holder, nullptr);
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
      Message expected(order);
      expected.type(tc_node()).u32(kWithId).text("IDL:Node:1.0").u32(5).u32(0);
      EXPECT_EQ(sent(holder->held, order), expected.bytes());
    }
  }
  EXPECT_EQ(value::living_values(), 0u);
  value::unregister_value_factory("IDL:Holder:1.0");
}

// Only the any's values could break the circle, and nobody sees them.
TEST_P(AnyOfValue, WithoutFactoryInACircleThroughAnAnyLeavesNothing) {
  const TypeCode_var type =
      value_type_code("IDL:Unknown:1.0", CORBA::VM_NONE, nullptr, {member("a", CORBA::_tc_any)});
  for (const bool bad : {false, true}) {
    auto m = message().type(type);
    const std::size_t at = m.size();
    m.u32(kPlain);
    m.type(type).u32(kBack);
    m.u32(static_cast<std::uint32_t>(at - m.size() + (bad ? 4 : 0)));
    Any a;
    EXPECT_EQ(receive(m, a) == Fault::None, !bad);
    EXPECT_EQ(value::living_values(), bad ? 0u : 1u);
    if (!bad) {
      EXPECT_FALSE(sent(a, other(GetParam())).empty());
      CORBA::ValueBase_var none;
      EXPECT_FALSE(a >>= Any::to_value(none.out()));
    }
    a = Any();
    EXPECT_EQ(value::living_values(), 0u);
  }
}

// No factory makes what a TypeCode only describes, and the budget and the bound of levels are those of other values.
TEST_P(AnyOfValue, WithoutFactoryHasTheBoundsOfOtherValues) {
  const auto list = [](unsigned n) {
    auto m = message().type(tc_node());
    for (unsigned i = 0; i < n; ++i) m.u32(kPlain).u32(i);
    m.u32(0);
    return m;
  };
  Any a;
  EXPECT_STREQ(fault_name(receive(list(value::kMaxDepth), a)), fault_name(Fault::None));
  EXPECT_STREQ(fault_name(receive(list(value::kMaxDepth + 1), a)), fault_name(Fault::TooDeep));
  EXPECT_EQ(value::living_values(), 0u);
  const auto m = list(1000);
  cdr::Budget budget{std::size_t{100} * 1000, 64};
  cdr::Decoder d(m, GetParam(), budget);
  const value::DecodeScope scope(d);
  get_any(d, a);
  EXPECT_STREQ(fault_name(d.fault()), fault_name(Fault::BudgetExceeded));
}

TEST_P(AnyOfValue, OfAnotherTypeThanItsTypeCodeSaysIsRefused) {
  auto m = message().type(tc_node());
  m.u32(kWithId).text("IDL:Other:1.0").u32(5).u32(0);
  Any a;
  EXPECT_EQ(receive(m, a), Fault::NoValueFactory);
}

// A class that the program has, told otherwise by the peer's TypeCode. Whoever knows the class would read the same
// bytes as another value, or as none.
TEST_P(AnyOfValue, OfATypeCodeThatIsNotThatOfTheProgramsClassIsRefused) {
  const Registered registered;
  const auto refused = [](TypeCode_ptr type, bool with_number) {
    auto m = message().type(type);
    m.u32(kWithId).text("IDL:Node:1.0");
    if (with_number) m.u32(5);
    Any a;
    return receive(m, a) != Fault::None;
  };
  const TypeCode_var none = value_type_code("IDL:Node:1.0", CORBA::VM_NONE, nullptr, {});
  const TypeCode_var number =
      value_type_code("IDL:Node:1.0", CORBA::VM_NONE, nullptr, {member("number", CORBA::_tc_long)});
  const TypeCode_var box = create_value_box_tc("IDL:Node:1.0", "Node", CORBA::_tc_long);
  EXPECT_TRUE(refused(none, false));
  EXPECT_TRUE(refused(number, true));
  EXPECT_TRUE(refused(box, true));
  EXPECT_EQ(value::living_values(), 0u);
}

// Beside a value that nobody knows, too, which is read by its TypeCode.
TEST_P(AnyOfValue, WithoutFactoryBesideAKnownOneThatItsTypeCodeTellsOtherwiseIsRefused) {
  const Registered registered;
  const TypeCode_var false_node = value_type_code("IDL:Node:1.0", CORBA::VM_NONE, nullptr, {});
  const TypeCode_var unknown =
      value_type_code("IDL:Unknown:1.0", CORBA::VM_NONE, nullptr, {member("node", false_node)});
  auto m = message().type(unknown);
  m.u32(kWithId).text("IDL:Unknown:1.0").u32(kWithId).text("IDL:Node:1.0");
  Any a;
  EXPECT_NE(receive(m, a), Fault::None);
  const TypeCode_var true_one =
      value_type_code("IDL:Unknown:1.0", CORBA::VM_NONE, nullptr, {member("node", tc_node())});
  auto good = message().type(true_one);
  good.u32(kWithId).text("IDL:Unknown:1.0").u32(kWithId).text("IDL:Node:1.0").u32(5).u32(0);
  EXPECT_EQ(receive(good, a), Fault::None);
  a = Any();
  EXPECT_EQ(value::living_values(), 0u);
}

// Repository ids of bases that lead in a circle, though the TypeCode ends.
TEST_P(AnyOfValue, OfATypeWhoseBasesHaveItsIdIsRefused) {
  const TypeCode_var innermost = value_type_code("IDL:A:1.0", CORBA::VM_NONE, nullptr, {});
  const TypeCode_var base = value_type_code("IDL:B:1.0", CORBA::VM_NONE, innermost, {});
  const TypeCode_var type = value_type_code("IDL:A:1.0", CORBA::VM_NONE, base, {member("n", CORBA::_tc_long)});
  auto m = message().type(type);
  m.u32(kPlain).u32(1).u32(2).u32(3);
  Any a;
  EXPECT_EQ(receive(m, a), Fault::NoValueFactory);
}

// What it leads to goes with it.
TEST_P(AnyOfValue, WithoutFactoryMayLeadOutOfTheAny) {
  const TypeCode_var box = create_value_box_tc("IDL:Unknown:1.0", "Unknown", tc_node());
  auto m = message();
  const Registered registered;
  const std::size_t at = m.size();
  m.u32(kPlain).u32(1).u32(0);
  m.type(box).u32(kPlain).u32(kBack);
  m.u32(static_cast<std::uint32_t>(at - m.size()));
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(m, GetParam(), budget);
  const value::DecodeScope scope(d);
  const CORBA::ValueBase_var first(value::get_value(d, &Node::link));
  EXPECT_TRUE(d.ok());
  Any a;
  get_any(d, a);
  ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Message expected(order);
    expected.type(box).u32(kWithId).text("IDL:Unknown:1.0");
    expected.u32(kWithId).text("IDL:Node:1.0").u32(1).u32(0);
    EXPECT_EQ(sent(a, order), expected.bytes());
  }
}

// A value that was begun and given up is forgotten; what comes later is found.
TEST_P(AnyOfValue, WithoutFactoryLeavesTheRestOfTheMessageAlone) {
  const Registered registered;
  const TypeCode_var outer = value_type_code("IDL:Unknown:1.0", CORBA::VM_NONE, nullptr, {member("node", tc_node())});
  auto m = message();
  m.u32(kPlain).u32(1).u32(0);
  m.type(outer).u32(kPlain).u32(kPlain).u32(2).u32(0);
  m.u32(kPlain).u32(3).u32(kBack);
  m.u32(static_cast<std::uint32_t>(0 - m.size()));
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(m, GetParam(), budget);
  const value::DecodeScope scope(d);
  const CORBA::ValueBase_var first(value::get_value(d, &Node::link));
  Any a;
  get_any(d, a);
  const CORBA::ValueBase_var last(value::get_value(d, &Node::link));
  ASSERT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
  EXPECT_EQ(d.remaining(), 0u);
  EXPECT_EQ(dynamic_cast<Node*>(last.in())->state.next, dynamic_cast<Node*>(first.in()));
  EXPECT_EQ(budget.depth_left, 64u);
}

}  // namespace
}  // namespace callis::typecode::testing
