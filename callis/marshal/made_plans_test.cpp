// SPDX-License-Identifier: Apache-2.0
// Plans of several operations that share tables, and tables for other machines.
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/made_plans.h>
#include <callis/marshal/testing/words.h>
#include <gtest/gtest.h>
#include <cstring>

namespace callis::marshal {
namespace {

using testing::in;
using testing::inout;
using testing::kString;
using testing::kVoid;
using testing::out;

// struct S { short s; long l; octet o; double d; }; exception E { string why; };
constexpr Word kS = type_word(Kind::Ref, 1);
const Word kWords[] = {
    0, type_word(Kind::Struct, 4), type_word(Kind::Short), type_word(Kind::Long), type_word(Kind::Octet),
    type_word(Kind::Double),
    // 6: sequence<S>   9: E
    type_word(Kind::Sequence), 0, kS, type_word(Kind::Exception, 1), 0, kString,
    // 12: S f(in S a, inout S b) raises (E)
    op_word(kRaises, 2), 0, 1, kS, in(kS), inout(kS), 1, type_word(Kind::Ref, 9),
    // 20: S g(in S a, inout S b) raises (E)
    op_word(kRaises, 2), 2, 1 | 1 << 16, kS, in(kS), inout(kS), 1, type_word(Kind::Ref, 9),
    // 28: sequence<S> h(in sequence<S> s)
    op_word(0, 1), 4, 1 | 2 << 16, type_word(Kind::Ref, 6), in(type_word(Kind::Ref, 6))};
const Unit kUnit{kWords, "f\0g\0h", nullptr, nullptr};

auto made(std::initializer_list<Word> operations, Side side, const Abi* abi = nullptr) {
  Unit unit = kUnit;
  unit.abi = abi;
  return make_operation_plans(unit, operations, side);
}

TEST(MadePlans, OfEqualOperationsAreTheirOwnAndShareTheirTables) {
  const auto one = made({12}, Side::Both), two = made({12, 20}, Side::Both);
  EXPECT_EQ(two->plans.size(), 11u) << "both raise the same exception";
  EXPECT_EQ(two->tables.size(), one->tables.size());
  EXPECT_EQ(two->operations[0].client_request->flat, two->operations[1].client_request->flat);
}

TEST(MadePlans, OfOneSideHaveNothingOfTheOther) {
  const auto client = made({12, 28}, Side::Client), server = made({12, 28}, Side::Server);
  for (const OperationPlans& op : {client->operations[0], client->operations[1]}) {
    EXPECT_TRUE(op.client_request && op.client_reply);
    EXPECT_FALSE(op.server_request || op.server_reply || op.server_frame);
  }
  for (const OperationPlans& op : {server->operations[0], server->operations[1]}) {
    EXPECT_FALSE(op.client_request || op.client_reply);
    EXPECT_TRUE(op.server_request && op.server_reply && op.server_frame);
  }
  EXPECT_TRUE(client->operations[1].server_frame_owns);
  EXPECT_EQ(client->operations[1].server_frame_bytes, server->operations[1].server_frame_bytes);
}

TEST(MadePlans, RunsHaveMovesForWhatTheyAreUsedForAlone) {
  const auto client = made({12}, Side::Client);
  const Part* const request = flat_part(*client->operations[0].client_request);
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->encode.made());
  EXPECT_FALSE(request->decode.made() || request->swapped.made());
}

// callis-idl prints what is built here, on a machine of the class.
TEST(MadePlans, OfAnAbiClassAreThoseThatItsMachinesBuild) {
  const Abi& own = CALLIS_PLANS == 64 ? kAbi64 : kAbi32;
  if (CALLIS_PLANS == 0) GTEST_SKIP() << "this machine is of no class";
  Abi same = own;
  same.vectors = abi_of(kUnit).vectors;  // sanitizers have none
  for (const Side side : {Side::Client, Side::Server}) {
    const auto a = made({12, 20, 28}, side), b = made({12, 20, 28}, side, &same);
    ASSERT_EQ(a->tables.size(), b->tables.size());
    EXPECT_EQ(std::memcmp(a->tables.data(), b->tables.data(), a->tables.size() * sizeof(Word)), 0);
  }
}

}  // namespace
}  // namespace callis::marshal
