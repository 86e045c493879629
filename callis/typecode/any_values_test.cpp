// SPDX-License-Identifier: Apache-2.0
// Values in Anys: known ones, which may be shared with the rest of a message, and those that the program has no
// factory for.
#include <callis/classic/string.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <callis/value/wire.h>
#include <functional>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

using CORBA::Any;
using marshal::Kind;
using marshal::type_word;
using value::ValueLink;

const ValueLink custom_link = {"IDL:Custom:1.0", nullptr, value::kCustom};

// valuetype Node { public long number; public Node next; };
const void* node_links[1];
const marshal::Word kWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::Long), type_word(Kind::Value, 0)};
const marshal::Unit kUnit = {kWords, "", node_links, nullptr, &marshal::kExtension};
const marshal::Plan* node_plan;

class Node : public virtual CORBA::ValueBase, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  struct State {
    CORBA::Long number = 0;
    Node* next = nullptr;
  } state;
  explicit Node(CORBA::Long n = 0, Node* next = nullptr) {
    state.number = n;
    state.next = next;
  }
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &state : nullptr; }

 protected:
  ~Node() override { CORBA::remove_ref(state.next); }
};
const ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 1), &node_plan,
                              [](void* p) -> CORBA::ValueBase* { return static_cast<Node*>(p); },
                              [](CORBA::ValueBase* v) -> void* { return dynamic_cast<Node*>(v); }};

class NodeFactory : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Node; }
};
class Registered {
 public:
  Registered() {
    node_links[0] = &Node::link;
    const CORBA::ValueFactory_var f(new NodeFactory);
    const CORBA::ValueFactory_var before(value::register_value_factory("IDL:Node:1.0", f.in()));
  }
  ~Registered() { value::unregister_value_factory("IDL:Node:1.0"); }
};

CORBA::ValueMember member(const char* name, TypeCode_ptr type) {
  CORBA::ValueMember m;
  m.name = name;
  m.type = dup(type);
  m.access = CORBA::PUBLIC_MEMBER;
  return m;
}
TypeCode_ptr value_type_code(const char* id, CORBA::ValueModifier modifier, TypeCode_ptr base,
                             const std::vector<CORBA::ValueMember>& list) {
  CORBA::ValueMemberSeq s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = list[i];
  return create_value_tc(id, "V", modifier, base, s);
}
TypeCode_ptr tc_node() {
  static const TypeCode_var t = [] {
    const TypeCode_var self = create_recursive_tc("IDL:Node:1.0");
    return value_type_code("IDL:Node:1.0", CORBA::VM_NONE, nullptr,
                           {member("number", CORBA::_tc_long), member("next", self)});
  }();
  return t.in();
}
// valuetype Leaf : Node { public string text; };
TypeCode_ptr tc_leaf() {
  static const TypeCode_var t =
      value_type_code("IDL:Leaf:1.0", CORBA::VM_NONE, tc_node(), {member("text", CORBA::_tc_string)});
  return t.in();
}

class Message : public Cdr {
 public:
  explicit Message(ByteOrder order) : Cdr(order), order_(order) {}
  Message& type(TypeCode_ptr t) {
    while (size() % 4 != 0) u8(0);
    for (Byte b : written(t, order_)) u8(b);
    while (size() % 4 != 0) u8(0);
    return *this;
  }

 private:
  ByteOrder order_;
};
constexpr std::uint32_t kPlain = 0x7fffff00, kWithId = 0x7fffff02, kChunks = 0x7fffff0a, kBack = 0xffffffff;

