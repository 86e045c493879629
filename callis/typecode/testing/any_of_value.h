// SPDX-License-Identifier: Apache-2.0
// Anys of values for tests: a valuetype that the program may have a factory for, and what is sent and passed on.
#pragma once
#include <callis/classic/string.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <callis/value/wire.h>
#include <functional>
#include <gtest/gtest.h>

namespace callis::typecode::testing {

using CORBA::Any;
using marshal::Kind;
using marshal::type_word;
using value::ValueLink;

inline const ValueLink custom_link = {"IDL:Custom:1.0", nullptr, value::kCustom};

// valuetype Node { public long number; public Node next; };
inline const void* node_links[1];
inline constexpr marshal::Word kNodeWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::Long),
                                              type_word(Kind::Value, 0)};
inline const marshal::Unit kNodeUnit = {kNodeWords, "", node_links, nullptr, &marshal::kExtension};
inline const marshal::Plan* node_plan;

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
inline const ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kNodeUnit, type_word(Kind::Ref, 1), &node_plan,
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

inline CORBA::ValueMember member(const char* name, TypeCode_ptr type) {
  CORBA::ValueMember m;
  m.name = name;
  m.type = dup(type);
  m.access = CORBA::PUBLIC_MEMBER;
  return m;
}
inline TypeCode_ptr value_type_code(const char* id, CORBA::ValueModifier modifier, TypeCode_ptr base,
                                    const std::vector<CORBA::ValueMember>& list) {
  CORBA::ValueMemberSeq s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = list[i];
  return create_value_tc(id, "V", modifier, base, s);
}
inline TypeCode_ptr tc_node() {
  static const TypeCode_var t = [] {
    const TypeCode_var self = create_recursive_tc("IDL:Node:1.0");
    return value_type_code("IDL:Node:1.0", CORBA::VM_NONE, nullptr,
                           {member("number", CORBA::_tc_long), member("next", self)});
  }();
  return t.in();
}
// valuetype Leaf : Node { public string text; };
inline TypeCode_ptr tc_leaf() {
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
inline constexpr std::uint32_t kPlain = 0x7fffff00, kWithId = 0x7fffff02, kChunks = 0x7fffff0a, kBack = 0xffffffff;

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

}  // namespace callis::typecode::testing
