// SPDX-License-Identifier: Apache-2.0
// Uint128: unsigned numbers of 128 bits, on every machine; compilers for machines of 32 bits have none. It has the
// few operations that decimal numbers and hashes need, and gives the same results everywhere. Results are modulo
// 2^128.
#pragma once
#include <compare>
#include <cstdint>

namespace callis {

struct Uint128 {
  std::uint64_t low = 0, high = 0;

  friend constexpr bool operator==(const Uint128&, const Uint128&) = default;
  friend constexpr std::strong_ordering operator<=>(const Uint128& a, const Uint128& b) {
    return a.high != b.high ? a.high <=> b.high : a.low <=> b.low;
  }
};

// By the multiplications of 32 bits that every machine has.
constexpr Uint128 portable_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xffffffff;
  const std::uint64_t low = (a & kLow) * (b & kLow), left = (a >> 32) * (b & kLow), right = (a & kLow) * (b >> 32);
  const std::uint64_t middle = (low >> 32) + (left & kLow) + (right & kLow);
  return {middle << 32 | (low & kLow), (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32)};
}

// a * b, all bits of it.
constexpr Uint128 product(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Native = unsigned __int128;
  const Native n = static_cast<Native>(a) * b;
  return {static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(n >> 64)};
#else
  return portable_product(a, b);
#endif
}

// n * 10 + digit.
constexpr Uint128 with_digit(const Uint128& n, unsigned digit) {
  const std::uint64_t low = (n.low & 0xffffffff) * 10 + digit;
  const std::uint64_t middle = (n.low >> 32) * 10 + (low >> 32);
  return {middle << 32 | (low & 0xffffffff), n.high * 10 + (middle >> 32)};
}

// Divides by 10 what stands in `word` behind `rest`, the remainder of the word before it; returns the remainder.
constexpr unsigned divide_by_ten(std::uint64_t& word, unsigned rest) {
  const std::uint64_t upper = std::uint64_t{rest} << 32 | word >> 32, lower = upper % 10 << 32 | (word & 0xffffffff);
  word = upper / 10 << 32 | lower / 10;
  return static_cast<unsigned>(lower % 10);
}

// Divides n by 10 and returns the remainder: its last digit.
constexpr unsigned take_digit(Uint128& n) {
  if (n.high != 0) return divide_by_ten(n.low, divide_by_ten(n.high, 0));
  const unsigned digit = static_cast<unsigned>(n.low % 10);
  n.low /= 10;
  return digit;
}

constexpr Uint128 power_of_ten(unsigned n) {
  Uint128 p{1, 0};
  while (n-- != 0) p = with_digit(p, 0);
  return p;
}

}  // namespace callis
