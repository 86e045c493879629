// SPDX-License-Identifier: Apache-2.0
// The mappings from CORBA priorities to code points, over all priorities.
#include <callis/rt/priorities/network_mappings.h>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>
#include <vector>

namespace callis::rt {
namespace {

using RTCORBA::NetworkPriority;
using RTCORBA::Priority;

constexpr NativeRange kNatives{1, 99};
constexpr int kPriorities = 32768;

struct Mapped {
  explicit Mapped(NetworkMappingKind kind, MappingKind native = MappingKind::Continuous, NativeRange range = kNatives)
      : mapper(make_mapping(native, range)), network(make_network_mapping(kind, mapper, range)) {}
  int of(int priority) {
    NetworkPriority n = -1;
    return network->to_network(static_cast<Priority>(priority), n) ? n : -1;
  }
  int back(int code_point) {
    Priority p = -1;
    return network->to_CORBA(code_point, p) ? p : -1;
  }

  PriorityMapper mapper;
  std::unique_ptr<RTCORBA::NetworkPriorityMapping> network;
};

TEST(NetworkMappings, classes_rise_with_the_native_priority_in_equal_shares) {
  Mapped m(NetworkMappingKind::Classes);
  const std::vector<int> classes{0, 16, 24, 32, 40, 46};
  std::map<int, int> counts;
  int last = 0;
  for (int p = 0; p <= 98; ++p) {
    const int now = m.of(p);
    EXPECT_GE(now, last) << p;
    last = now;
    ++counts[now];
  }
  ASSERT_EQ(counts.size(), classes.size());
  for (const int c : classes) EXPECT_NEAR(counts[c], 99 / 6., 1) << c;
  EXPECT_EQ(m.of(0), 0);
  EXPECT_EQ(m.of(98), 46);
  EXPECT_EQ(m.of(99), -1) << "a priority without a native one";
  EXPECT_EQ(m.of(-1), -1);
}

TEST(NetworkMappings, classes_go_by_the_priority_mapping_of_the_orb) {
  Mapped m(NetworkMappingKind::Classes, MappingKind::Linear);
  EXPECT_EQ(m.of(0), 0);
  EXPECT_EQ(m.of(16384), 24) << "native 50: the 50th of 99";
  EXPECT_EQ(m.of(16784), 32) << "native 51";
  EXPECT_EQ(m.of(32767), 46);
  for (int p = 1; p < kPriorities; ++p) ASSERT_GE(m.of(p), m.of(p - 1)) << p;
}

TEST(NetworkMappings, classes_of_few_native_priorities_are_some_of_them) {
  Mapped one(NetworkMappingKind::Classes, MappingKind::Continuous, {5, 5});
  EXPECT_EQ(one.of(0), 0);
  EXPECT_EQ(one.of(1), -1);
  Mapped three(NetworkMappingKind::Classes, MappingKind::Continuous, {1, 3});
  EXPECT_EQ((std::vector<int>{three.of(0), three.of(1), three.of(2)}), (std::vector<int>{0, 24, 40}));
}

TEST(NetworkMappings, linear_is_taos) {
  Mapped m(NetworkMappingKind::Linear);
  const std::vector<int> all{0,  8,  16, 24, 32, 40, 48, 56, 10, 12, 14, 18, 20, 22, 26, 28, 30, 34, 36, 38, 46};
  for (int p = 0; p < kPriorities; ++p) {
    const auto slot = static_cast<std::size_t>(p / 32767. * 21);
    ASSERT_EQ(m.of(p), all[std::min<std::size_t>(slot, 20)]) << p;
  }
  EXPECT_EQ(m.of(-1), -1);
}

TEST(NetworkMappings, back_is_the_least_priority_of_the_code_point) {
  for (const auto kind : {NetworkMappingKind::Classes, NetworkMappingKind::Linear}) {
    for (const auto native : {MappingKind::Continuous, MappingKind::Direct, MappingKind::Linear}) {
      Mapped m(kind, native);
      std::map<int, int> least;
      for (int p = 0; p < kPriorities; ++p)
        if (m.of(p) >= 0) least.emplace(m.of(p), p);
      for (int c = -1; c <= 64; ++c) EXPECT_EQ(m.back(c), least.contains(c) ? least[c] : -1) << c;
    }
  }
}

TEST(NetworkPriorityMapper, takes_code_points_alone) {
  struct Raw final : RTCORBA::NetworkPriorityMapping {
    CORBA::Boolean to_network(Priority p, NetworkPriority& network) override {
      if (p == 7) throw std::runtime_error("no");
      network = p - 1;
      return p != 5;
    }
    CORBA::Boolean to_CORBA(NetworkPriority, Priority&) override { return false; }
  };
  const NetworkPriorityMapper mapper(std::make_unique<Raw>());
  EXPECT_EQ(mapper.code_point(0), std::nullopt) << "-1";
  EXPECT_EQ(mapper.code_point(1), CodePoint{0});
  EXPECT_EQ(mapper.code_point(5), std::nullopt) << "false";
  EXPECT_EQ(mapper.code_point(7), std::nullopt) << "an exception";
  EXPECT_EQ(mapper.code_point(64), CodePoint{63});
  EXPECT_EQ(mapper.code_point(65), std::nullopt) << "64";
}

}  // namespace
}  // namespace callis::rt
