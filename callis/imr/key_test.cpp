// SPDX-License-Identifier: Apache-2.0
#include <callis/imr/key.h>
#include <gtest/gtest.h>
#include <string>

namespace callis::imr {
namespace {

TEST(LeadingKey, has_the_name_and_the_key_in_the_server) {
  const std::vector<Byte> inner{1, 2, 0, 3};
  const std::vector<Byte> key = make_key("plant.tanks-1", inner);
  EXPECT_EQ(key.size(), 4 + 1 + 13 + inner.size());
  const auto parsed = parse_key(key);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->server, "plant.tanks-1");
  EXPECT_EQ(std::vector<Byte>(parsed->object_key.begin(), parsed->object_key.end()), inner);
}

TEST(LeadingKey, may_have_an_empty_key_inside) {
  const auto key = make_key("a", {});
  const auto parsed = parse_key(key);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->object_key.empty());
}

TEST(LeadingKey, every_shorter_one_is_none_or_has_less_inside) {
  const std::vector<Byte> key = make_key("server", std::vector<Byte>{9, 9});
  for (std::size_t n = 0; n < key.size(); ++n)
    EXPECT_EQ(parse_key(ByteView(key).first(n)).has_value(), n >= 4 + 1 + 6) << n;
}

TEST(LeadingKey, hostile_names_are_none) {
  for (const std::string& name :
       {std::string(), std::string("../x"), std::string("a/b"), std::string("a\0b", 3), std::string("-rf"),
        std::string(101, 'a'), std::string("\xff"), std::string("a b")}) {
    EXPECT_FALSE(is_server_name(name)) << name;
    EXPECT_FALSE(parse_key(make_key(name, std::vector<Byte>{1}))) << name;
  }
  EXPECT_TRUE(is_server_name(std::string(100, 'a')));
}

TEST(LeadingKey, keys_of_adapters_are_none) {
  const std::vector<Byte> persistent{0xca, 0x11, 0x15, 'P', 1, 'a', 0, 0};
  EXPECT_FALSE(parse_key(persistent));
}

}  // namespace
}  // namespace callis::imr
