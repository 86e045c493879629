// SPDX-License-Identifier: Apache-2.0
// TypeCodes that come again, and what many of them may cost.
#include <callis/base/limits.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/internal/received.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <callis/value/wire.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::typecode::testing {
namespace {

using CORBA::Any;

constexpr std::size_t kBudget = 1u << 20;

std::vector<Byte> bytes_of(const Any& a, ByteOrder order = kNativeOrder) {
  Buffer b;
  cdr::Encoder e(b, order);
  put_any(e, a);
  e.finish();
  return {b.view().begin(), b.view().end()};
}
Fault receive(ByteView bytes, Any& to, std::size_t budget_bytes = kBudget, std::uint32_t depth = 64,
              ByteOrder order = kNativeOrder) {
  cdr::Budget budget{budget_bytes, depth};
  cdr::Decoder d(bytes, order, budget);
  get_any(d, to);
  return d.fault();
}

// struct { long n; sequence<string> text; } with an id of its own.
TypeCode_ptr numbered(int i) {
  const TypeCode_var s = create_sequence_tc(0, CORBA::_tc_string);
  return make_struct(("IDL:Numbered" + std::to_string(i) + ":1.0").c_str(), "Numbered",
                     {{"n", CORBA::_tc_long}, {"text", s}});
}
Any zeros(TypeCode_ptr type) { return Any(type, nullptr); }

// Structs of two of the one before: few bytes, many members.
TypeCode_ptr doubled(const std::string& name, int times) {
  const TypeCode_var octets = create_sequence_tc(0, CORBA::_tc_octet);
  TypeCode_var t = make_struct(("IDL:" + name + ":1.0").c_str(), "S", {{"o", CORBA::_tc_octet}, {"s", octets}});
  for (int i = 0; i < times; ++i)
    t = make_struct(("IDL:" + name + std::to_string(i) + ":1.0").c_str(), "S", {{"a", t}, {"b", t}});
  return t._retn();
}

TypeCode_ptr type_inside(const Any& a) { return static_cast<TypeCode_ptr>(a.callis_slot().type); }

TEST(ReceivedTypeCode, IsReadOnce) {
  const TypeCode_var t = numbered(-1);
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    const auto bytes = bytes_of(zeros(t), order);
    Any a, b;
    ASSERT_EQ(receive(bytes, a, kBudget, 64, order), Fault::None);
    ASSERT_EQ(receive(bytes, b, kBudget, 64, order), Fault::None);
    EXPECT_EQ(type_inside(a), type_inside(b));
    EXPECT_TRUE(type_inside(a)->equal(t));
    EXPECT_EQ(bytes_of(b, order), bytes);
  }
}

TEST(ReceivedTypeCode, IsTheSameForATypeCodeAsAValue) {
  const TypeCode_var t = numbered(-2);
  Any a;
  ASSERT_EQ(receive(bytes_of(zeros(t)), a), Fault::None);
  const TypeCode_var read = testing::read(written(t, kNativeOrder), kNativeOrder);
  EXPECT_EQ(read.in(), type_inside(a));
}

TEST(ReceivedTypeCode, TellsBytesOfTheSameLengthApart) {
  const TypeCode_var t = numbered(-3), u = numbered(-4);
  Any a, b;
  ASSERT_EQ(receive(bytes_of(zeros(t)), a), Fault::None);
  ASSERT_EQ(receive(bytes_of(zeros(u)), b), Fault::None);
  EXPECT_TRUE(type_inside(a)->equal(t));
  EXPECT_TRUE(type_inside(b)->equal(u));
}

// No message is accepted because of one before it.
TEST(ReceivedTypeCode, CostsTheMessageTheSameWhenItIsKnown) {
  const TypeCode_var t = doubled("Cost", 3);
  const auto bytes = bytes_of(zeros(t));
  for (int known = 0; known < 2; ++known) {
    Any a;
    EXPECT_EQ(receive(bytes, a, 500), Fault::BudgetExceeded) << known;
    EXPECT_EQ(receive(bytes, a, kBudget, 3), Fault::TooDeep) << known;
    EXPECT_EQ(receive(bytes, a), Fault::None);
  }
}

TEST(ReceivedTypeCode, ManyDifferentOnesLeaveABoundedNumber) {
  for (int i = 0; i < 1000; ++i) {
    const TypeCode_var t = numbered(i);
    Any a;
    ASSERT_EQ(receive(bytes_of(zeros(t)), a), Fault::None);
    EXPECT_TRUE(type_inside(a)->equal(t));
  }
  EXPECT_LE(received_entries(), kReceivedEntries);
  EXPECT_GT(received_entries(), kReceivedEntries / 2);
}

TEST(ReceivedTypeCode, LongOnesAndThoseOfLargePlansAreNotKept) {
  std::vector<std::string> names(400);
  std::vector<Member> list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.push_back({(names[i] = "member" + std::to_string(i)).c_str(), CORBA::_tc_long});
  const TypeCode_var long_one = make_struct("IDL:Long:1.0", "Long", list), large = doubled("Large", 11);
  for (const auto& t : {long_one, large}) {
    const auto bytes = bytes_of(zeros(t));
    Any a, b;
    ASSERT_EQ(receive(bytes, a, 64u << 20), Fault::None);
    ASSERT_EQ(receive(bytes, b, 64u << 20), Fault::None);
    EXPECT_NE(type_inside(a), type_inside(b));
  }
}

