// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>

namespace callis {

std::string concat(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  std::string text;
  text.reserve(size);
  for (const std::string_view part : parts) text.append(part.data(), part.size());
  return text;
}

Decimal::Decimal(std::uint64_t n) noexcept {
  do {
    digits_[--first_] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n != 0);
}

bool parse_decimal(std::string_view text, std::uint64_t max, std::uint64_t& out) noexcept {
  std::uint64_t n = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned>(c - '0');
    if (digit > 9 || n > max / 10 || digit > max - n * 10) return false;
    n = n * 10 + digit;
  }
  if (text.empty()) return false;
  out = n;
  return true;
}

}  // namespace callis
