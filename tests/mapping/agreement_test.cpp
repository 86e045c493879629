// SPDX-License-Identifier: Apache-2.0
// Interpreted, compiled and hybrid stubs put the same bytes on the wire, in both byte orders, and values survive.
#include "cases.h"
#include <gtest/gtest.h>

namespace {

using namespace loopback;

constexpr unsigned kSeeds = 60;
constexpr callis::ByteOrder kOrders[] = {callis::ByteOrder::Big, callis::ByteOrder::Little};

class EveryOperation : public testing::TestWithParam<std::size_t> {
 protected:
  const cases::Case& interpreted() const { return cases::interpreted().cases[GetParam()]; }
  const cases::Case& compiled() const { return cases::compiled().cases[GetParam()]; }
  const cases::Case& hybrid() const { return cases::hybrid().cases[GetParam()]; }
  Scope scope_;
};

TEST_P(EveryOperation, CarriesValuesThroughInterpretedStubs) {
  for (const auto order : kOrders) {
    settings().order = order;
    for (unsigned seed = 0; seed < kSeeds; ++seed) EXPECT_TRUE(interpreted().run(seed)) << "seed " << seed;
  }
}

TEST_P(EveryOperation, CarriesValuesThroughCompiledStubs) {
  for (const auto order : kOrders) {
    settings().order = order;
    for (unsigned seed = 0; seed < kSeeds; ++seed) EXPECT_TRUE(compiled().run(seed)) << "seed " << seed;
  }
}

TEST_P(EveryOperation, CarriesValuesThroughHybridStubs) {
  for (const auto order : kOrders) {
    settings().order = order;
    for (unsigned seed = 0; seed < kSeeds; ++seed) EXPECT_TRUE(hybrid().run(seed)) << "seed " << seed;
  }
}

TEST_P(EveryOperation, HasTheSameBytesInAllStyles) {
  for (const auto order : kOrders) {
    settings().order = order;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      ASSERT_TRUE(interpreted().run(seed));
      Call first = last_call();
      ASSERT_TRUE(compiled().run(seed));
      EXPECT_EQ(first.request, last_call().request) << "seed " << seed;
      EXPECT_EQ(first.reply, last_call().reply) << "seed " << seed;
      ASSERT_TRUE(hybrid().run(seed));
      EXPECT_EQ(first.request, last_call().request) << "seed " << seed;
      EXPECT_EQ(first.reply, last_call().reply) << "seed " << seed;
    }
  }
}

std::vector<std::size_t> indices() {
  std::vector<std::size_t> all(cases::interpreted().cases.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Corpus, EveryOperation, testing::ValuesIn(indices()), [](const auto& about) {
  return std::string(cases::interpreted().cases[about.param].operation);
});

}  // namespace
