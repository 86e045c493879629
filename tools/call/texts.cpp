// SPDX-License-Identifier: Apache-2.0
// Numbers and characters as text; base64.
#include <callis/base/utf8.h>
#include <tools/call/mapping.h>
#include <tools/call/texts.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace callis::tools {

namespace {

constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

bool is_utf8(std::string_view text) {
  while (const std::size_t bytes = first_character(text).bytes) text.remove_prefix(bytes);
  return text.empty();
}

bool append_utf8(std::string& to, char32_t c) {
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return false;
  to += Utf8(c);
  return true;
}

std::u32string from_utf8(std::string_view text) {
  std::u32string out;
  for (Utf8Character c; (c = first_character(text)).bytes != 0; text.remove_prefix(c.bytes)) out += c.value;
  return out;
}

template<class T>
Json floating(T value) {
  if (std::isnan(value)) return Json::string("NaN");
  if (std::isinf(value)) return Json::string(value < 0 ? "-Infinity" : "Infinity");
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  // A program that reads the number as a double must not find one that is none.
  if (std::abs(value) > std::numeric_limits<double>::max()) return Json::string(std::move(text));
  return Json::number(std::move(text));
}
template Json floating(float);
template Json floating(double);
template Json floating(long double);

template<class T>
bool read_floating(const std::string& text, T& value) {
  if (text == "NaN") {
    value = std::numeric_limits<T>::quiet_NaN();
    return true;
  }
  if (text == "Infinity" || text == "-Infinity") {
    value = text[0] == '-' ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    return true;
  }
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return false;
  char* end = nullptr;
  if constexpr (std::is_same_v<T, float>) {
    value = std::strtof(text.c_str(), &end);
  } else if constexpr (std::is_same_v<T, double>) {
    value = std::strtod(text.c_str(), &end);
  } else {
    value = std::strtold(text.c_str(), &end);
  }
  return end == text.c_str() + text.size() && std::isfinite(value);
}
template bool read_floating(const std::string&, float&);
template bool read_floating(const std::string&, double&);
template bool read_floating(const std::string&, long double&);

std::string to_base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kBase64[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

bool from_base64(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  const std::string_view alphabet(kBase64, 64);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t group = 0;
    std::size_t n = 3;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      const std::size_t digit = alphabet.find(c);
      if (digit != std::string_view::npos && n == 3) {
        group = group << 6 | static_cast<std::uint32_t>(digit);
      } else if (c == '=' && k >= 2 && i + 4 == text.size()) {
        n = std::min(n, k - 1);
        group <<= 6;
      } else {
        return false;
      }
    }
    if (n < 3 && (group & ((1u << (8 * (3 - n))) - 1)) != 0) return false;  // bits that would be lost
    for (std::size_t k = 0; k < n; ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 0xff);
  }
  return true;
}

}  // namespace callis::tools
