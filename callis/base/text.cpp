// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <algorithm>

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

std::size_t edit_distance(std::string_view a, std::string_view b) noexcept {
  constexpr std::size_t kLongest = 63;
  if (a.size() > kLongest || b.size() > kLongest) return SIZE_MAX;
  std::uint8_t row[kLongest + 1];  // of the table for the part of a that has been looked at
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::uint8_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<std::uint8_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      const int change = diagonal + (a[i - 1] != b[j - 1]);
      row[j] = static_cast<std::uint8_t>(std::min(std::min(above, int{row[j - 1]}) + 1, change));
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace callis
