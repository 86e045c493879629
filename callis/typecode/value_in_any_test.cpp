// SPDX-License-Identifier: Apache-2.0
// Values in Anys that were received: those of classes that are not known here, and what they leave behind.
#include <callis/base/limits.h>
#include <callis/marshal/values.h>
#include <callis/typecode/any.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

using marshal::Kind;
using marshal::type_word;

// valuetype Holder { public ValueBase held; };
const marshal::Word kHolderWords[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Value, marshal::kNoLink)};
const marshal::Unit kUnit = {kHolderWords, "", nullptr, nullptr, &marshal::kExtension};
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

// JacORB 3.9 cannot read values in anys without them (9.3.4.1 leaves it to the sender).
TEST_P(ValueInAny, GoesWithItsTypeIdAndValuesBehindTheAnyWithout) {
  const auto type = [](Cdr& c) -> Cdr& {
    return c.u32(29).within([](Cdr& v) { v.text(Holder::link.repository_id).text("Holder").u16(0).u32(0).u32(0); });
  };
  Cdr c(GetParam());
  type(c).u32(0x7fffff00).u32(0);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(c, GetParam(), budget);
  CORBA::Any a;
  get_any(d, a);
  ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));

  const ByteOrder other = GetParam() == ByteOrder::Big ? ByteOrder::Little : ByteOrder::Big;
  Cdr expected(other);
  type(expected).u32(0x7fffff02).text(Holder::link.repository_id).u32(0);
  expected.u32(0x7fffff00).u32(0);
  Buffer buffer;
  cdr::Encoder e(buffer, other);
  {
    const value::EncodeScope scope(e);
    put_any(e, a);
    const CORBA::ValueBase_var behind(new Holder);
    value::put_value(e, behind.in(), &Holder::link);
  }
  ASSERT_STREQ(fault_name(e.fault()), fault_name(Fault::None));
  e.finish();
  ASSERT_EQ(buffer.size(), expected.size());
  EXPECT_TRUE(std::equal(buffer.data(), buffer.data() + buffer.size(), expected.bytes().begin()));
}

// Anys of one type in one message share its TypeCode and plan, and are charged for them once.
TEST_P(ValueInAny, ManyOfOneTypeInAMessageShareItsPlan) {
  Cdr c(GetParam());
  constexpr std::size_t kAnys = 100;
  std::size_t size = 0;
  for (std::size_t i = 0; i < kAnys; ++i) {
    const std::size_t at = c.size();
    c.u32(29).within([](Cdr& v) { v.text(Holder::link.repository_id).text("Holder").u16(0).u32(0).u32(0); });
    c.u32(0);
    if (i == 0) size = c.size() - at;
  }
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(c, GetParam(), budget);
  const value::DecodeScope scope(d);
  std::vector<CORBA::Any> anys(kAnys);
  std::size_t first = 0, last = 0;
  for (CORBA::Any& a : anys) {
    const std::size_t before = budget.bytes_left;
    get_any(d, a);
    ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
    EXPECT_EQ(a.callis_slot().type, anys[0].callis_slot().type);
    last = before - budget.bytes_left;
    if (first == 0) first = last;
  }
  Fault fault;
  const ValueType* const v = value_type(*static_cast<TypeCode_ptr>(anys[0].callis_slot().type), fault);
  ASSERT_NE(v, nullptr);
  EXPECT_GE(first, v->bytes + size);
  EXPECT_LT(last, v->bytes);
  EXPECT_EQ(d.remaining(), 0u);
}

// What values lie in depends on the factories there are: the next message asks again.
TEST_P(ValueInAny, NoTypeOutlivesItsMessage) {
  Cdr c(GetParam());
  c.u32(29).within([](Cdr& v) { v.text(Holder::link.repository_id).text("Holder").u16(0).u32(0).u32(0); });
  c.u32(0);
  CORBA::Any anys[2];
  for (CORBA::Any& a : anys) {
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(c, GetParam(), budget);
    const value::DecodeScope scope(d);
    get_any(d, a);
    ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
  }
  EXPECT_NE(anys[0].callis_slot().type, anys[1].callis_slot().type);
}

// A box of sequences of each other, as deep as that.
void nested_box(Cdr& c, int i, int levels) {
  c.u32(30).within([=](Cdr& b) {
    b.text("IDL:Nested" + std::to_string(i) + ":1.0").text("Nested");
    const auto sequence = [](auto self, Cdr& s, int left) -> void {
      if (left == 0) return void(s.u32(3));
      s.u32(19).within([&](Cdr& in) {
        self(self, in, left - 1);
        in.u32(0);
      });
    };
    sequence(sequence, b, levels);
  });
  c.u32(0);
}

// As where it came first, so that nesting has the same bounds everywhere.
TEST_P(ValueInAny, ATypeThatIsKnownIsNoLessDeep) {
  Cdr c(GetParam());
  for (int i = 0; i < 2; ++i) nested_box(c, 0, 20);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(c, GetParam(), budget);
  const value::DecodeScope scope(d);
  CORBA::Any a;
  get_any(d, a);
  ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
  budget.depth_left = 20;
  get_any(d, a);
  EXPECT_STREQ(fault_name(d.fault()), fault_name(Fault::TooDeep));
}

TEST_P(ValueInAny, ManyOfDifferentTypesUseUpTheBudget) {
  Cdr c(GetParam());
  constexpr int kAnys = 4000;
  for (int i = 0; i < kAnys; ++i) nested_box(c, i, 1);
  cdr::Budget budget = cdr::Budget::of(Limits{}, c.size());
  cdr::Decoder d(c, GetParam(), budget);
  const value::DecodeScope scope(d);
  std::vector<CORBA::Any> anys(kAnys);
  for (CORBA::Any& a : anys) get_any(d, a);
  EXPECT_STREQ(fault_name(d.fault()), fault_name(Fault::BudgetExceeded));
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
