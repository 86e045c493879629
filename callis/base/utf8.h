// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8 (RFC 3629). Header only: the IDL compiler, too, uses it, and links nothing of the runtime.
#pragma once
#include <cstddef>
#include <string_view>

namespace callis {

struct Utf8Character {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: there is no character
};

// The character that the text begins with. There is none if the text is empty or if it does not begin with UTF-8: the
// character is cut off, longer than need be, a surrogate or beyond U+10FFFF.
constexpr Utf8Character first_character(std::string_view text) noexcept {
  if (text.empty()) return {};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t n = 2u + (first >= 0xe0) + (first >= 0xf0);
  if (first < 0xc2 || first > 0xf4 || text.size() < n) return {};
  char32_t c = first & (0x7fu >> n);
  for (std::size_t i = 1; i < n; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {};
    c = c << 6 | (byte & 0x3fu);
  }
  // The least of three bytes is 1 << 11, of four 1 << 16; two cannot be too many here.
  if (c < 1u << (5 * n - 4) || c >> 11 == 0xd800 >> 11 || c > 0x10ffff) return {};
  return {c, n};
}

// The bytes of a character up to U+10FFFF.
class Utf8 final {
 public:
  explicit constexpr Utf8(char32_t c) noexcept {
    if (c < 0x80) {
      add(c);
    } else if (c < 0x800) {
      add(0xc0 | c >> 6);
      add_rest(c);
    } else if (c < 0x10000) {
      add(0xe0 | c >> 12);
      add_rest(c >> 6);
      add_rest(c);
    } else {
      add(0xf0 | c >> 18);
      add_rest(c >> 12);
      add_rest(c >> 6);
      add_rest(c);
    }
  }
  constexpr operator std::string_view() const noexcept { return {bytes_, size_}; }

 private:
  constexpr void add(char32_t byte) noexcept { bytes_[size_++] = static_cast<char>(byte); }
  constexpr void add_rest(char32_t c) noexcept { add(0x80 | (c & 0x3f)); }

  unsigned char size_ = 0;
  char bytes_[4] = {};
};

}  // namespace callis
