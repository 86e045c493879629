// SPDX-License-Identifier: Apache-2.0
// The mappings between CORBA and native priorities, over all priorities.
#include <callis/rt/priorities/mappings.h>
#include <gtest/gtest.h>
#include <vector>

namespace callis::rt {
namespace {

using RTCORBA::NativePriority;
using RTCORBA::Priority;

constexpr NativeRange kLinux{1, 99};
constexpr int kAll = 32768;

std::vector<NativeRange> ranges() { return {kLinux, {0, 0}, {5, 5}, {0, 31}, {1, 32}, {0, 255}, {10, 32767}}; }

TEST(Mappings, the_range_is_that_of_sched_fifo) {
  const NativeRange r = NativeRange::of_fifo();
  EXPECT_LE(r.most - r.least + 1, kAll);
  EXPECT_GE(r.most - r.least + 1, 32) << "POSIX";
}

TEST(Mappings, continuous_counts_from_the_least_native_priority) {
  for (const NativeRange r : ranges()) {
    const auto m = make_mapping(MappingKind::Continuous, r);
    for (int p = -kAll; p < kAll; ++p) {
      NativePriority native = -1;
      const bool there = p >= 0 && r.least + p <= r.most;
      ASSERT_EQ(m->to_native(static_cast<Priority>(p), native), there) << p;
      ASSERT_EQ(native, there ? r.least + p : -1) << p;
    }
    for (int n = -kAll; n < kAll; ++n) {
      Priority p = -1;
      const bool there = n >= r.least && n <= r.most;
      ASSERT_EQ(m->to_CORBA(static_cast<NativePriority>(n), p), there) << n;
      ASSERT_EQ(p, there ? n - r.least : -1) << n;
    }
  }
}

TEST(Mappings, direct_keeps_the_number) {
  for (const NativeRange r : ranges()) {
    const auto m = make_mapping(MappingKind::Direct, r);
    for (int p = -kAll; p < kAll; ++p) {
      NativePriority native = -1;
      Priority back = -1;
      const bool there = p >= r.least && p <= r.most;
      ASSERT_EQ(m->to_native(static_cast<Priority>(p), native), there) << p;
      ASSERT_EQ(native, there ? p : -1) << p;
      ASSERT_EQ(m->to_CORBA(static_cast<NativePriority>(p), back), there) << p;
      ASSERT_EQ(back, there ? p : -1) << p;
    }
  }
}

TEST(Mappings, linear_maps_all_priorities_in_order_onto_all_native_ones) {
  for (const NativeRange r : ranges()) {
    const auto m = make_mapping(MappingKind::Linear, r);
    int before = r.least;
    std::vector<int> count(static_cast<std::size_t>(r.most - r.least + 1));
    for (int p = 0; p < kAll; ++p) {
      NativePriority native = -1;
      ASSERT_TRUE(m->to_native(static_cast<Priority>(p), native)) << p;
      ASSERT_GE(native, before) << p;
      ASSERT_LE(native, r.most) << p;
      before = native;
      ++count[static_cast<std::size_t>(native - r.least)];
    }
    const auto [few, many] = std::minmax_element(count.begin(), count.end());
    EXPECT_GE(*few, 1);
    EXPECT_LE(*many - *few, 1) << "evenly";
    NativePriority native = 7;
    EXPECT_FALSE(m->to_native(-1, native));
    EXPECT_EQ(native, 7);
  }
}

TEST(Mappings, linear_there_and_back_is_the_same_native_priority_and_the_least_of_its_corba_ones) {
  for (const NativeRange r : ranges()) {
    const auto m = make_mapping(MappingKind::Linear, r);
    for (int n = r.least; n <= r.most; ++n) {
      Priority p = -1;
      NativePriority back = -1, below = -1;
      ASSERT_TRUE(m->to_CORBA(static_cast<NativePriority>(n), p)) << n;
      ASSERT_TRUE(m->to_native(p, back));
      ASSERT_EQ(back, n);
      if (p > 0) {
        ASSERT_TRUE(m->to_native(static_cast<Priority>(p - 1), below));
        ASSERT_LT(below, n);
      }
    }
    Priority p = -1;
    EXPECT_FALSE(m->to_CORBA(static_cast<NativePriority>(r.least - 1), p));
    EXPECT_FALSE(r.most < kAll - 1 && m->to_CORBA(static_cast<NativePriority>(r.most + 1), p));
  }
}

}  // namespace
}  // namespace callis::rt
