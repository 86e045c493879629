// SPDX-License-Identifier: Apache-2.0
// fixed as packed decimal digits, to the wire and from it.
#include <callis/base/uint128.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/cdr/fixed.h>

namespace callis::cdr {

namespace {

constexpr std::size_t kMaxOctets = kMaxFixedDigits / 2 + 1;
constexpr unsigned kPlus = 0xC, kMinus = 0xD;

Uint128 magnitude_of(const FixedValue& v) { return {v.magnitude[0], v.magnitude[1]}; }
void set_magnitude(FixedValue& v, const Uint128& m) {
  v.magnitude[0] = m.low;
  v.magnitude[1] = m.high;
}

bool is_zero(const Uint128& m) { return m == Uint128{}; }

}  // namespace

void put_fixed(Encoder& e, const FixedValue& value, unsigned digits, unsigned scale) {
  constexpr Uint128 kEnd = power_of_ten(kMaxFixedDigits);
  Uint128 m = magnitude_of(value);
  if (value.scale > kMaxFixedDigits || m >= kEnd) return e.set_fault(Fault::BadValue);
  const Uint128 end = power_of_ten(digits);
  for (unsigned s = value.scale; s > scale; --s) take_digit(m);
  for (unsigned s = value.scale; s < scale && m < end; ++s) m = with_digit(m, 0);
  if (m >= end) return e.set_fault(Fault::BadBound);

  const std::size_t octets = digits / 2 + 1;
  if (!e.ensure(octets)) return;
  unsigned half = value.negative && !is_zero(m) ? kMinus : kPlus;
  Byte* const to = e.cursor();
  for (std::size_t i = octets; i-- != 0;) {
    to[i] = static_cast<Byte>(half | take_digit(m) << 4);
    half = take_digit(m);
  }
  e.advance(octets);
}

bool get_fixed(Decoder& d, FixedValue& value, unsigned digits, unsigned scale) {
  Byte octets[kMaxOctets];
  const std::size_t n = digits / 2 + 1;
  if (!d.get_bytes(octets, n)) return false;
  Uint128 m;
  const unsigned sign = octets[n - 1] & 0xfu;
  bool valid = (sign == kPlus || sign == kMinus) && (digits % 2 != 0 || octets[0] >> 4 == 0);
  for (std::size_t i = 0; i < 2 * n - 1; ++i) {
    const unsigned digit = i % 2 == 0 ? octets[i / 2] >> 4 : octets[i / 2] & 0xfu;
    valid = valid && digit <= 9;
    m = with_digit(m, digit);
  }
  if (!valid) {
    d.set_fault(Fault::BadValue);
    return false;
  }
  set_magnitude(value, m);
  value.digits = static_cast<std::uint16_t>(digits);
  value.scale = static_cast<std::uint16_t>(scale);
  value.negative = sign == kMinus && !is_zero(m);
  return true;
}

FixedValue normalized(const FixedValue& value) {
  FixedValue v{};
  Uint128 m = magnitude_of(value);
  v.scale = is_zero(m) ? std::uint16_t{0} : value.scale;
  for (Uint128 shorter = m; v.scale != 0 && take_digit(shorter) == 0; m = shorter) --v.scale;
  set_magnitude(v, m);
  v.negative = value.negative && !is_zero(m);
  return v;
}

std::size_t fixed_text(const FixedValue& value, char (&to)[kFixedText]) {
  Uint128 m = magnitude_of(value);
  const bool negative = value.negative && !is_zero(m);
  const unsigned scale = value.scale < kMaxFixedDigits ? value.scale : kMaxFixedDigits;
  char reversed[kFixedText];
  std::size_t n = 0;
  // At least one digit in front of the point; 39 digits would fit a magnitude that breaks its rule.
  for (unsigned place = 0; (!is_zero(m) || place <= scale) && n < kFixedText - 3; ++place) {
    if (place == scale && scale != 0) reversed[n++] = '.';
    reversed[n++] = static_cast<char>('0' + take_digit(m));
  }
  if (negative) reversed[n++] = '-';
  for (std::size_t i = 0; i < n; ++i) to[i] = reversed[n - 1 - i];
  to[n] = 0;
  return n;
}

}  // namespace callis::cdr
