// SPDX-License-Identifier: Apache-2.0
// Values in Anys, which may be shared with the rest of a message.
#include <callis/typecode/testing/any_of_value.h>

namespace callis::typecode::testing {
namespace {

// Those of unknown_values_test.cpp, too.
INSTANTIATE_TEST_SUITE_P(Orders, AnyOfValue, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "big" : "little"; });

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
