// SPDX-License-Identifier: Apache-2.0
// A plan is the same, byte for byte, whether it is made from what callis-idl wrote for a type or from the type's
// TypeCode: for every type of the corpus.
#include "coders.h"
#include <callis/marshal/testing/type_codes.h>
#include <callis/marshal/type_description.h>
#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using namespace callis;
using namespace callis::marshal;

const void* link_of(void* context, Kind, std::string_view id) {
  const Unit& unit = *static_cast<const Unit*>(context);
  return unit.links[std::atoi(std::string(id.substr(5)).c_str())];  // "IDL:I3:1.0"
}

class EveryType : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryType, HasThePlanOfItsTypeCode) {
  const differential::Operation operation(GetParam());
  Unit unit = operation.unit();
  marshal::testing::Random random(GetParam());
  for (int i = 0; i < 20; ++i) {
    Buffer b(64);
    cdr::Encoder e(b, static_cast<ByteOrder>(i & 1));
    marshal::testing::TypeCodeWriter(unit, e, random).write(operation.type());
    e.finish();
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(b.view(), static_cast<ByteOrder>(i & 1), budget);
    const auto type = read_type_code(d, link_of, &unit);
    ASSERT_TRUE(type) << fault_name(d.fault());
    EXPECT_EQ(d.remaining(), 0u);
    EXPECT_EQ(
        marshal::testing::difference(*make_plan(unit, operation.type()), *make_plan(type->unit(), type->type())), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, EveryType, ::testing::Range<std::size_t>(0, differential::Operation::count()),
                         [](const auto& about) { return differential::Operation(about.param).name(); });

}  // namespace
