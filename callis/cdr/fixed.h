// SPDX-License-Identifier: Apache-2.0
// fixed: decimal numbers in memory and on the wire (CORBA 3.3 part 2, 9.3.2.8).
//
// On the wire a fixed<digits, scale> is digits / 2 + 1 octets without alignment: a decimal digit in each half, the
// most significant first, and in the last half the sign, C or D; an even number of digits has a zero in front. The
// scale is not sent: it is part of the type.
#pragma once
#include <cstddef>
#include <cstdint>

namespace callis::cdr {

class Encoder;
class Decoder;

// (negative ? -1 : 1) * magnitude / 10^scale. All zeros are the number 0.
struct FixedValue {
  std::uint64_t magnitude[2];   // low word, high word; below 10^31
  std::uint16_t digits, scale;  // of this value; at most 31
  bool negative;
};
static_assert(sizeof(FixedValue) == 24);

inline constexpr unsigned kMaxFixedDigits = 31;

// 1 <= digits <= 31, scale <= digits. Decimal places beyond the scale are cut off; Fault::BadBound when the digits in
// front of the point do not fit, Fault::BadValue when the value breaks its own rules.
void put_fixed(Encoder& encoder, const FixedValue& value, unsigned digits, unsigned scale);
// False and Fault::BadValue for what is no digit or sign. The value gets the type's digits and scale; zero is never
// negative.
bool get_fixed(Decoder& decoder, FixedValue& value, unsigned digits, unsigned scale);

// The same number with as few decimal places as possible, and digits 0: equal numbers are equal in all fields then.
FixedValue normalized(const FixedValue& value);

// The number in decimal, "-12.50", with a NUL; returns the characters without it.
inline constexpr std::size_t kFixedText = 36;
std::size_t fixed_text(const FixedValue& value, char (&to)[kFixedText]);

}  // namespace callis::cdr
