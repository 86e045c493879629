// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/lanes/lane_addresses.h>
#include <callis/rt/priorities/priority_context.h>
#include <gtest/gtest.h>

namespace callis::rt {
namespace {

ior::Bytes bytes(std::initializer_list<int> list) {
  ior::Bytes b;
  for (const int i : list) b.push_back(static_cast<Byte>(i));
  return b;
}

const LaneAddress kTwo[] = {{5, {"h", 258}}, {10, {"h2", 3}}};

TEST(LaneAddresses, StandInAnEncapsulationOfEitherByteOrder) {
  const ior::Bytes big = bytes({0, 0, 0, 0, 0, 0, 0, 2, 0, 5, 0, 0, 0, 0, 0, 2, 'h', 0, 1, 2,
                                0, 10, 0, 0, 0, 0, 0, 3, 'h', '2', 0, 0, 0, 3});
  const ior::Bytes little = bytes({1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 'h', 0, 2, 1,
                                   10, 0, 0, 0, 3, 0, 0, 0, 'h', '2', 0, 0, 3, 0});
  EXPECT_EQ(lanes_component(kTwo, ByteOrder::Big).data, big);
  EXPECT_EQ(lanes_component(kTwo, ByteOrder::Little).data, little);
  const std::vector<LaneAddress> two(std::begin(kTwo), std::end(kTwo));
  EXPECT_EQ(parse_lanes(big), two);
  EXPECT_EQ(parse_lanes(little), two);
}

TEST(LaneAddresses, ThatAreCutOffAnywhereAreNone) {
  const ior::Bytes whole = lanes_component(kTwo).data;
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(parse_lanes(ByteView(whole.data(), n))) << n;
}

TEST(LaneAddresses, OfAnImpossibleLaneAreNone) {
  const auto parses = [](const LaneAddress& l) { return parse_lanes(lanes_component({&l, 1}).data).has_value(); };
  EXPECT_TRUE(parses({0, {"h", 1}}));
  EXPECT_FALSE(parses({-1, {"h", 1}}));
  EXPECT_FALSE(parses({1, {"h", 0}}));
  EXPECT_FALSE(parses({1, {"", 1}}));
  EXPECT_FALSE(parses({1, {"h h", 1}}));
  EXPECT_FALSE(parses({1, {"h\n", 1}}));
  EXPECT_FALSE(parses({1, {std::string(300, 'h'), 1}}));
}

TEST(LaneAddresses, BeyondTheMostLanesAreNone) {
  std::vector<LaneAddress> many(kMostLanes, {1, {"h", 1}});
  EXPECT_TRUE(parse_lanes(lanes_component(many).data));
  many.push_back(many[0]);
  EXPECT_FALSE(parse_lanes(lanes_component(many).data));
  EXPECT_FALSE(parse_lanes(bytes({1, 0, 0, 0, 255, 255, 255, 255})));
}

TEST(LaneAddresses, OfARequestAreThoseOfTheNearestLaneNotAboveIt) {
  const std::int16_t lanes[] = {10, 20, 30};
  EXPECT_EQ(lane_for(lanes, 20), 1u);
  EXPECT_EQ(lane_for(lanes, 29), 1u);
  EXPECT_EQ(lane_for(lanes, 30), 2u);
  EXPECT_EQ(lane_for(lanes, 32767), 2u);
  EXPECT_EQ(lane_for(lanes, 10), 0u);
  EXPECT_EQ(lane_for(lanes, 9), 0u);  // the lowest there is
}

TEST(PriorityContext, IsAnEncapsulationOfAShort) {
  const PriorityContext big = priority_context(0x1234, ByteOrder::Big);
  EXPECT_EQ(ior::Bytes(big.begin(), big.end()), bytes({0, 0, 0x12, 0x34}));
  const PriorityContext little = priority_context(0x1234, ByteOrder::Little);
  EXPECT_EQ(ior::Bytes(little.begin(), little.end()), bytes({1, 0, 0x34, 0x12}));
  EXPECT_EQ(parse_priority_context(big), 0x1234);
  EXPECT_EQ(parse_priority_context(little), 0x1234);
  EXPECT_EQ(parse_priority_context(bytes({0, 0, 0xff, 0xff})), -1);
  EXPECT_EQ(parse_priority_context(bytes({1, 0, 7, 0, 9, 9})), 7);
  EXPECT_FALSE(parse_priority_context({}));
  EXPECT_FALSE(parse_priority_context(bytes({0, 0, 1})));
  EXPECT_FALSE(parse_priority_context(bytes({2, 0, 0, 1})));
}

}  // namespace
}  // namespace callis::rt
