// SPDX-License-Identifier: Apache-2.0
// Arithmetic of decimal numbers: exact, then cut to 31 digits.
#include <callis/classic/exception.h>
#include <callis/classic/fixed.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

namespace callis::classic {

void throw_data_conversion(const char* detail) { raise<CORBA::DATA_CONVERSION>(0, CORBA::COMPLETED_NO, detail); }

}  // namespace callis::classic

namespace CORBA::inline callis_orb {

namespace {

using callis::classic::throw_data_conversion;
using callis::marshal::FixedValue;

constexpr int kMost = 31;

// A number as its decimal digits, the least significant one first: digit[i] counts 10^(i - scale). How many digits a
// number has says nothing of its scale: 0.012 has two and three places, 0.00 none and two places.
struct Decimal {
  static constexpr int kRoom =
      2 * kMost + 2;  // a product; two operands that are shifted against each other, and a carry
  unsigned char digit[kRoom] = {};             // those from `count` on are 0
  int count = 0;                               // up to the first digit that is not 0
  int scale = 0;

  void trim() {
    while (count > 0 && digit[count - 1] == 0) --count;
  }
  // Adds zeros at the end and as many places, at most kMost: the number stays what it is.
  void widen(int places) {
    scale += places;
    if (count == 0) return;
    std::copy_backward(digit, digit + count, digit + count + places);
    std::fill_n(digit, places, static_cast<unsigned char>(0));
    count += places;
  }
  // Gives up the last places, also more than there are digits.
  void cut(int places) {
    const int gone = std::min(places, count);
    std::copy(digit + gone, digit + count, digit);
    std::fill_n(digit + count - gone, gone, static_cast<unsigned char>(0));
    count -= gone;
    scale -= places;
  }
};

Decimal decimal(const FixedValue& v) {
  // Numbers that the program has not made by this class keep the rules too, or are refused.
  if (v.scale > kMost) throw_data_conversion("fixed of more than 31 places");
  Decimal d;
  for (callis::Uint128 m{v.magnitude[0], v.magnitude[1]}; m != callis::Uint128{};) {
    if (d.count == kMost) throw_data_conversion("fixed of more than 31 digits");
    d.digit[d.count++] = static_cast<unsigned char>(callis::take_digit(m));
  }
  d.scale = v.scale;
  return d;
}

// Gives up places until there are at most 31 digits.
Fixed fixed(Decimal d, bool negative) {
  const int excess = std::min(std::max(d.count, d.scale) - kMost, d.scale);
  if (excess > 0) d.cut(excess);
  if (d.count > kMost) throw_data_conversion("fixed of more than 31 digits");
  FixedValue v{};
  for (int i = d.count; i-- > 0;) callis::classic::append_digit(v, d.digit[i]);
  v.scale = static_cast<UShort>(d.scale);
  v.digits = static_cast<UShort>(std::max({d.count, d.scale, 1}));
  v.negative = negative && d.count != 0;
  return Fixed(v);
}

void align(Decimal& a, Decimal& b) {
  if (a.scale < b.scale) a.widen(b.scale - a.scale);
  else b.widen(a.scale - b.scale);
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

// By hand: one digit after the other, until nothing remains or 31 digits are there.
Fixed Fixed::quotient(const Fixed& o) const {
  if (!o) throw_data_conversion("division of a fixed by zero");
  const Decimal a = decimal(v_), b = decimal(o.v_);
  Decimal rest, r;  // r has the most significant digit first, until it is complete
  int next = a.count;
  r.scale = a.scale - b.scale;
  while (next > 0 || r.scale < 0 || (rest.count > 0 && std::max(r.count, r.scale) < kMost)) {
    rest.widen(1);
    if (next > 0) {
      rest.digit[0] = a.digit[--next];
      rest.count = std::max(rest.count, 1);
      rest.trim();
    } else {
      ++r.scale;
    }
    unsigned char digit = 0;
    for (; compare_sizes(rest, b) >= 0; ++digit) rest = added(rest, b, true);
    if (r.count > 0 || digit != 0) r.digit[r.count++] = digit;
  }
  std::reverse(r.digit, r.digit + r.count);
  while (r.scale > 0 && r.digit[0] == 0) r.cut(1);
  return fixed(r, v_.negative != o.v_.negative);
}

std::strong_ordering Fixed::compare(const Fixed& o) const {
  if (v_.negative != o.v_.negative && (!!*this || !!o))
    return v_.negative ? std::strong_ordering::less : std::strong_ordering::greater;
  Decimal a = decimal(v_), b = decimal(o.v_);
  align(a, b);
  const int sizes = v_.negative ? compare_sizes(b, a) : compare_sizes(a, b);
  return sizes <=> 0;
}

Fixed Fixed::shortened(UShort scale, bool round) const {
  if (v_.scale <= scale) return *this;
  Decimal d = decimal(v_);
  const int places = d.scale - scale;
  const bool half = d.digit[places - 1] >= 5;
  d.cut(places);
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
  if (digits > kMost || scale > digits)
    throw_data_conversion("fixed of more than 31 digits, or more places than digits");
  Decimal d = decimal(v_);
  if (d.scale < scale) d.widen(scale - d.scale);
  else d.cut(d.scale - scale);
  if (d.count > digits) throw_data_conversion("fixed with more digits than its type");
  Fixed f = fixed(d, v_.negative);
  f.v_.digits = digits;
  return f;
}

std::string Fixed::to_string() const {
  char text[callis::cdr::kFixedText];
  return {text, callis::cdr::fixed_text(v_, text)};
}

// Decimal text by <charconv>, which is the same in every locale.
Fixed Fixed::from_floating(LongDouble value, int digits) {
  if (!std::isfinite(value) || std::fabs(value) >= 1e32L)
    throw_data_conversion("floating point number beyond a fixed");
  char text[80];
  char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1).ptr;
  int exponent = 0;
  const char* e = std::find(text, end, 'e') + 1;
  std::from_chars(e + (*e == '+'), end, exponent);
  // All digits that count, and no more than 31 places.
  const int magnitude = exponent + 1;
  const int places = std::clamp(digits - magnitude, 0, std::max(kMost - std::max(magnitude, 0), 0));
  end = std::to_chars(text, text + sizeof text - 1, value, std::chars_format::fixed, places).ptr;
  if (places > 0) {
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
  }
  *end = 0;
  return Fixed(static_cast<const char*>(text));
}

template <class T>
T Fixed::to_floating() const {
  char text[callis::cdr::kFixedText];
  char* const end = text + callis::cdr::fixed_text(v_, text);
#ifdef __cpp_lib_to_chars
  T value{};
  std::from_chars(text, end, value);
  return value;
#else  // libc++; its C library may have a locale with another decimal point
  std::istringstream in(std::string(text, end));
  in.imbue(std::locale::classic());
  T value{};
  in >> value;
  return value;
#endif
}
template Float Fixed::to_floating<Float>() const;
template Double Fixed::to_floating<Double>() const;
template LongDouble Fixed::to_floating<LongDouble>() const;

std::pair<ULongLong, bool> Fixed::whole() const {
  const Fixed f = truncate(0);
  if (f.v_.magnitude[1] != 0) throw_data_conversion("fixed beyond the range of an integer");
  return {f.v_.magnitude[0], f.v_.negative};
}

}  // namespace CORBA::inline callis_orb
