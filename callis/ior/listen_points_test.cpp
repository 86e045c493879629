// SPDX-License-Identifier: Apache-2.0
// The data of BI_DIR_IIOP, byte for byte, and what hostile peers send instead (CORBA 3.3 part 2, 9.8.1).
#include <callis/ior/listen_points.h>
#include <gtest/gtest.h>

namespace callis::ior {
namespace {

const std::vector<Address> kPoints{{"10.1.2.3", 4711}, {"ab", 0x0102}};
const Bytes kBig{0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 9, '1', '0', '.', '1', '.', '2', '.', '3', 0, 0, 0x12, 0x67,
                 0, 0, 0, 3, 'a', 'b', 0, 0, 1, 2};
const Bytes kLittle{1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, '1', '0', '.', '1', '.', '2', '.', '3', 0, 0, 0x67, 0x12,
                    3, 0, 0, 0, 'a', 'b', 0, 0, 2, 1};

Fault fault_of(const Bytes& data, const Limits& limits = {}) { return parse_listen_points(data, limits).fault(); }

TEST(ListenPoints, are_an_encapsulated_sequence_of_hosts_and_ports_9_8_1) {
  EXPECT_EQ(listen_points_context(kPoints, ByteOrder::Big), kBig);
  EXPECT_EQ(listen_points_context(kPoints, ByteOrder::Little), kLittle);
  for (const Bytes& data : {kBig, kLittle}) {
    const auto points = parse_listen_points(data);
    ASSERT_TRUE(points.ok());
    EXPECT_EQ(points.value(), kPoints);
  }
}

TEST(ListenPoints, may_be_none) {
  const auto points = parse_listen_points(Bytes{0, 0, 0, 0, 0, 0, 0, 0});
  ASSERT_TRUE(points.ok());
  EXPECT_TRUE(points->empty());
}

TEST(ListenPoints, without_host_or_port_are_left_out) {
  const auto points = parse_listen_points(listen_points_context(std::vector<Address>{{"", 1}, {"a", 0}, {"b", 2}}));
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(points.value(), (std::vector<Address>{{"b", 2}}));
}

TEST(ListenPoints, that_end_too_early_are_a_fault_at_every_byte) {
  for (std::size_t n = 0; n < kBig.size(); ++n)
    EXPECT_NE(fault_of(Bytes(kBig.begin(), kBig.begin() + static_cast<std::ptrdiff_t>(n))), Fault::None) << n;
}

TEST(ListenPoints, cannot_be_more_than_there_are_bytes_for_nor_than_the_limit) {
  EXPECT_EQ(fault_of({0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}), Fault::BadCount);
  Limits limits;
  limits.max_profiles = 2;
  EXPECT_EQ(fault_of(kBig, limits), Fault::None);
  limits.max_profiles = 1;
  EXPECT_EQ(fault_of(kBig, limits), Fault::LimitExceeded);
}

TEST(ListenPoints, with_a_host_no_resolver_should_see_are_refused) {
  for (const char* host : {"a b", "a\nb", "\x7f"})
    EXPECT_EQ(fault_of(listen_points_context(std::vector<Address>{{host, 1}})), Fault::BadReference) << host;
}

}  // namespace
}  // namespace callis::ior