class AnyOfValue : public ::testing::TestWithParam<ByteOrder> {
 protected:
  using Read = void (*)(cdr::Decoder&);
  static Fault receive(ByteView bytes, Any& to) {
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(bytes, GetParam(), budget);
    const value::DecodeScope scope(d);
    get_any(d, to);
    return d.ok() && d.remaining() != 0 ? Fault::BadCount : d.fault();
  }
  // phase: how many octets stand in front of it.
  static std::vector<Byte> sent(const Any& a, ByteOrder order = GetParam(), std::size_t phase = 0) {
    Buffer b;
    cdr::Encoder e(b, order);
    const value::EncodeScope scope(e);
    for (std::size_t i = 0; i < phase; ++i) e.put_octet(0);
    put_any(e, a);
    EXPECT_EQ(e.fault(), Fault::None) << fault_name(e.fault());
    e.finish();
    return {b.view().begin(), b.view().end()};
  }
  // What was sent with so many octets in front.
  static Fault receive_sent(ByteView bytes, ByteOrder order, std::size_t phase, Any& to) {
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(bytes, order, budget);
    const value::DecodeScope scope(d);
    for (std::size_t i = 0; i < phase; ++i) (void)d.get_octet();
    get_any(d, to);
    return d.ok() && d.remaining() != 0 ? Fault::BadCount : d.fault();
  }
  // `canonical`: the same value as callis sends it.
  using Make = std::function<Message(ByteOrder)>;
  static void passes_on(const Message& m, const Make& canonical) {
    {
      Any a;
      ASSERT_EQ(receive(m, a), Fault::None);
      const Any copy(a);
      EXPECT_EQ(copy.value(), nullptr);  // nobody can make it
      for (const ByteOrder order : {GetParam(), other(GetParam())}) {
        EXPECT_EQ(sent(a, order), canonical(order).bytes());
        for (std::size_t phase = 0; phase < 8; ++phase) {
          const auto bytes = sent(copy, order, phase);
          Any again;
          ASSERT_EQ(receive_sent(bytes, order, phase, again), Fault::None) << phase;
          EXPECT_EQ(sent(again), canonical(GetParam()).bytes()) << phase;
        }
      }
    }
    EXPECT_EQ(value::living_values(), 0u);
    survives_bad_bytes(m);
    EXPECT_EQ(value::living_values(), 0u);
  }
  // As bytes: where the TypeCode does not say what they are.
  static void passes_on_as_it_is(const Message& m) {
    Any a;
    ASSERT_EQ(receive(m, a), Fault::None);
    EXPECT_EQ(sent(a), m.bytes());
    const Any copy(a);
    EXPECT_EQ(copy.value(), nullptr);
    EXPECT_EQ(sent(copy), m.bytes());
    survives_bad_bytes(m);
  }
  static void survives_bad_bytes(const Message& m) {
    for (std::size_t n = 0; n < m.size(); ++n) {
      Any cut;
      EXPECT_NE(receive(ByteView(m.bytes().data(), n), cut), Fault::None) << n;
    }
    for (std::size_t i = 0; i < m.size(); ++i)
      for (unsigned flip = 1; flip < 256; flip += 51) {
        auto bad = m.bytes();
        bad[i] = static_cast<Byte>(bad[i] ^ flip);
        Any any;
        if (receive(bad, any) == Fault::None) (void)any.value();
      }
  }
  static Message message() { return Message(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Orders, AnyOfValue, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "big" : "little"; });

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

TEST_P(AnyOfValue, IsExtractedOnceAFactoryIsThere) {
  auto m = message().type(tc_node());
  m.u32(kPlain).u32(5).u32(0);
  Any a;
  ASSERT_EQ(receive(m, a), Fault::None);
  CORBA::ValueBase* none = nullptr;
  EXPECT_FALSE(a >>= Any::to_value(none));
  const Registered registered;
  CORBA::ValueBase* v = nullptr;
  ASSERT_TRUE(a >>= Any::to_value(v));
  const CORBA::ValueBase_var own(v);
  ASSERT_NE(dynamic_cast<Node*>(v), nullptr);
  EXPECT_EQ(dynamic_cast<Node*>(v)->state.number, 5);
}

// The class that lies in memory is the program's, though the TypeCode is the peer's.
TEST_P(AnyOfValue, ReceivedIsExtractedAsValueBase) {
  const Registered registered;
  const TypeCode_var alias = create_alias_tc("IDL:A:1.0", "A", tc_node());
  for (TypeCode_ptr t : {tc_node(), alias.in()}) {
    auto m = message().type(t);
    m.u32(kPlain).u32(5).u32(0);
    Any a;
    ASSERT_EQ(receive(m, a), Fault::None);
    CORBA::ValueBase* v = nullptr;
    ASSERT_TRUE(a >>= Any::to_value(v));
    const CORBA::ValueBase_var own(v);
    EXPECT_EQ(v->_refcount_value(), 2u);
    ASSERT_NE(dynamic_cast<Node*>(v), nullptr);
    EXPECT_EQ(dynamic_cast<Node*>(v)->state.number, 5);
    auto named = message().type(t);  // with its type id
    named.u32(kPlain | 2).text(Node::link.repository_id).u32(5).u32(0);
    EXPECT_EQ(sent(a), named.bytes());
    EXPECT_EQ(sent(a, other(GetParam())).size(), named.size());
  }
}

TEST_P(AnyOfValue, IsSharedWithTheRestOfTheMessage) {
  const Registered registered;
  auto m = message();
  m.u32(kPlain).u32(1).u32(0);
  m.type(tc_node()).u32(kBack);
  m.u32(static_cast<std::uint32_t>(0 - m.size()));
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(m, GetParam(), budget);
  const value::DecodeScope scope(d);
  const CORBA::ValueBase_var first(value::get_value(d, &Node::link));
  Any a;
  get_any(d, a);
  ASSERT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
  CORBA::ValueBase* v = nullptr;
  ASSERT_TRUE(a >>= Any::to_value(v));
  const CORBA::ValueBase_var own(v);
  EXPECT_EQ(v, first.in());
  Buffer b;
  cdr::Encoder e(b, GetParam());
  const value::EncodeScope writing(e);
  value::put_value(e, first.in(), &Node::link);
  put_any(e, a);
  e.finish();
  EXPECT_EQ(std::vector<Byte>(b.view().begin(), b.view().end()), m.bytes());
}

TEST_P(AnyOfValue, NullIsAValue) {
  auto m = message().type(tc_node());
  m.u32(0);
  Any a;
  ASSERT_EQ(receive(m, a), Fault::None);
  CORBA::ValueBase* v = nullptr;
  EXPECT_TRUE(a >>= Any::to_value(v));
  EXPECT_EQ(v, nullptr);
  EXPECT_EQ(sent(a), m.bytes());
}

// Structs of two of the one before as the states of many valuetypes.
TEST(AnyOfValues, StatesOfManyUnknownTypesAreLimited) {
  const TypeCode_var octets = create_sequence_tc(0, CORBA::_tc_octet);
  TypeCode_var t = make_struct("IDL:D:1.0", "S", {{"o", CORBA::_tc_octet}, {"s", octets}});
  for (int i = 0; i < 12; ++i)
    t = make_struct(("IDL:D" + std::to_string(i) + ":1.0").c_str(), "S", {{"a", t}, {"b", t}});
  std::vector<TypeCode_var> values;
  std::vector<Member> list;
  std::vector<std::string> names(100);
  for (std::size_t i = 0; i < 100; ++i) {
    values.push_back(value_type_code(("IDL:Many" + std::to_string(i) + ":1.0").c_str(), CORBA::VM_NONE, nullptr,
                                     {member("m", t)}));
    list.push_back({(names[i] = "v" + std::to_string(i)).c_str(), values.back()});
  }
  const TypeCode_var all = make_struct("IDL:All:1.0", "All", list);
  Message m(ByteOrder::Big);
  m.type(all);
  for (int i = 0; i < 100; ++i) m.u32(0);
  cdr::Budget budget{64u << 20, 64};
  cdr::Decoder d(m, ByteOrder::Big, budget);
  Any a;
  get_any(d, a);
  EXPECT_EQ(d.fault(), Fault::LimitExceeded);
}

}  // namespace
}  // namespace callis::typecode::testing
