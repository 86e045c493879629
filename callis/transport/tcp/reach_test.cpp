// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/tcp/reach.h>
#include <gtest/gtest.h>

namespace callis::transport {
namespace {

TEST(Reach, is_known_of_every_address) {
  const std::pair<const char*, Reach> rows[] = {
      {"127.0.0.1", Reach::Machine},
      {"127.255.255.254", Reach::Machine},
      {"127.0.1.1", Reach::Anywhere},
      {"126.255.255.255", Reach::Anywhere},
      {"128.0.0.0", Reach::Anywhere},
      {"0.0.0.0", Reach::Machine},
      {"0.1.2.3", Reach::Machine},
      {"169.254.169.254", Reach::Link},
      {"169.253.0.1", Reach::Anywhere},
      {"169.255.0.1", Reach::Anywhere},
      {"10.1.2.3", Reach::Anywhere},
      {"192.0.2.1", Reach::Anywhere},
      {"::1", Reach::Machine},
      {"::", Reach::Machine},
      {"::127.0.0.1", Reach::Machine},
      {"::ffff:127.0.0.1", Reach::Machine},
      {"0:0:0:0:0:FFFF:7f00:2", Reach::Machine},
      {"::ffff:0.0.0.0", Reach::Machine},
      {"::ffff:169.254.1.1", Reach::Link},
      {"::ffff:10.1.2.3", Reach::Anywhere},
      {"fe80::1", Reach::Link},
      {"febf::1", Reach::Link},
      {"fec0::1", Reach::Anywhere},
      {"2001:db8::1", Reach::Anywhere},
      {"a.name", Reach::Anywhere},
      {"localhost", Reach::Anywhere},
      {"", Reach::Anywhere},
  };
  for (const auto& [host, reach] : rows) EXPECT_EQ(reach_of(host), reach) << host;
}

TEST(Network, holds_the_addresses_that_begin_alike) {
  EXPECT_TRUE(in_network("10.1.2.3", "10.0.0.0/8"));
  EXPECT_FALSE(in_network("11.1.2.3", "10.0.0.0/8"));
  EXPECT_TRUE(in_network("10.1.2.3", "10.1.2.0/23"));
  EXPECT_FALSE(in_network("10.1.4.3", "10.1.2.0/23"));
  EXPECT_TRUE(in_network("::ffff:10.1.2.3", "10.0.0.0/8"));
  EXPECT_TRUE(in_network("10.1.2.3", "10.1.2.3"));
  EXPECT_FALSE(in_network("10.1.2.4", "10.1.2.3"));
  EXPECT_TRUE(in_network("10.1.2.4", "0.0.0.0/0"));
  EXPECT_FALSE(in_network("2001:db8::1", "0.0.0.0/0"));
  EXPECT_TRUE(in_network("2001:db8:1::1", "2001:db8::/32"));
  EXPECT_FALSE(in_network("2001:db9::1", "2001:db8::/32"));
  EXPECT_TRUE(in_network("2001:DB8:0::1", "2001:db8::1"));
  EXPECT_TRUE(in_network("10.1.2.4", "::/0"));
  EXPECT_FALSE(in_network("a.name", "::/0"));
}

TEST(Network, is_an_address_with_a_length_or_without) {
  for (const char* good : {"10.0.0.0/8", "10.1.2.3", "10.1.2.3/32", "::/0", "2001:db8::/128", "::1"})
    EXPECT_TRUE(is_network(good)) << good;
  for (const char* bad : {"", "/8", "10.0.0/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "a.name",
                          "a.name/8", "10.0.0.0/8/8"})
    EXPECT_FALSE(is_network(bad)) << bad;
}

}  // namespace
}  // namespace callis::transport
