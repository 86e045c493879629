// SPDX-License-Identifier: Apache-2.0
// Text as JSON has it (RFC 8259). All JSON that callis writes is escaped here. JsonCharacter takes no memory: the log
// needs that. Header only: the IDL compiler, too, uses it, and links nothing of the runtime.
#pragma once
#include <callis/base/utf8.h>
#include <string>
#include <string_view>

namespace callis {

// How one character is written within a string of JSON. Quotes, backslashes and what controls a terminal are escaped.
class JsonCharacter final {
 public:
  enum class Beyond : bool { Utf8, Escaped };  // characters beyond ASCII

  explicit constexpr JsonCharacter(char32_t c, Beyond beyond = Beyond::Utf8) noexcept {
    if (c == '"' || c == '\\' || c == '\n' || c == '\t') {
      add('\\');
      add(c == '\n' ? 'n' : c == '\t' ? 't' : static_cast<char>(c));
    } else if (c >= 0x20 && c < 0x7f) {
      add(static_cast<char>(c));
    } else if (c < 0xa0 || (beyond == Beyond::Escaped && c < 0x10000)) {
      add_escape(c);
    } else if (beyond == Beyond::Escaped) {  // a pair of surrogates
      add_escape(0xd800 + ((c - 0x10000) >> 10));
      add_escape(0xdc00 + ((c - 0x10000) & 0x3ff));
    } else {
      const Utf8 bytes(c);
      for (const char byte : std::string_view(bytes)) add(byte);
    }
  }
  constexpr operator std::string_view() const noexcept { return {text_, size_}; }

 private:
  constexpr void add(char c) noexcept { text_[size_++] = c; }
  constexpr void add_escape(char32_t unit) noexcept {
    add('\\');
    add('u');
    for (int shift = 12; shift >= 0; shift -= 4) add("0123456789abcdef"[unit >> shift & 15]);
  }

  unsigned char size_ = 0;
  char text_[12] = {};
};

// Calls put(std::string_view) with the parts of a string of JSON, its quotes included. Bytes that make no UTF-8
// are taken for ISO 8859-1.
template<class Put>
constexpr void put_json_string(std::string_view text, Put&& put) {
  put(std::string_view("\""));
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    put(std::string_view(JsonCharacter(c.bytes != 0 ? c.value : static_cast<unsigned char>(text[0]))));
    text.remove_prefix(c.bytes != 0 ? c.bytes : 1);
  }
  put(std::string_view("\""));
}

inline std::string json_string(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  put_json_string(text, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace callis
