// SPDX-License-Identifier: Apache-2.0
// Decimal numbers (C++ mapping 1.3, 4.10; CORBA 3.3 part 1, 7.11.3.4).
//
//   CORBA::Fixed       a number of up to 31 digits, of which up to 31 are decimal places; keeps its own digits and
//                      scale
//   FixedPoint<d, s>   IDL's fixed<d, s>: a Fixed that has d digits and s places whatever is assigned to it. What is
//                      beyond s places is cut off
//
// Arithmetic is exact: results have the places that IDL gives to the operator (sums as many as the operand with more,
// products those of both), and lose the last ones only where there would be more than 31 digits, of 62 that are
// computed. A quotient has as many places as fit and are not zeros at the end. CORBA::DATA_CONVERSION, COMPLETED_NO:
// a number with more than 31 digits in front of the point, or more than d - s; division by zero; text that is no
// number; a conversion to an integer that cannot hold it.
//
// Numbers convert to and from C++'s arithmetic types and mix with them in expressions. A double counts for the 15
// digits that it is sure of, a float for 6, a long double for 18; what stands in front of the point counts as it is.
// The way back gives the nearest number that the type has.
#pragma once
#include <callis/base/uint128.h>
#include <callis/classic/types.h>
#include <callis/marshal/memory.h>
#include <compare>
#include <concepts>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

namespace CORBA::inline callis_orb {
class Fixed;
}

namespace callis::classic {

template <class T>
concept IsFixed = std::derived_from<T, CORBA::Fixed>;
// No integers of 128 bits, which some compilers count among the arithmetic types.
template<class T>
concept IsNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
                   (!std::integral<T> || sizeof(T) <= sizeof(CORBA::ULongLong));
// Of which one at least is a fixed.
template <class A, class B>
concept FixedOperands = (IsFixed<A> && (IsFixed<B> || IsNumber<B>)) || (IsNumber<A> && IsFixed<B>);

[[noreturn]] void throw_data_conversion(const char* detail);

// One more digit at the end of a magnitude.
constexpr void append_digit(marshal::FixedValue& v, unsigned digit) {
  const Uint128 m = with_digit({v.magnitude[0], v.magnitude[1]}, digit);
  v.magnitude[0] = m.low;
  v.magnitude[1] = m.high;
}

}  // namespace callis::classic

namespace CORBA::inline callis_orb {

class Fixed {
 public:
  constexpr Fixed() noexcept = default;
  template <std::integral T>
    requires(sizeof(T) <= sizeof(ULongLong))
  constexpr Fixed(T value) noexcept {
    const auto size = static_cast<ULongLong>(value);
    v_.negative = value < T{};
    v_.magnitude[0] = v_.negative ? 0 - size : size;
    for (ULongLong rest = v_.magnitude[0]; rest != 0; rest /= 10) ++v_.digits;
    if (v_.digits == 0) v_.digits = 1;
  }
  Fixed(Double value) : Fixed(from_floating(value, 15)) {}
  Fixed(Float value) : Fixed(from_floating(static_cast<LongDouble>(value), 6)) {}
  Fixed(LongDouble value) : Fixed(from_floating(value, 18)) {}
  // "-12.50", perhaps with a d at the end as in IDL.
  constexpr Fixed(const char* text) { parse(text); }
  explicit constexpr Fixed(const callis::marshal::FixedValue& value) noexcept : v_(value) {}

  // Towards zero.
  template <callis::classic::IsNumber T>
  operator T() const {
    if constexpr (std::is_floating_point_v<T>) {
      return to_floating<std::remove_cv_t<T>>();
    } else {
      const auto [size, negative] = whole();
      const T value = negative ? static_cast<T>(0 - size) : static_cast<T>(size);
      if ((value < T{}) != (negative && size != 0) || Fixed(value).v_.magnitude[0] != size)
        callis::classic::throw_data_conversion("fixed beyond the range of an integer");
      return value;
    }
  }
  std::string to_string() const;

  // With at most that many places; halves go away from zero.
  Fixed round(UShort scale) const { return shortened(scale, true); }
  Fixed truncate(UShort scale) const { return shortened(scale, false); }
  UShort fixed_digits() const noexcept { return v_.digits != 0 ? v_.digits : UShort{1}; }
  UShort fixed_scale() const noexcept { return v_.scale; }

  Fixed& operator+=(const Fixed& o) { return *this = sum(o, false); }
  Fixed& operator-=(const Fixed& o) { return *this = sum(o, true); }
  Fixed& operator*=(const Fixed& o) { return *this = product(o); }
  Fixed& operator/=(const Fixed& o) { return *this = quotient(o); }
  Fixed& operator++() { return *this += 1; }
  Fixed operator++(int) {
    const Fixed old = *this;
    *this += 1;
    return old;
  }
  Fixed& operator--() { return *this -= 1; }
  Fixed operator--(int) {
    const Fixed old = *this;
    *this -= 1;
    return old;
  }
  Fixed operator+() const { return *this; }
  Fixed operator-() const {
    Fixed f = *this;
    f.v_.negative = !f.v_.negative && !!f;
    return f;
  }
  constexpr bool operator!() const noexcept { return (v_.magnitude[0] | v_.magnitude[1]) == 0; }

