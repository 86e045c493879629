// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/exception.h>
#include <callis/classic/fixed.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace callis::classic {

void throw_data_conversion(const char* detail) { raise<CORBA::DATA_CONVERSION>(0, CORBA::COMPLETED_NO, detail); }

}  // namespace callis::classic

namespace CORBA {

namespace {

using callis::classic::throw_data_conversion;
using callis::marshal::FixedValue;

constexpr int kMost = 31;

// A number as its decimal digits, the least significant one first. Room for a product of two numbers, and for sums of
// two that are shifted against each other.
struct Decimal {
  static constexpr int kRoom = 2 * kMost + 2;
  unsigned char digit[kRoom] = {};
  int count = 0;  // without zeros in front
  int scale = 0;

  void trim() {
    while (count > 0 && digit[count - 1] == 0) --count;
  }
  // Zeros at the end, with the point left where it is.
  void shift(int places) {
    std::copy_backward(digit, digit + count, digit + count + places);
    std::fill_n(digit, places, static_cast<unsigned char>(0));
    count += places;
    scale += places;
    trim();
  }
  void drop_last() {
    std::copy(digit + 1, digit + count, digit);
    if (count > 0) digit[--count] = 0;
    --scale;
  }
};

Decimal decimal(const FixedValue& v) {
  Decimal d;
  __extension__ typedef unsigned __int128 Magnitude;
  for (Magnitude m = Magnitude{v.magnitude[1]} << 64 | v.magnitude[0]; m != 0 && d.count < Decimal::kRoom; m /= 10)
    d.digit[d.count++] = static_cast<unsigned char>(m % 10);
  d.scale = v.scale;
  return d;
}

// Gives up places until there are at most 31 digits.
Fixed fixed(Decimal d, bool negative) {
  while (std::max(d.count, d.scale) > kMost && d.scale > 0) d.drop_last();
  d.trim();
  if (d.count > kMost) throw_data_conversion("fixed of more than 31 digits");
  FixedValue v{};
  for (int i = d.count; i-- > 0;) callis::classic::append_digit(v, d.digit[i]);
  v.scale = static_cast<UShort>(d.scale);
  v.digits = static_cast<UShort>(std::max({d.count, d.scale, 1}));
  v.negative = negative && d.count != 0;
  return Fixed(v);
}

void align(Decimal& a, Decimal& b) {
  if (a.scale < b.scale) a.shift(b.scale - a.scale);
  else b.shift(a.scale - b.scale);
}

int compare_sizes(const Decimal& a, const Decimal& b) {
  if (a.count != b.count) return a.count < b.count ? -1 : 1;
  for (int i = a.count; i-- > 0;)
    if (a.digit[i] != b.digit[i]) return a.digit[i] < b.digit[i] ? -1 : 1;
  return 0;
}

// a + b, or a - b where a is not smaller.
Decimal added(const Decimal& a, const Decimal& b, bool minus) {
  Decimal r;
  r.scale = a.scale;
  r.count = std::max(a.count, b.count) + 1;
  int carry = 0;
  for (int i = 0; i < r.count; ++i) {
    int n = a.digit[i] + carry + (minus ? -b.digit[i] : b.digit[i]);
    carry = n < 0 ? -1 : n / 10;
    r.digit[i] = static_cast<unsigned char>(n < 0 ? n + 10 : n % 10);
  }
  r.trim();
  return r;
}

}  // namespace

Fixed Fixed::sum(const Fixed& o, bool minus) const {
  Decimal a = decimal(v_), b = decimal(o.v_);
  align(a, b);
  const bool other_negative = o.v_.negative != minus;
  if (v_.negative == other_negative) return fixed(added(a, b, false), v_.negative);
  const bool larger = compare_sizes(a, b) >= 0;
  return larger ? fixed(added(a, b, true), v_.negative) : fixed(added(b, a, true), other_negative);
}

Fixed Fixed::product(const Fixed& o) const {
  const Decimal a = decimal(v_), b = decimal(o.v_);
  Decimal r;
  r.scale = a.scale + b.scale;
  r.count = a.count + b.count;
  for (int i = 0; i < a.count; ++i) {
    int carry = 0;
    for (int j = 0; j <= b.count; ++j) {
      const int n = r.digit[i + j] + carry + (j < b.count ? a.digit[i] * b.digit[j] : 0);
      r.digit[i + j] = static_cast<unsigned char>(n % 10);
      carry = n / 10;
    }
  }
  r.trim();
  return fixed(r, v_.negative != o.v_.negative);
}

// By hand: one digit after the other, until nothing remains or 62 digits are there.
Fixed Fixed::quotient(const Fixed& o) const {
  if (!o) throw_data_conversion("division of a fixed by zero");
  const Decimal a = decimal(v_);
  Decimal b = decimal(o.v_), rest, backwards;
  b.scale = 0;
  int scale = a.scale - o.v_.scale, next = a.count;
  while (true) {
    if (next == 0) {
      if (scale >= 0 && (rest.count == 0 || backwards.count >= 2 * kMost)) break;
      if (scale >= 2 * kMost) break;
      ++scale;
    }
    rest.shift(1);
    rest.scale = 0;
    rest.digit[0] = next > 0 ? a.digit[--next] : static_cast<unsigned char>(0);
    rest.count = std::max(rest.count, 1);
    rest.trim();
    unsigned char digit = 0;
    for (; compare_sizes(rest, b) >= 0; ++digit) rest = added(rest, b, true);
    if (backwards.count == 0 && digit == 0) continue;
    if (backwards.count == Decimal::kRoom) throw_data_conversion("fixed of more than 31 digits");
    backwards.digit[backwards.count++] = digit;
  }
  std::reverse(backwards.digit, backwards.digit + backwards.count);
  backwards.scale = scale;
  while (std::max(backwards.count, backwards.scale) > kMost && backwards.scale > 0) backwards.drop_last();
  while (backwards.scale > 0 && (backwards.count == 0 || backwards.digit[0] == 0)) backwards.drop_last();
  return fixed(backwards, v_.negative != o.v_.negative);
}

std::strong_ordering Fixed::compare(const Fixed& o) const {
  if (v_.negative != o.v_.negative && (!!*this || !!o)) return v_.negative ? std::strong_ordering::less : std::strong_ordering::greater;
  Decimal a = decimal(v_), b = decimal(o.v_);
  align(a, b);
  const int sizes = v_.negative ? compare_sizes(b, a) : compare_sizes(a, b);
  return sizes <=> 0;
}

Fixed Fixed::shortened(UShort scale, bool round) const {
  if (v_.scale <= scale) return *this;
  Decimal d = decimal(v_);
  bool half = false;
  while (d.scale > scale) {
    half = d.count > 0 && d.digit[0] >= 5;
    d.drop_last();
  }
  if (round && half) {
    Decimal one;
    one.digit[0] = 1;
    one.count = 1;
    one.scale = d.scale;
    d = added(d, one, false);
  }
  return fixed(d, v_.negative);
}

Fixed Fixed::fitted(UShort digits, UShort scale) const {
  Fixed f = truncate(scale);
  Decimal d = decimal(f.v_);
  d.shift(scale - d.scale);
  if (d.count > digits) throw_data_conversion("fixed with more digits than its type");
  f = fixed(d, f.v_.negative);
  f.v_.digits = digits;
  return f;
}

std::string Fixed::to_string() const {
  char text[callis::cdr::kFixedText];
  return {text, callis::cdr::fixed_text(v_, text)};
}

Fixed Fixed::from_double(LongDouble value, int digits) {
  if (!std::isfinite(value) || std::fabs(value) >= 1e31L) throw_data_conversion("floating point number beyond a fixed");
  char text[64];
  // All digits that count, and no more than 31 places.
  const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  const int places = std::clamp(digits - magnitude, 0, kMost - std::max(magnitude, 0));
  int n = std::snprintf(text, sizeof text, "%.*Lf", places, value);
  if (places > 0) {
    while (text[n - 1] == '0') --n;
    if (text[n - 1] == '.') --n;
  }
  text[n] = 0;
  return Fixed(static_cast<const char*>(text));
}

LongDouble Fixed::to_long_double() const { return std::strtold(to_string().c_str(), nullptr); }

std::pair<ULongLong, bool> Fixed::whole() const {
  const Fixed f = truncate(0);
  if (f.v_.magnitude[1] != 0) throw_data_conversion("fixed beyond the range of an integer");
  return {f.v_.magnitude[0], f.v_.negative};
}

}  // namespace CORBA
