// SPDX-License-Identifier: Apache-2.0
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/cdr/fixed.h>

namespace callis::cdr {

namespace {

using Magnitude = unsigned __int128;
constexpr std::size_t kMaxOctets = kMaxFixedDigits / 2 + 1;
constexpr unsigned kPlus = 0xC, kMinus = 0xD;

Magnitude magnitude_of(const FixedValue& v) { return Magnitude{v.magnitude[1]} << 64 | v.magnitude[0]; }
void set_magnitude(FixedValue& v, Magnitude m) {
  v.magnitude[0] = static_cast<std::uint64_t>(m);
  v.magnitude[1] = static_cast<std::uint64_t>(m >> 64);
}

bool is_zero(const FixedValue& v) { return (v.magnitude[0] | v.magnitude[1]) == 0; }

Magnitude power_of_ten(unsigned n) {
  Magnitude p = 1;
  while (n-- != 0) p *= 10;
  return p;
}

}  // namespace

void put_fixed(Encoder& e, const FixedValue& value, unsigned digits, unsigned scale) {
  Magnitude m = magnitude_of(value);
  if (value.scale > kMaxFixedDigits || m >= power_of_ten(kMaxFixedDigits)) return e.set_fault(Fault::BadValue);
  const Magnitude end = power_of_ten(digits);
  for (unsigned s = value.scale; s > scale; --s) m /= 10;
  for (unsigned s = value.scale; s < scale && m < end; ++s) m *= 10;
  if (m >= end) return e.set_fault(Fault::BadBound);

  const std::size_t octets = digits / 2 + 1;
  if (!e.ensure(octets)) return;
  unsigned half = value.negative && m != 0 ? kMinus : kPlus;
  Byte* const to = e.cursor();
  for (std::size_t i = octets; i-- != 0;) {
    to[i] = static_cast<Byte>(half | static_cast<unsigned>(m % 10) << 4);
    m /= 10;
    half = static_cast<unsigned>(m % 10);
    m /= 10;
  }
  e.advance(octets);
}

bool get_fixed(Decoder& d, FixedValue& value, unsigned digits, unsigned scale) {
  Byte octets[kMaxOctets];
  const std::size_t n = digits / 2 + 1;
  if (!d.get_bytes(octets, n)) return false;
  Magnitude m = 0;
  const unsigned sign = octets[n - 1] & 0xfu;
  bool valid = (sign == kPlus || sign == kMinus) && (digits % 2 != 0 || octets[0] >> 4 == 0);
  for (std::size_t i = 0; i < 2 * n - 1; ++i) {
    const unsigned digit = i % 2 == 0 ? octets[i / 2] >> 4 : octets[i / 2] & 0xfu;
    valid = valid && digit <= 9;
    m = m * 10 + digit;
  }
  if (!valid) {
    d.set_fault(Fault::BadValue);
    return false;
  }
  set_magnitude(value, m);
  value.digits = static_cast<std::uint16_t>(digits);
  value.scale = static_cast<std::uint16_t>(scale);
  value.negative = sign == kMinus && m != 0;
  return true;
}

FixedValue normalized(const FixedValue& value) {
  FixedValue v{};
  Magnitude m = magnitude_of(value);
  v.scale = m == 0 ? std::uint16_t{0} : value.scale;
  for (; v.scale != 0 && m % 10 == 0; m /= 10) --v.scale;
  set_magnitude(v, m);
  v.negative = value.negative && m != 0;
  return v;
}

std::size_t fixed_text(const FixedValue& value, char (&to)[kFixedText]) {
  Magnitude m = magnitude_of(value);
  const unsigned scale = value.scale < kMaxFixedDigits ? value.scale : kMaxFixedDigits;
  char reversed[kFixedText];
  std::size_t n = 0;
  // At least one digit in front of the point; 39 digits would fit a magnitude that breaks its rule.
  for (unsigned place = 0; (m != 0 || place <= scale) && n < kFixedText - 3; ++place, m /= 10) {
    if (place == scale && scale != 0) reversed[n++] = '.';
    reversed[n++] = static_cast<char>('0' + static_cast<unsigned>(m % 10));
  }
  if (value.negative && !is_zero(value)) reversed[n++] = '-';
  for (std::size_t i = 0; i < n; ++i) to[i] = reversed[n - 1 - i];
  to[n] = 0;
  return n;
}

}  // namespace callis::cdr
