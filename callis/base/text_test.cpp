// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <gtest/gtest.h>

namespace callis {
namespace {

TEST(Concat, PutsPartsAndNumbersTogether) {
  EXPECT_EQ(concat({}), "");
  EXPECT_EQ(concat({"a", std::string_view("\0b", 2), "", std::string("c")}), std::string("a\0bc", 4));
  EXPECT_EQ(concat({"port ", Decimal(0), "/", Decimal(65535)}), "port 0/65535");
  EXPECT_EQ(std::string_view(Decimal(~std::uint64_t{0})), "18446744073709551615");
}

TEST(ParseDecimal, TakesNothingButDigitsUpToTheMaximum) {
  std::uint64_t n = 7;
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "0x1", "65536", "99999999999999999999999999"})
    EXPECT_FALSE(parse_decimal(bad, 65535, n)) << bad;
  EXPECT_EQ(n, 7u);
  EXPECT_TRUE(parse_decimal("65535", 65535, n));
  EXPECT_EQ(n, 65535u);
  EXPECT_FALSE(parse_decimal("9", 5, n));
  EXPECT_TRUE(parse_decimal("0009", 9, n));
  EXPECT_EQ(n, 9u);
  EXPECT_TRUE(parse_decimal("18446744073709551615", ~std::uint64_t{0}, n));
  EXPECT_EQ(n, ~std::uint64_t{0});
  EXPECT_FALSE(parse_decimal("18446744073709551616", ~std::uint64_t{0}, n));
}

TEST(EditDistance, CountsLettersPutInTakenOutAndChanged) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ab", "ba"), 2u);
  const std::string a(63, 'a'), b(63, 'b');
  EXPECT_EQ(edit_distance(a, b), 63u);
  EXPECT_GT(edit_distance(a + "a", ""), 64u);
  EXPECT_GT(edit_distance("", a + "a"), 64u);
}

}  // namespace
}  // namespace callis
