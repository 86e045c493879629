// SPDX-License-Identifier: Apache-2.0
// fixed on the wire, byte by byte from CORBA 3.3 part 2, 9.3.2.8.
#include <callis/base/buffer.h>
#include <callis/base/uint128.h>
#include <callis/cdr/cdr.h>
#include <callis/cdr/fixed.h>
#include <callis/cdr/testing/octets.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace callis::cdr {
namespace {

using testing::Octets;

FixedValue number(std::uint64_t magnitude, std::uint16_t scale, bool negative = false) {
  return {{magnitude, 0}, kMaxFixedDigits, scale, negative};
}
// 10^31 - 1
FixedValue greatest(std::uint16_t scale = 0) {
  Uint128 m;
  for (int i = 0; i < 31; ++i) m = with_digit(m, 9);
  return {{m.low, m.high}, 31, scale, false};
}

Octets written(const FixedValue& v, unsigned digits, unsigned scale, Fault expected = Fault::None) {
  Buffer b;
  Encoder e(b);
  put_fixed(e, v, digits, scale);
  e.finish();
  EXPECT_EQ(e.fault(), expected);
  return {b.data(), b.data() + b.size()};
}
std::string read(const Octets& in, unsigned digits, unsigned scale, Fault expected = Fault::None) {
  Budget budget{1000, 1};
  Decoder d(in, ByteOrder::Big, budget);
  FixedValue v{};
  EXPECT_EQ(get_fixed(d, v, digits, scale), expected == Fault::None);
  EXPECT_EQ(d.fault(), expected);
  if (expected == Fault::None) {
    EXPECT_EQ(d.remaining(), 0u);
    EXPECT_EQ(v.digits, digits);
    EXPECT_EQ(v.scale, scale);
  }
  char text[kFixedText];
  return {text, fixed_text(v, text)};
}

TEST(Fixed, DigitsAreHalfOctetsAndTheSignIsTheLast) {
  EXPECT_EQ(written(number(12345, 2), 5, 2), (Octets{0x12, 0x34, 0x5C}));
  EXPECT_EQ(written(number(12345, 2, true), 5, 2), (Octets{0x12, 0x34, 0x5D}));
  EXPECT_EQ(read({0x12, 0x34, 0x5C}, 5, 2), "123.45");
  EXPECT_EQ(read({0x12, 0x34, 0x5D}, 5, 2), "-123.45");
}

TEST(Fixed, AnEvenNumberOfDigitsHasAZeroInFront) {
  EXPECT_EQ(written(number(1234, 0), 4, 0), (Octets{0x01, 0x23, 0x4C}));
  EXPECT_EQ(read({0x01, 0x23, 0x4C}, 4, 0), "1234");
  read({0x11, 0x23, 0x4C}, 4, 0, Fault::BadValue);
}

TEST(Fixed, IsNotAligned) {
  Buffer b;
  Encoder e(b);
  e.put_octet(7);
  put_fixed(e, number(5, 0), 1, 0);
  e.finish();
  EXPECT_EQ(Octets(b.data(), b.data() + b.size()), (Octets{7, 0x5C}));
}

TEST(Fixed, IsScaledToTheType) {
  EXPECT_EQ(written(number(15, 1), 5, 3), (Octets{0x01, 0x50, 0x0C}));
  EXPECT_EQ(written(number(19999, 3), 5, 1), (Octets{0x00, 0x19, 0x9C})) << "cut off, not rounded";
  EXPECT_EQ(written(number(7, 2, true), 3, 1), (Octets{0x00, 0x0C})) << "what is left of -0.07 is 0";
}

TEST(Fixed, MoreIntegerDigitsThanFitAreRefused) {
  written(number(1000, 0), 3, 0, Fault::BadBound);
  written(number(100, 0), 3, 1, Fault::BadBound);
  written(greatest(), 31, 1, Fault::BadBound);
  EXPECT_EQ(written(greatest(), 31, 0).size(), 16u);
  written({{0, ~std::uint64_t{0}}, 31, 0, false}, 31, 0, Fault::BadValue);
  written({{1, 0}, 31, 32, false}, 31, 0, Fault::BadValue);
}

TEST(Fixed, ThirtyOneDigitsComeBack) {
  Octets most(16, Byte{0x99});
  most.back() = 0x9C;
  EXPECT_EQ(written(greatest(31), 31, 31), most);
  EXPECT_EQ(read(most, 31, 31), "0." + std::string(31, '9'));
  EXPECT_EQ(read(most, 31, 0), std::string(31, '9'));
}

TEST(Fixed, ZeroHasNoSign) {
  EXPECT_EQ(written(number(0, 0, true), 3, 0), (Octets{0x00, 0x0C}));
  EXPECT_EQ(read({0x00, 0x0D}, 3, 0), "0");
}

TEST(Fixed, OtherHalfOctetsAreRefused) {
  read({0x1A, 0x2C}, 3, 0, Fault::BadValue);
  read({0x12, 0xAC}, 3, 0, Fault::BadValue);
  for (unsigned sign = 0; sign < 16; ++sign)
    if (sign != 0xC && sign != 0xD) read({0x12, static_cast<Byte>(0x30 | sign)}, 3, 0, Fault::BadValue);
  read({0x12}, 3, 0, Fault::Truncated);
}

TEST(Fixed, EqualNumbersAreNormalizedAlike) {
  const FixedValue a = normalized(number(1500, 3, true)), b = normalized(number(15, 1, true));
  EXPECT_EQ(a.magnitude[0], 15u);
  EXPECT_EQ(a.scale, 1u);
  EXPECT_EQ(a.magnitude[0], b.magnitude[0]);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_FALSE(normalized(number(0, 5, true)).negative);
  EXPECT_EQ(normalized(number(100, 0)).magnitude[0], 100u);
}

}  // namespace
}  // namespace callis::cdr
