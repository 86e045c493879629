// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary128 by its bits, for machines whose long double is a double and whose compiler has no wider type
// (32-bit ARM). Conversion to double rounds to nearest, ties to even.
#pragma once
#include <callis/base/endian.h>

namespace callis::cdr {

struct QuadBits {
  std::uint64_t high, low;
  friend bool operator==(const QuadBits&, const QuadBits&) = default;
};

// Exact. A NaN keeps its payload.
constexpr QuadBits quad_of(double value) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value), sign = bits & std::uint64_t{1} << 63;
  std::uint64_t exponent = bits >> 52 & 0x7ff, fraction = bits & kFraction;
  if (exponent == 0x7ff) {
    exponent = 0x7fff;
  } else if (exponent != 0) {
    exponent += 16383 - 1023;
  } else if (fraction != 0) {  // subnormal as a double, normal as a quad
    const int shift = std::countl_zero(fraction) - 11;
    fraction = fraction << shift & kFraction;
    exponent = static_cast<std::uint64_t>(16383 - 1022 - shift);
  }
  return {sign | exponent << 48 | fraction >> 4, fraction << 60};
}

constexpr double double_of(QuadBits quad) {
  const std::uint64_t sign = quad.high & std::uint64_t{1} << 63;
  const int exponent = static_cast<int>(quad.high >> 48 & 0x7fff) - 16383;
  // 52 bits of the fraction, then 60 that are rounded away.
  std::uint64_t kept = (quad.high << 4 & ((std::uint64_t{1} << 52) - 1)) | quad.low >> 60;
  const std::uint64_t rest = quad.low & ((std::uint64_t{1} << 60) - 1);
  constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52;
  if (exponent == 16384) {
    const bool nan = kept != 0 || rest != 0;
    return std::bit_cast<double>(sign | kInfinity | kept | (nan ? std::uint64_t{1} << 51 : 0));
  }
  if (exponent > 1023) return std::bit_cast<double>(sign | kInfinity);
  std::uint64_t lost = rest, half = std::uint64_t{1} << 59;
  bool more = false;  // beyond lost
  if (exponent >= -1022) {
    kept |= static_cast<std::uint64_t>(exponent + 1023) << 52;
  } else {
    const int shift = -1022 - exponent;
    if (shift > 53) return std::bit_cast<double>(sign);
    kept |= std::uint64_t{1} << 52;
    more = rest != 0;
    lost = kept & ((std::uint64_t{1} << shift) - 1);
    half = std::uint64_t{1} << (shift - 1);
    kept >>= shift;
  }
  // A carry out of the fraction is the next exponent, or infinity.
  if (lost > half || (lost == half && (more || (kept & 1) != 0))) ++kept;
  return std::bit_cast<double>(sign | kept);
}

// The bytes of a binary128 in memory.
class SoftQuad {
 public:
  SoftQuad() = default;
  explicit SoftQuad(long double value) {
    const QuadBits bits = quad_of(static_cast<double>(value));
    words_[kHigh] = bits.high;
    words_[1 - kHigh] = bits.low;
  }
  explicit operator long double() const { return double_of({words_[kHigh], words_[1 - kHigh]}); }

 private:
  static constexpr int kHigh = kNativeOrder == ByteOrder::Little ? 1 : 0;
  std::uint64_t words_[2];
};

}  // namespace callis::cdr
