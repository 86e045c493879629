// SPDX-License-Identifier: Apache-2.0
// Messaging::PolicyValueSeq on the wire (CORBA 3.0.3, 22.3), byte by byte.
#include <callis/ior/policy_values.h>
#include <gtest/gtest.h>
#include <vector>

namespace callis::ior {
namespace {

using Octets = std::vector<Byte>;

constexpr std::uint32_t kRequestPriority = 25, kRequestEnd = 28, kReplyEnd = 30, kQueueOrder = 35;

Octets copied(ByteView v) { return {v.begin(), v.end()}; }

// RequestEndTime, 0x0102030405060708 units after 1582; RequestPriority -1 to 10; QueueOrder 3.
Octets big_endian() {
  return {0, 0, 0, 0, 0, 0, 0, 3,                                  // byte order, count
          0, 0, 0, 28, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0,        // type, length, byte order of the value
          1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0,          // time, inaccuracy, zone
          0, 0, 0, 25, 0, 0, 0, 6, 0, 0, 0xff, 0xff, 0, 10,        // min, max
          0, 0, 0, 0, 0, 35, 0, 0, 0, 4, 0, 0, 0, 3};              // aligned to 4
}
Octets little_endian() {
  return {1, 0, 0, 0, 3, 0, 0, 0,
          28, 0, 0, 0, 24, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
          8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
          25, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0xff, 0xff, 10, 0,
          0, 0, 35, 0, 0, 0, 4, 0, 0, 0, 1, 0, 3, 0};
}

void add_all(PolicyValues& to) {
  to.add(kRequestEnd, Moment(0x0102030405060708));
  to.add(kRequestPriority, ShortRange{-1, 10});
  to.add(kQueueOrder, std::uint16_t(3));
}

TEST(PolicyValues, AreWrittenInBothOrders) {
  PolicyValues big(ByteOrder::Big), little(ByteOrder::Little);
  add_all(big);
  add_all(little);
  EXPECT_EQ(copied(big.bytes()), big_endian());
  EXPECT_EQ(copied(little.bytes()), little_endian());
}

TEST(PolicyValues, AreReadInBothOrders) {
  for (const Octets& all : {big_endian(), little_endian()}) {
    const auto end = find_policy_value(all, kRequestEnd), priority = find_policy_value(all, kRequestPriority),
               order = find_policy_value(all, kQueueOrder);
    ASSERT_TRUE(end && priority && order);
    EXPECT_EQ(read_moment(end.value()), 0x0102030405060708);
    EXPECT_EQ(read_short_range(priority.value()), (ShortRange{-1, 10}));
    EXPECT_EQ(read_ushort(order.value()), 3);
  }
}

TEST(PolicyValues, ValuesHaveAByteOrderOfTheirOwn) {
  Octets all = little_endian();
  all[16] = 0;  // the moment's
  EXPECT_EQ(read_moment(find_policy_value(all, kRequestEnd).value()), 0x0807060504030201);
}

TEST(PolicyValues, ThatAreNotThereAreEmpty) {
  const Octets all = little_endian();
  const auto found = find_policy_value(all, kReplyEnd);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
  const Octets none = {1, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(find_policy_value(none, kRequestEnd));
}

TEST(PolicyValues, OfOneTypeTheFirstCounts) {
  PolicyValues twice;
  twice.add(kQueueOrder, std::uint16_t(1));
  twice.add(kQueueOrder, std::uint16_t(2));
  EXPECT_EQ(read_ushort(find_policy_value(twice.bytes(), kQueueOrder).value()), 1);
}

TEST(PolicyValues, CutAnywhereAreAFault) {
  const Octets all = little_endian();
  for (std::size_t n = 0; n < all.size(); ++n)
    EXPECT_FALSE(find_policy_value(ByteView(all).first(n), kRequestEnd)) << n;
  const ByteView moment = find_policy_value(all, kRequestEnd).value();
  for (std::size_t n = 0; n < moment.size(); ++n) EXPECT_FALSE(read_moment(moment.first(n))) << n;
}

TEST(PolicyValues, CountsAndLengthsBeyondTheBytesAreFaults) {
  Octets count = little_endian(), length = little_endian(), order = little_endian();
  count[7] = 0xff;
  length[15] = 0xff;
  order[16] = 7;
  EXPECT_FALSE(find_policy_value(count, kQueueOrder));
  EXPECT_FALSE(find_policy_value(length, kQueueOrder));
  const auto found = find_policy_value(order, kRequestEnd);
  ASSERT_TRUE(found);
  EXPECT_FALSE(read_moment(found.value())) << "no byte order";
}

TEST(PolicyValues, TheMostThereCanBeFit) {
  PolicyValues all;
  for (const std::uint32_t t : {28u, 30u}) all.add(t, Moment(t));
  for (const std::uint32_t t : {25u, 26u, 33u}) all.add(t, ShortRange{1, 2});
  all.add(35, std::uint16_t(15));
  EXPECT_LE(all.bytes().size(), PolicyValues::kMost);
  EXPECT_EQ(read_ushort(find_policy_value(all.bytes(), 35).value()), 15);
}

}  // namespace
}  // namespace callis::ior
