// SPDX-License-Identifier: Apache-2.0
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>

namespace callis::services {
namespace {

using namespace std::chrono_literals;

TEST(MemoryBound, GivesBytesBackWithTheThingThatHeldThem) {
  MemoryBound bound({1'000, 500});
  {
    const MemoryBound::Hold a = bound.take_for("a", 300);
    EXPECT_EQ(bound.held(), 300u);
    EXPECT_EQ(bound.clients(), 1u);
  }
  EXPECT_EQ(bound.held(), 0u);
  EXPECT_EQ(bound.clients(), 0u);
}

TEST(MemoryBound, RefusesAClientBeyondItsShareAndServesOthers) {
  MemoryBound bound({1'000, 500});
  const MemoryBound::Hold a = bound.take_for("a", 500);
  EXPECT_THROW(static_cast<void>(bound.take_for("a", 1)), CORBA::NO_RESOURCES);
  const MemoryBound::Hold b = bound.take_for("b", 500);
  EXPECT_THROW(static_cast<void>(bound.take_for("c", 1)), CORBA::NO_RESOURCES) << "the bound of all";
  EXPECT_EQ(bound.held(), 1'000u);
  EXPECT_EQ(bound.clients(), 2u);
}

TEST(MemoryBound, SaysWhichOptionRaisesTheBound) {
  MemoryBound bound({10u << 20, 5u << 20});
  try {
    static_cast<void>(bound.take_for("a", 6u << 20));
    FAIL();
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
    EXPECT_NE(std::string(e.what()).find("--max-memory-each"), std::string::npos) << e.what();
  }
}

TEST(MemoryBound, ResizesForTheSameClient) {
  MemoryBound bound({1'000, 500});
  MemoryBound::Hold a = bound.take_for("a", 100);
  a.resize(500);
  EXPECT_THROW(a.resize(501), CORBA::NO_RESOURCES);
  EXPECT_EQ(bound.held(), 500u);
  a.resize(10);
  EXPECT_EQ(bound.held(), 10u);
}

TEST(MemoryBound, MovesAHold) {
  MemoryBound bound({1'000, 500});
  MemoryBound::Hold a = bound.take_for("a", 100), b = bound.take_for("b", 200);
  a = std::move(b);
  EXPECT_EQ(bound.held(), 200u);
  const MemoryBound::Hold c = std::move(a);
  EXPECT_EQ(bound.held(), 200u);
}

// The bytes of a store are counted, whatever the bound is now. Others get nothing then.
TEST(MemoryBound, CountsWhatWasThereAndNeverRefusesIt) {
  MemoryBound bound({1'000, 500});
  const MemoryBound::Hold old = bound.adopt(5'000);
  EXPECT_THROW(static_cast<void>(bound.take_for("a", 1)), CORBA::NO_RESOURCES);
}

TEST(MemoryBound, HasADefaultOfTheMemoryThereIs) {
  const MemoryBound bound;
  EXPECT_GT(bound.limits().all, 0u);
  EXPECT_LE(bound.limits().each, MemoryBound::kEach);
  EXPECT_LE(bound.limits().each, bound.limits().all / 2);
}

TEST(OperationTime, RefusesFurtherStepsWhenItIsOver) {
  OperationTime time(0s);
  EXPECT_TRUE(time.over());
  EXPECT_EQ(time.left(), 0s);
  EXPECT_THROW(for (std::uint32_t i = 0; i < OperationTime::kSteps; ++i) time.step(), CORBA::NO_RESOURCES);
  OperationTime long_enough(1h);
  for (std::uint32_t i = 0; i < 10 * OperationTime::kSteps; ++i) long_enough.step();
  EXPECT_GT(long_enough.left(), 59min);
}

}  // namespace
}  // namespace callis::services