TEST(ReceivedTypeCode, LongOnesAndThoseOfLargePlansAreKeptForTheirMessage) {
  std::vector<std::string> names(400);
  std::vector<const char*> list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.push_back((names[i] = "enumerator" + std::to_string(i)).c_str());
  const TypeCode_var long_one = make_enum("IDL:Long:1.0", "Long", list), large = doubled("Large", 11);
  for (const auto& t : {long_one, large}) {
    Buffer b;
    cdr::Encoder e(b);
    for (int i = 0; i < 2; ++i) put_any(e, zeros(t));
    e.finish();
    cdr::Budget budget{64u << 20, 64};
    cdr::Decoder d(b.view(), kNativeOrder, budget);
    const value::DecodeScope scope(d);
    Any one, two;
    get_any(d, one);
    get_any(d, two);
    ASSERT_EQ(d.fault(), Fault::None);
    EXPECT_EQ(type_inside(one), type_inside(two));
  }
}

TEST(ReceivedTypeCode, ChargesThePlanOfItsValues) {
  // Some hundreds of bytes that make a plan of some hundreds of thousands.
  const TypeCode_var t = doubled("Charged", 13);
  const auto bytes = bytes_of(zeros(t));
  Any a;
  EXPECT_EQ(receive(bytes, a, bytes.size() + (200u << 10)), Fault::BudgetExceeded);
  EXPECT_EQ(receive(bytes, a, 64u << 20), Fault::None);
}

// Nothing is made for a type without parameters, nor for a number that the Any keeps in itself.
TEST(ReceivedTypeCode, ThatIsAConstantIsNotCharged) {
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Any a;
    EXPECT_EQ(receive(bytes_of(Any(), order), a, 0, 64, order), Fault::None);
    EXPECT_EQ(receive(bytes_of(any_of(CORBA::Long{7}), order), a, 0, 64, order), Fault::None);
    CORBA::Long n = 0;
    EXPECT_TRUE((a >>= n) && n == 7);
    for (TypeCode_ptr t : {CORBA::_tc_long, CORBA::_tc_string, CORBA::_tc_wstring}) {
      const auto wire = written(t, order);
      cdr::Budget none{0, 64};
      cdr::Decoder d(wire, order, none);
      EXPECT_EQ(get_type_code(d), t);
      EXPECT_EQ(d.remaining(), 0u);
    }
    cdr::Budget none{0, 64};
    const TypeCode_var bounded = create_string_tc(5);
    const auto wire = written(bounded, order);
    cdr::Decoder d(wire, order, none);
    EXPECT_EQ(get_type_code(d), nullptr);
    EXPECT_EQ(d.fault(), Fault::BudgetExceeded);
  }
}

TEST(ReceivedTypeCode, ManyInOneMessageUseUpItsBudget) {
  Buffer b;
  cdr::Encoder e(b);
  constexpr int kAnys = 200;
  for (int i = 0; i < kAnys; ++i) {
    const TypeCode_var t = doubled("Many" + std::to_string(i) + "x", 10);
    const TypeCode_var s = create_sequence_tc(0, t);
    put_any(e, zeros(s));
  }
  e.finish();
  cdr::Budget budget = cdr::Budget::of(Limits{}, b.size());
  cdr::Decoder d(b.view(), kNativeOrder, budget);
  std::vector<Any> anys(kAnys);
  for (Any& a : anys) get_any(d, a);
  EXPECT_EQ(d.fault(), Fault::BudgetExceeded);
}

TEST(ReceivedTypeCode, AsLargeAsTheLimitIsRefusedOrRead) {
  std::vector<std::string> names(40000);
  std::vector<const char*> list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.push_back((names[i] = "enumerator" + std::to_string(i)).c_str());
  const TypeCode_var t = make_enum("IDL:Huge:1.0", "Huge", list);
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    const auto wire = written(t, order);
    ASSERT_GT(wire.size(), 64u << 10);
    EXPECT_EQ(CORBA::is_nil(TypeCode_var(testing::read(wire, order))), true);  // beyond the budget of that
    cdr::Budget budget{16u << 20, 64};
    cdr::Decoder d(wire, order, budget);
    const TypeCode_var back = get_type_code(d);
    ASSERT_EQ(d.fault(), Fault::None);
    EXPECT_TRUE(back->equal(t));
    Any a;
    CORBA::ULong last = 39999;
    insert(a, t, &last);
    Any received;
    ASSERT_EQ(receive(bytes_of(a, order), received, 16u << 20, 64, order), Fault::None);
    CORBA::ULong value = 0;
    EXPECT_TRUE(extract_value(received, t, value));
    EXPECT_EQ(value, last);
  }
}

TEST(ReceivedTypeCode, SeveralThreadsReceive) {
  std::vector<std::vector<Byte>> messages;
  for (int i = 0; i < 300; ++i) messages.push_back(bytes_of(zeros(TypeCode_var(numbered(2000 + i)))));
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([&, n] {
      for (std::size_t i = 0; i < 600; ++i) {
        const auto& m = messages[i % 3 == 0 ? 0 : (i * 7 + static_cast<std::size_t>(n)) % messages.size()];
        Any a;
        if (receive(m, a) == Fault::None && bytes_of(a) == m) ++good;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(good.load(), 2400);
}

// The constant of the program and what came are compared once.
TEST(ReceivedTypeCode, RemembersTheConstantThatItIsEquivalentTo) {
  CORBA::StringSeq seq;
  seq.length(1);
  seq[0] = static_cast<const char*>("x");
  Any a;
  a <<= seq;
  Any received;
  ASSERT_EQ(receive(bytes_of(a), received), Fault::None);
  const CORBA::StringSeq* out = nullptr;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(received >>= out);
    EXPECT_STREQ((*out)[0], "x");
    EXPECT_EQ(type_inside(received)->callis_cache().load()->equivalent.load(), CORBA::_tc_StringSeq);
    const CORBA::LongSeq* longs = nullptr;
    EXPECT_FALSE(received >>= longs);
  }
}

}  // namespace
}  // namespace callis::typecode::testing
