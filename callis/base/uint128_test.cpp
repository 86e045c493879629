// SPDX-License-Identifier: Apache-2.0
#include <callis/base/uint128.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace callis {
namespace {

// Numbers at which carries begin and end, and random ones.
std::vector<std::uint64_t> words() {
  std::vector<std::uint64_t> v{0, 1, 2, 9, 10, 11, 0xd6e8feb86659fd93u, ~std::uint64_t{0}};
  for (unsigned bit = 1; bit < 64; ++bit)
    for (const unsigned less : {0u, 1u, 2u}) v.push_back((std::uint64_t{1} << bit) + 1 - less);
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) v.push_back(random() >> random() % 64);
  return v;
}

std::string digits(Uint128 n) {
  std::string s;
  do s.insert(s.begin(), static_cast<char>('0' + take_digit(n)));
  while (n != Uint128{});
  return s;
}

Uint128 number(const std::string& s) {
  Uint128 n;
  for (const char c : s) n = with_digit(n, static_cast<unsigned>(c - '0'));
  return n;
}

TEST(Uint128, ProductsHaveAllTheirBits) {
  EXPECT_EQ(product(~std::uint64_t{0}, ~std::uint64_t{0}), (Uint128{1, ~std::uint64_t{0} - 1}));
  EXPECT_EQ(product(std::uint64_t{1} << 63, 4), (Uint128{0, 2}));
  EXPECT_EQ(product(0x123456789abcdef0u, 0xfedcba9876543210u), (Uint128{0x236d88fe5618cf00u, 0x121fa00ad77d7422u}));
}

TEST(Uint128, ProductsAreTheSameOnEveryMachine) {
  for (const std::uint64_t a : words())
    for (const std::uint64_t b : words()) ASSERT_EQ(product(a, b), portable_product(a, b)) << a << ' ' << b;
}

TEST(Uint128, ADigitIsAppendedAndTakenAway) {
  for (const std::uint64_t low : words())
    for (const std::uint64_t high : words()) {
      Uint128 n{low, high / 16};
      const Uint128 longer = with_digit(n, 7);
      Uint128 shorter = longer;
      ASSERT_EQ(take_digit(shorter), 7u) << low << ' ' << high;
      ASSERT_EQ(shorter, n) << low << ' ' << high;
    }
}

TEST(Uint128, IsReadAndWrittenInDecimal) {
  EXPECT_EQ(digits({0, 0}), "0");
  EXPECT_EQ(digits({0, 1}), "18446744073709551616");
  EXPECT_EQ(digits({~std::uint64_t{0}, ~std::uint64_t{0}}), "340282366920938463463374607431768211455");
  EXPECT_EQ(number("340282366920938463463374607431768211455"), (Uint128{~std::uint64_t{0}, ~std::uint64_t{0}}));
  for (unsigned n = 0; n <= 38; ++n) EXPECT_EQ(digits(power_of_ten(n)), '1' + std::string(n, '0'));
}

TEST(Uint128, TheHigherWordCountsFirstInComparisons) {
  EXPECT_LT((Uint128{~std::uint64_t{0}, 1}), (Uint128{0, 2}));
  EXPECT_LT((Uint128{3, 2}), (Uint128{4, 2}));
  EXPECT_GE((Uint128{4, 2}), (Uint128{4, 2}));
}

#ifdef __SIZEOF_INT128__
__extension__ using Native = unsigned __int128;
Native native(const Uint128& n) { return static_cast<Native>(n.high) << 64 | n.low; }

TEST(Uint128, DoesWhatTheCompilersOwnDoes) {
  for (const std::uint64_t a : words())
    for (const std::uint64_t b : words()) {
      ASSERT_TRUE(native(portable_product(a, b)) == static_cast<Native>(a) * b) << a << ' ' << b;
      Uint128 n{a, b};
      ASSERT_TRUE(native(with_digit(n, 9)) == native(n) * 10 + 9) << a << ' ' << b;
      const Native before = native(n);
      ASSERT_EQ(take_digit(n), static_cast<unsigned>(before % 10)) << a << ' ' << b;
      ASSERT_TRUE(native(n) == before / 10) << a << ' ' << b;
      const Uint128 other{b, a};
      ASSERT_EQ(Uint128(n) < other, native(n) < native(other)) << a << ' ' << b;
    }
}
#endif

}  // namespace
}  // namespace callis
