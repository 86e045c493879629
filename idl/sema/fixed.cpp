// SPDX-License-Identifier: Apache-2.0
// Natural numbers here are strings of decimal digits, most significant first.
#include <idl/sema/fixed.h>
#include <algorithm>
#include <string>

namespace callis::idl::sema {

namespace {

std::string without_leading_zeros(std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

int digit(const std::string& digits, std::size_t from_the_end) {
  return from_the_end < digits.size() ? digits[digits.size() - 1 - from_the_end] - '0' : 0;
}

bool less(const std::string& a, const std::string& b) {  // neither with leading zeros
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::string sum(const std::string& a, const std::string& b) {
  std::string out;
  int carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    const int value = digit(a, i) + digit(b, i) + carry;
    out += static_cast<char>('0' + value % 10);
    carry = value / 10;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// a - b, which is not negative.
std::string difference(const std::string& a, const std::string& b) {
  std::string out;
  int borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    int value = digit(a, i) - digit(b, i) - borrow;
    borrow = value < 0 ? 1 : 0;
    value += 10 * borrow;
    out += static_cast<char>('0' + value);
  }
  std::reverse(out.begin(), out.end());
  return without_leading_zeros(out);
}

std::string quotient(const std::string& a, const std::string& b) {
  std::string out;
  std::string rest;
  for (const char next : a) {
    rest = without_leading_zeros(rest + next);
    char times = '0';
    for (; !less(rest, b); ++times) {
      rest = difference(rest, b);
    }
    out += times;
  }
  return out;
}

// Without needless zeros, and cut to 31 digits.
std::optional<ast::FixedValue> result(bool negative, std::string digits, std::size_t scale) {
  digits = without_leading_zeros(std::move(digits));
  if (digits.size() < scale) {
    digits.insert(0, scale - digits.size(), '0');
  }
  if (digits.size() > kFixedDigits) {
    const std::size_t excess = digits.size() - kFixedDigits;
    if (excess > scale) {
      return std::nullopt;
    }
    digits.resize(kFixedDigits);
    scale -= excess;
  }
  while (scale > 0 && digits.back() == '0') {
    digits.pop_back();
    --scale;
  }
  if (digits.empty()) {
    digits = "0";
  }
  const bool zero = digits.find_first_not_of('0') == std::string::npos;
  return ast::FixedValue{negative && !zero, std::move(digits), static_cast<std::uint16_t>(scale)};
}

}  // namespace

std::optional<ast::FixedValue> fixed_sum(const ast::FixedValue& a, const ast::FixedValue& b) {
  const std::size_t scale = std::max(a.scale, b.scale);
  const std::string left = without_leading_zeros(a.digits + std::string(scale - a.scale, '0'));
  const std::string right = without_leading_zeros(b.digits + std::string(scale - b.scale, '0'));
  if (a.negative == b.negative) {
    return result(a.negative, sum(left, right), scale);
  }
  return less(left, right) ? result(b.negative, difference(right, left), scale)
                           : result(a.negative, difference(left, right), scale);
}

std::optional<ast::FixedValue> fixed_product(const ast::FixedValue& a, const ast::FixedValue& b) {
  std::string product;
  for (const char factor : b.digits) {
    if (!product.empty()) {
      product += '0';
    }
    for (char n = '0'; n < factor; ++n) {
      product = sum(product, a.digits);
    }
  }
  return result(a.negative != b.negative, product, std::size_t{a.scale} + b.scale);
}

// Enough digits that 31 of them count.
std::optional<ast::FixedValue> fixed_quotient(const ast::FixedValue& a, const ast::FixedValue& b) {
  const std::string divisor = without_leading_zeros(b.digits);
  const std::size_t shift = std::max<std::size_t>(2 * kFixedDigits + 2, b.scale);
  return result(a.negative != b.negative, quotient(a.digits + std::string(shift, '0'), divisor),
                shift + a.scale - b.scale);
}

ast::FixedValue negated(ast::FixedValue value) {
  value.negative = !value.negative && !is_zero(value);
  return value;
}

bool is_zero(const ast::FixedValue& value) { return value.digits.find_first_not_of('0') == std::string::npos; }

}  // namespace callis::idl::sema