  Fixed sum(const Fixed& o, bool minus) const;
  Fixed product(const Fixed& o) const;
  Fixed quotient(const Fixed& o) const;
  std::strong_ordering compare(const Fixed& o) const;
  // As a fixed<digits, scale> holds it. DATA_CONVERSION also where there is no such type.
  Fixed fitted(UShort digits, UShort scale) const;

  // For marshaling code: the representation itself.
  callis::marshal::FixedValue& callis_value() noexcept { return v_; }
  const callis::marshal::FixedValue& callis_value() const noexcept { return v_; }

 private:
  static Fixed from_floating(LongDouble value, int digits);
  // The nearest one. T: Float, Double, LongDouble.
  template <class T>
  T to_floating() const;
  // Without the places; DATA_CONVERSION when it is beyond 64 bits.
  std::pair<ULongLong, bool> whole() const;
  Fixed shortened(UShort scale, bool round) const;
  constexpr void parse(const char* text);

  callis::marshal::FixedValue v_{};
};
static_assert(sizeof(Fixed) == sizeof(callis::marshal::FixedValue) && std::is_standard_layout_v<Fixed>);

constexpr void Fixed::parse(const char* text) {
  v_.negative = *text == '-';
  if (*text == '-' || *text == '+') ++text;
  bool point = false, any = false;
  for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); ++text) {
    if (*text == '.') {
      point = true;
      continue;
    }
    any = true;
    if (v_.digits != 0 || *text != '0' || point) ++v_.digits;  // a place counts for a digit
    if (point) ++v_.scale;
    if (v_.digits > 31) callis::classic::throw_data_conversion("fixed of more than 31 digits");
    callis::classic::append_digit(v_, static_cast<unsigned>(*text - '0'));
  }
  if (*text == 'd' || *text == 'D') ++text;
  if (!any || *text != 0) callis::classic::throw_data_conversion("text that is no fixed");
  if (v_.digits == 0) v_.digits = 1;
  if (!*this) v_.negative = false;
}

template <class A, class B>
  requires callis::classic::FixedOperands<A, B>
Fixed operator+(const A& a, const B& b) {
  return Fixed(a).sum(Fixed(b), false);
}
template <class A, class B>
  requires callis::classic::FixedOperands<A, B>
Fixed operator-(const A& a, const B& b) {
  return Fixed(a).sum(Fixed(b), true);
}
template <class A, class B>
  requires callis::classic::FixedOperands<A, B>
Fixed operator*(const A& a, const B& b) {
  return Fixed(a).product(Fixed(b));
}
template <class A, class B>
  requires callis::classic::FixedOperands<A, B>
Fixed operator/(const A& a, const B& b) {
  return Fixed(a).quotient(Fixed(b));
}
template <class A, class B>
  requires callis::classic::FixedOperands<A, B>
bool operator==(const A& a, const B& b) {
  return Fixed(a).compare(Fixed(b)) == 0;
}
template <class A, class B>
  requires callis::classic::FixedOperands<A, B>
std::strong_ordering operator<=>(const A& a, const B& b) {
  return Fixed(a).compare(Fixed(b));
}

template <class C, class Traits>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& to, const Fixed& f) {
  return to << f.to_string().c_str();
}
template <class Traits>
std::basic_istream<char, Traits>& operator>>(std::basic_istream<char, Traits>& from, Fixed& f) {
  std::string text;
  if (from >> text) f = Fixed(text.c_str());
  return from;
}

}  // namespace CORBA::inline callis_orb

namespace callis::classic {

template <CORBA::UShort Digits, CORBA::UShort Scale>
class FixedPoint final : public CORBA::Fixed {
 public:
  FixedPoint() noexcept = default;
  FixedPoint(const Fixed& f) : Fixed(f.fitted(Digits, Scale)) {}
  template <IsNumber T>
  FixedPoint(T value) : FixedPoint(Fixed(value)) {}
  FixedPoint(const char* text) : FixedPoint(Fixed(text)) {}

  FixedPoint& operator=(const Fixed& f) {
    Fixed::operator=(f.fitted(Digits, Scale));
    return *this;
  }
  template <IsNumber T>
  FixedPoint& operator=(T value) {
    return *this = Fixed(value);
  }
  FixedPoint& operator=(const char* text) { return *this = Fixed(text); }
  FixedPoint& operator+=(const Fixed& o) { return *this = sum(o, false); }
  FixedPoint& operator-=(const Fixed& o) { return *this = sum(o, true); }
  FixedPoint& operator*=(const Fixed& o) { return *this = product(o); }
  FixedPoint& operator/=(const Fixed& o) { return *this = quotient(o); }
  FixedPoint& operator++() { return *this += 1; }
  FixedPoint operator++(int) {
    const FixedPoint old = *this;
    *this += 1;
    return old;
  }
  FixedPoint& operator--() { return *this -= 1; }
  FixedPoint operator--(int) {
    const FixedPoint old = *this;
    *this -= 1;
    return old;
  }

  // The type's.
  CORBA::UShort fixed_digits() const noexcept { return Digits; }
  CORBA::UShort fixed_scale() const noexcept { return Scale; }
};

}  // namespace callis::classic
