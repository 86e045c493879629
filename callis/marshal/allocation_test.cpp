// SPDX-License-Identifier: Apache-2.0
// Plans are built on a first call, perhaps when memory is short: a program of its own, whose operator new
// fails when told to.
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <new>

namespace {
long g_allocations_left = -1;  // -1: any number
}

// Not inlined: GCC would see free() meet memory from new.
[[gnu::noinline]] void* operator new(std::size_t n) {
  if (g_allocations_left == 0) throw std::bad_alloc();
  if (g_allocations_left > 0) --g_allocations_left;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace callis::marshal {
namespace {

// void call(in sequence<struct { string; long }> a)
constexpr Word kWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::String), type_word(Kind::Long),
                           type_word(Kind::Sequence), 0, type_word(Kind::Ref, 1),
                           op_word(0, 1), 0, 4, type_word(Kind::Void), type_word(Kind::Ref, 4)};
// The same of union switch (long) { case 1: wstring s; case 2: sequence<the union> more; default: fixed<3, 1> f; }
constexpr Word kUnionWords[] = {0, type_word(Kind::Union, 3), type_word(Kind::Long), 2, 2, type_word(Kind::WString),
                                type_word(Kind::Ref, 14), type_word(Kind::Fixed, 3 | 1 << 8), 1, 0, 0, 2, 0, 1,
                                type_word(Kind::Sequence), 0, type_word(Kind::Ref, 1)};
constexpr Word kOp = 7, kSequence = type_word(Kind::Ref, 4);

TEST(OperationPlansWithoutMemory, AreNullAtEveryAllocationAndBuiltOnceThereIsMemory) {
  static PlanCell cell;
  const Unit unit{kWords, "call", nullptr, &cell};
  const OperationPlans* plans = nullptr;
  long allocations = 0;
  for (; !plans; ++allocations) {
    g_allocations_left = allocations;
    plans = operation_plans(unit, kOp);
    g_allocations_left = -1;
    ASSERT_LT(allocations, 1000);
  }
  EXPECT_GT(allocations, 5);
  EXPECT_EQ(operation_plans(unit, kOp), plans);
  EXPECT_STREQ(plans->name, "call");
}

class PlanWithoutMemory : public ::testing::TestWithParam<bool> {};

TEST_P(PlanWithoutMemory, IsNullAtEveryAllocation) {
  const Unit unit{GetParam() ? kUnionWords : kWords, "call", nullptr, nullptr, &kExtension};
  const Word type = GetParam() ? type_word(Kind::Ref, 1) : kSequence;
  std::shared_ptr<const Plan> plan;
  long allocations = 0;
  for (; !plan; ++allocations) {
    g_allocations_left = allocations;
    plan = make_plan(unit, type);
    g_allocations_left = -1;
    ASSERT_LT(allocations, 1000);
  }
  EXPECT_EQ(native_size(*plan), GetParam() ? 32u : sizeof(SequenceHeader));
}
INSTANTIATE_TEST_SUITE_P(, PlanWithoutMemory, ::testing::Values(false, true),
                         [](const auto& about) { return about.param ? "Union" : "Sequence"; });

}  // namespace
}  // namespace callis::marshal
