// SPDX-License-Identifier: Apache-2.0
// Binary128 by its bits, against known encodings and against the compiler's own type where there is one.
#include <callis/cdr/long_double.h>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <random>

namespace callis::cdr {
namespace {

using Limits = std::numeric_limits<double>;

TEST(Quad, of_known_values) {
  EXPECT_EQ(quad_of(0.0), (QuadBits{0, 0}));
  EXPECT_EQ(quad_of(-0.0), (QuadBits{0x8000000000000000, 0}));
  EXPECT_EQ(quad_of(1.0), (QuadBits{0x3fff000000000000, 0}));
  EXPECT_EQ(quad_of(-2.5), (QuadBits{0xc000400000000000, 0}));
  EXPECT_EQ(quad_of(Limits::max()), (QuadBits{0x43feffffffffffff, 0xf000000000000000}));
  EXPECT_EQ(quad_of(Limits::min()), (QuadBits{0x3c01000000000000, 0}));
  EXPECT_EQ(quad_of(Limits::denorm_min()), (QuadBits{0x3bcd000000000000, 0}));
  EXPECT_EQ(quad_of(Limits::infinity()), (QuadBits{0x7fff000000000000, 0}));
}

TEST(Quad, a_double_comes_back) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    std::uint64_t bits = random();
    if (i % 4 == 0) bits &= 0x800fffffffffffff;  // subnormal
    const double value = std::bit_cast<double>(bits);
    if (!std::isnan(value)) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(double_of(quad_of(value))), bits) << value;
    }
  }
}

TEST(Quad, what_a_double_cannot_hold) {
  EXPECT_TRUE(std::isnan(double_of(quad_of(Limits::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(double_of({0x7fff000000000000, 1}))) << "a payload in the lowest bit only";
  EXPECT_EQ(double_of({0x43ff000000000000, 0}), Limits::infinity()) << "2 to the 1024th";
  EXPECT_EQ(double_of({0xc3feffffffffffff, 0xffffffffffffffff}), -Limits::infinity()) << "rounded up";
  EXPECT_EQ(double_of({0x0000000000000000, 1}), 0.0) << "subnormal as a quad";
  EXPECT_TRUE(std::signbit(double_of({0x8000000000000000, 1})));
  EXPECT_EQ(double_of({0x3bcc000000000000, 0}), 0.0) << "half of the least double: to even";
  EXPECT_EQ(double_of({0x3bcc000000000000, 1}), Limits::denorm_min()) << "a little more";
}

#if LDBL_MANT_DIG != 53
double rounded_by_compiler(QuadBits bits) {
  const std::uint64_t words[2] = {kNativeOrder == ByteOrder::Little ? bits.low : bits.high,
                                  kNativeOrder == ByteOrder::Little ? bits.high : bits.low};
  Quad q;
  std::memcpy(&q, words, 16);
  return static_cast<double>(q);
}

TEST(Quad, is_rounded_as_the_compiler_rounds) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    QuadBits bits{random(), random()};
    // Exponents where doubles are, or end; fractions near the middle between two doubles.
    if (i % 2) bits.high = (bits.high & 0x8000ffffffffffff) | (random() % 2200 + 15250) << 48;
    if (i % 3 == 0) bits.low = (bits.low & 0xf000000000000000) | 0x0800000000000000 | random() % 2;
    if (i % 5 == 0) bits.low &= 0xf800000000000000;
    const double ours = double_of(bits), its = rounded_by_compiler(bits);
    if (std::isnan(its)) {
      ASSERT_TRUE(std::isnan(ours));
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(its))
          << std::hex << bits.high << ' ' << bits.low;
    }
  }
}
#endif

TEST(Quad, in_memory_is_the_number_it_was_made_of) {
  for (const double value : {0.0, -1.5, 1e300, 4.9e-324}) {
    const SoftQuad q(value);
    EXPECT_EQ(static_cast<long double>(q), value);
#if LDBL_MANT_DIG != 53
    const Quad its = static_cast<Quad>(value);
    EXPECT_EQ(std::memcmp(&q, &its, 16), 0) << value;
#endif
  }
}

}  // namespace
}  // namespace callis::cdr
