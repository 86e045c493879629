// SPDX-License-Identifier: Apache-2.0
// Values in Anys that were received: those of classes that are not known here, and what they leave behind.
#include <callis/marshal/values.h>
#include <callis/typecode/any.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

using marshal::Kind;
using marshal::type_word;

// valuetype Holder { public ValueBase held; };
const marshal::Word kWords[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Value, marshal::kNoLink)};
const marshal::Unit kUnit = {kWords, "", nullptr, nullptr, &marshal::kExtension};
const marshal::Plan* holder_plan;

class Holder : public CORBA::DefaultValueRefCountBase {
 public:
  static const value::ValueLink link;
  CORBA::ValueBase_var held;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const value::ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const value::ValueLink& l) noexcept override { return &l == &link ? &held : nullptr; }
};
const value::ValueLink Holder::link = {"IDL:Holder:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 1), &holder_plan,
                                       &value::upcast<Holder>, &value::downcast<Holder>};

class Factory : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Holder; }
};

class ValueInAny : public ::testing::TestWithParam<ByteOrder> {
 protected:
  ValueInAny() {
    const CORBA::ValueFactory_var f(new Factory);
    value::register_value_factory(Holder::link.repository_id, f.in());
  }
  ~ValueInAny() override { value::unregister_value_factory(Holder::link.repository_id); }

  // An Any of a Holder in chunks, which holds a value that nobody knows.
  static void any(Cdr& c) {
    c.u32(29).within([](Cdr& v) { v.text(Holder::link.repository_id).text("Holder").u16(0).u32(0).u32(0); });
    c.u32(0x7fffff0a).text(Holder::link.repository_id);
    c.u32(0x7fffff0a).text("IDL:Unknown:1.0").u32(4).u32(7).u32(0xfffffffe).u32(0xffffffff);
  }
};
INSTANTIATE_TEST_SUITE_P(BothOrders, ValueInAny, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "Big" : "Little"; });

TEST_P(ValueInAny, WithAnUnknownOneWithinIsPassedOn) {
  Cdr c(GetParam());
  for (int i = 0; i < 100; ++i) any(c);
  const std::size_t at = c.size();
  c.u32(0x7fffff02).text(Holder::link.repository_id).u32(0);
  c.u32(0xffffffff).u32(at - c.size());
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(c, GetParam(), budget);
  const value::DecodeScope scope(d);
  void* const values = d.values();
  Buffer buffer;
  cdr::Encoder e(buffer, GetParam());
  for (int i = 0; i < 100; ++i) {
    CORBA::Any a;
    get_any(d, a);
    ASSERT_TRUE(d.ok()) << i << ' ' << fault_name(d.fault());
    EXPECT_EQ(a.value(), nullptr);
    EXPECT_EQ(d.values(), values);
    put_any(e, a);
  }
  EXPECT_EQ(budget.depth_left, 64u);
  const CORBA::ValueBase_var last(value::get_value(d, nullptr)), again(value::get_value(d, nullptr));
  EXPECT_NE(last.in(), nullptr) << fault_name(d.fault());
  EXPECT_EQ(last.in(), again.in());
  EXPECT_EQ(d.remaining(), 0u);
  ASSERT_EQ(e.fault(), Fault::None);
  e.finish();
  EXPECT_TRUE(std::equal(buffer.data(), buffer.data() + buffer.size(), c.bytes().begin()));
}

// What is kept as bytes must mean something elsewhere, too.
TEST_P(ValueInAny, KeptBytesDoNotLeadOutOfThem) {
  Cdr c(GetParam());
  c.u32(0x7fffff02).text(Holder::link.repository_id).u32(0);
  c.u32(29).within([](Cdr& v) { v.text(Holder::link.repository_id).text("Holder").u16(0).u32(0).u32(0); });
  c.u32(0x7fffff0a).u32(0xffffffff).u32(static_cast<std::uint32_t>(4 - static_cast<int>(c.size())));
  c.u32(0x7fffff0a).text("IDL:Unknown:1.0").u32(4).u32(7).u32(0xfffffffe).u32(0xffffffff);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(c, GetParam(), budget);
  const value::DecodeScope scope(d);
  EXPECT_NE(CORBA::ValueBase_var(value::get_value(d, nullptr)).in(), nullptr);
  CORBA::Any a;
  get_any(d, a);
  EXPECT_STREQ(fault_name(d.fault()), fault_name(Fault::NoValueFactory));
}

}  // namespace
}  // namespace callis::typecode::testing
