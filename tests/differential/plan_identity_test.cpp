// SPDX-License-Identifier: Apache-2.0
// A plan is the same, byte for byte, whether it is made from what callis-idl wrote for a type or from the type's
// TypeCode: for every type of the corpus. The engine builds the same plans as callis-idl has printed.
#include "coders.h"
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/made_plans.h>
#include <callis/marshal/testing/type_codes.h>
#include <callis/marshal/type_description.h>
#include <algorithm>
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

// Operations of one file share their tables, in the order of the file.
TEST(PrintedPlans, AreThoseThatTheEngineBuilds) {
  if (CALLIS_PLANS == 0) GTEST_SKIP() << "nothing is printed for this machine";
  Unit unit = differential::Operation(0).unit();
  const std::vector<Word> operations = differential::Operation::all_of_file();
  Abi abi = kOwnAbi;
  abi.vectors = CALLIS_PLANS == 64;  // sanitizers have none
  unit.abi = &abi;
  const auto made = make_operation_plans(unit, operations, Side::Server);
  ASSERT_EQ(made->operations.size(), operations.size());
  for (const OperationPlans& built : made->operations) {
    const OperationPlans* const printed = known_operation_plans(unit, built.op);
    ASSERT_TRUE(printed) << "the first call would build plans";
    EXPECT_STREQ(printed->name, built.name);
    EXPECT_EQ(printed->name_length, built.name_length);
    EXPECT_EQ(printed->server_frame_bytes, built.server_frame_bytes);
    EXPECT_EQ(printed->server_frame_alignment, built.server_frame_alignment);
    EXPECT_EQ(printed->server_frame_owns, built.server_frame_owns);
    EXPECT_EQ(printed->server_is_flat, built.server_is_flat);
    EXPECT_EQ(printed->flat_request_bytes, built.flat_request_bytes);
    EXPECT_EQ(printed->flat_reply_bytes, built.flat_reply_bytes);
    ASSERT_EQ(printed->exception_count, built.exception_count);
    for (Word i = 0; i < built.exception_count; ++i) {
      EXPECT_EQ(printed->exceptions[i].link, built.exceptions[i].link);
      EXPECT_EQ(marshal::testing::difference(*printed->exceptions[i].body, *built.exceptions[i].body), "");
    }
    EXPECT_EQ(marshal::testing::difference(*printed->server_request, *built.server_request), "") << built.name;
    EXPECT_EQ(marshal::testing::difference(*printed->server_reply, *built.server_reply), "") << built.name;
    EXPECT_EQ(marshal::testing::difference(*printed->server_frame, *built.server_frame), "") << built.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, EveryType, ::testing::Range<std::size_t>(0, differential::Operation::count()),
                         [](const auto& about) { return differential::Operation(about.param).name(); });

}  // namespace
