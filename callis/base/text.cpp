// SPDX-License-Identifier: Apache-2.0
// Text for people: joined, as numbers, made printable, compared.
#include <callis/base/text.h>
#include <callis/base/utf8.h>
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

namespace {

// Bytes of the character that text begins with; 0 when it is none, or not to be shown.
std::size_t shown_bytes(std::string_view text) noexcept {
  const Utf8Character c = first_character(text);
  // Controls, marks of direction, invisible characters, ends of lines, and tags.
  struct Range { std::uint32_t first, last; };
  static constexpr Range kHidden[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200b, 0x200f}, {0x2028, 0x202e},
                                      {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xffffffff}};
  for (const Range& r : kHidden)
    if (c.value >= r.first && c.value <= r.last) return 0;
  return c.bytes;
}

}  // namespace

Printable::Printable(std::string_view text, Backslashes backslashes) noexcept {
  constexpr const char* kDigits = "0123456789abcdef";
  for (bool fits = true; fits && !text.empty();) {
    const bool fake = backslashes == Backslashes::Escape && text.starts_with("\\x");
    const std::size_t n = fake ? 0 : shown_bytes(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    const char escape[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    std::string_view piece = n != 0 ? text.substr(0, n) : std::string_view(escape, sizeof escape);
    text.remove_prefix(n != 0 ? n : 1);
    fits = size_ + piece.size() <= kMost;
    if (!fits) piece = "...";
    size_ += piece.copy(text_ + size_, piece.size());
  }
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
