// SPDX-License-Identifier: Apache-2.0
// The cost of a peer's TypeCode: reading it and planning it is charged to the budget of the message as the work is
// done.
#include <callis/base/testing/small_stack.h>
#include <callis/marshal/plan.h>
#include <callis/marshal/testing/costly_types.h>
#include <callis/marshal/type_description.h>
#include <callis/marshal/work.h>
#include <gtest/gtest.h>
#include <vector>

namespace callis::marshal {
namespace {

using testing::Family;

struct Cost {
  Fault fault;
  std::size_t wire_bytes, spent;
};

Cost cost_of(const Family& family, unsigned n, std::size_t budget_bytes) {
  const std::vector<Byte> bytes = testing::costly_type(family, n, kNativeOrder);
  cdr::Budget budget{budget_bytes, 64};
  cdr::Decoder d(bytes, kNativeOrder, budget);
  const auto t = read_type_code(d);
  Fault fault = d.fault();
  if (t) {
    Work work(budget);
    if (!make_plan(t->unit(), t->type(), &work)) fault = work.fault();
  }
  EXPECT_LE(budget.bytes_left, budget_bytes);
  return {fault, bytes.size(), budget_bytes - budget.bytes_left};
}

class TypeWork : public ::testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(, TypeWork, ::testing::ValuesIn(testing::costly_families()),
                         [](const auto& about) { return about.param.name; });

// Steps and bytes are one currency: what is spent is what is done.
TEST_P(TypeWork, GrowsAsTheTypeCodeDoes) {
  const Cost small = cost_of(GetParam(), 200, 1u << 30), large = cost_of(GetParam(), 1600, 1u << 30);
  ASSERT_EQ(small.fault, Fault::None) << fault_name(small.fault);
  if (large.fault == Fault::LimitExceeded) return;
  ASSERT_EQ(large.fault, Fault::None) << fault_name(large.fault);
  const double growth = static_cast<double>(large.spent) / static_cast<double>(small.spent);
  const double of_wire = static_cast<double>(large.wire_bytes) / static_cast<double>(small.wire_bytes);
  // Arrays grow by doubling; what is quadratic would be eight times as much.
  EXPECT_LE(growth, 2.2 * of_wire) << small.spent << " for " << small.wire_bytes << ", " << large.spent << " for "
                                   << large.wire_bytes;
}

// With every budget, the work ends at the budget, with the fault for this.
TEST_P(TypeWork, EndsWhereTheBudgetDoes) {
  const Cost whole = cost_of(GetParam(), 300, 1u << 30);
  ASSERT_EQ(whole.fault, Fault::None);
  for (const std::size_t part : {16u, 8u, 4u, 2u}) {
    const Cost c = cost_of(GetParam(), 300, whole.spent / part);
    EXPECT_EQ(c.fault, Fault::BudgetExceeded) << fault_name(c.fault) << " with a " << part << "th";
  }
  EXPECT_EQ(cost_of(GetParam(), 300, 4 * whole.spent).fault, Fault::None);
}

TEST(TypeWorkOf, AnOrdinaryStructIsSmallBesideTheBudgetOfAMessage) {
  const Family ordinary{"", [](testing::CostlyType& t, unsigned n) {
    t.structure(n, [&](unsigned i) {
      switch (i % 5) {
        case 0: return t.number();
        case 1: return t.octet();
        case 2: return t.string(0);
        case 3: return t.sequence([&] { t.number(); });
        default: return t.structure(2, [&](unsigned k) { k ? t.number() : t.string(0); });
      }
    });
  }};
  const Cost c = cost_of(ordinary, 15, 1u << 20);
  EXPECT_EQ(c.fault, Fault::None);
  EXPECT_LT(c.spent, 30'000u);
}

TEST(TypeWorkOf, APlanGivesBackWhatIsNotKept) {
  testing::CostlyType t(kNativeOrder);
  t.structure(20, [&](unsigned i) { i % 2 ? t.number() : t.octet(); });
  const std::vector<Byte> bytes = t.bytes();
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(bytes, kNativeOrder, budget);
  const auto type = read_type_code(d);
  ASSERT_TRUE(type);
  const std::size_t read = (1u << 20) - budget.bytes_left;
  EXPECT_GE(read, type->memory_bytes());
  EXPECT_LT(read, type->memory_bytes() + 6000);  // steps
  Work work(budget);
  const std::size_t before = budget.bytes_left;
  const auto plan = make_plan(type->unit(), type->type(), &work);
  ASSERT_TRUE(plan);
  EXPECT_GE(before - budget.bytes_left, memory_bytes(*plan));
  EXPECT_LT(before - budget.bytes_left, 3 * memory_bytes(*plan));
}

// T1 holds T2, ... the innermost sequences of each of them: a plan's blocks are made one after the other, not one
// within the other, which would go 1 + 2 + ... + 60 types deep.
TEST(PlanOfTypes, SequencesThatLeadBackToTypesAroundThemTakeNoStackForEachOther) {
  constexpr Word kDepth = 60;
  std::vector<Word> words = {0};
  const Word first = 1, innermost = first + 2 * (kDepth - 1), sequences = innermost + 1 + kDepth;
  for (Word i = 0; i + 1 < kDepth; ++i) {
    words.push_back(type_word(Kind::Struct, 1));
    words.push_back(type_word(Kind::Ref, first + 2 * (i + 1)));
  }
  words.push_back(type_word(Kind::Struct, kDepth));
  for (Word i = 0; i < kDepth; ++i) words.push_back(type_word(Kind::Ref, sequences + 3 * i));
  for (Word i = 0; i < kDepth; ++i) {
    words.push_back(type_word(Kind::Sequence));
    words.push_back(0);
    words.push_back(type_word(Kind::Ref, first + 2 * i));
  }
  const Unit unit = {words.data(), "", nullptr, nullptr, nullptr};
  const std::size_t used =
      callis::testing::stack_used([&] { EXPECT_NE(make_plan(unit, type_word(Kind::Ref, first)), nullptr); });
  EXPECT_LT(used, callis::testing::kMostUsed);
}

}  // namespace
}  // namespace callis::marshal
