// SPDX-License-Identifier: Apache-2.0
// Numbers, characters and strings as written, to their values.
#include <idl/parse/literal.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace callis::idl::parse {

namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return 99;
}

// The literal's text between its quotes.
std::string_view inside(const Token& t) {
  std::string_view text = t.text;
  if (text.starts_with('L')) {
    text.remove_prefix(1);
  }
  return text.size() < 2 ? std::string_view() : text.substr(1, text.size() - 2);
}

// One character of a literal at a time, escapes resolved.
class Characters {
 public:
  Characters(const Token& t, bool wide, source::Diagnostics& diagnostics)
      : token_(t), text_(inside(t)), wide_(wide), diagnostics_(diagnostics) {
    utf8_ = wide_ && is_utf8();
  }

  bool done() const { return at_ >= text_.size(); }

  std::optional<char32_t> next() {
    if (text_[at_] == '\\') {
      return escape();
    }
    if (utf8_) {
      return utf8();
    }
    return static_cast<unsigned char>(text_[at_++]);
  }

 private:
  std::optional<char32_t> fail(std::size_t begin, std::string text) {
    source::Range where = token_.where;
    if (where.length == token_.text.size()) {  // written in place: point into the literal
      const auto shift = static_cast<std::size_t>(text_.data() - token_.text.data()) + begin;
      where.begin.column += static_cast<std::uint32_t>(shift);
      where.length = static_cast<std::uint32_t>(std::max<std::size_t>(at_ - begin, 1));
    }
    diagnostics_.error(where, std::move(text));
    return std::nullopt;
  }

  std::optional<char32_t> digits(std::size_t begin, unsigned base, std::size_t most,
                                 char32_t limit) {
    char32_t value = 0;
    std::size_t count = 0;
    while (!done() && count < most && static_cast<unsigned>(digit_value(text_[at_])) < base) {
      value = value * base + static_cast<char32_t>(digit_value(text_[at_]));
      ++at_;
      ++count;
    }
    if (count == 0) {
      return fail(begin, "escape sequence without digits");
    }
    if (value > limit) {
      return fail(begin, "escape sequence is beyond one byte");
    }
    return value;
  }

  std::optional<char32_t> escape() {
    const std::size_t begin = at_++;
    if (done()) {
      return fail(begin, "escape sequence without a character");
    }
    const char c = text_[at_];
    const char32_t byte_limit = 0xFF;
    if (c >= '0' && c <= '7') {
      return digits(begin, 8, 3, byte_limit);
    }
    ++at_;
    switch (c) {
      case 'n': return U'\n';
      case 't': return U'\t';
      case 'v': return U'\v';
      case 'b': return U'\b';
      case 'r': return U'\r';
      case 'f': return U'\f';
      case 'a': return U'\a';
      case '\\':
      case '?':
      case '\'':
      case '"': return static_cast<char32_t>(c);
      case 'x': return digits(begin, 16, 2, byte_limit);
      case 'u':
        if (!wide_) {
          return fail(begin, "'\\u' is only for wide characters and strings");
        }
        return digits(begin, 16, 4, 0xFFFF);
      default:
        return fail(begin, std::string("unknown escape sequence '\\") + c + "'");
    }
  }

  bool is_utf8() {
    while (at_ < text_.size()) {
      if (!utf8()) {
        at_ = 0;
        return false;
      }
    }
    at_ = 0;
    return true;
  }

  // One character of UTF-8; nothing (and silence) where it is none.
  std::optional<char32_t> utf8() {
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4 : 0;
    if (length == 0 || at_ + length > text_.size()) {
      return std::nullopt;
    }
    char32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text_[at_ + i]);
      if ((byte & 0xC0u) != 0x80) {
        return std::nullopt;
      }
      value = (value << 6) | (byte & 0x3Fu);
    }
    const char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
      return std::nullopt;
    }
    at_ += length;
    return value;
  }

  const Token& token_;
  std::string_view text_;
  bool wide_;
  bool utf8_ = false;
  source::Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

template <class Text>
std::optional<Text> decode_text(const Token& t, bool wide, source::Diagnostics& diagnostics) {
  Text out;
  Characters characters(t, wide, diagnostics);
  while (!characters.done()) {
    const auto c = characters.next();
    if (!c) {
      return std::nullopt;
    }
    if (*c == 0) {
      diagnostics.error(t.where, "a string cannot contain the character NUL");
      return std::nullopt;
    }
    out += static_cast<typename Text::value_type>(*c);
  }
  return out;
}

std::optional<char32_t> decode_one(const Token& t, bool wide, source::Diagnostics& diagnostics) {
  Characters characters(t, wide, diagnostics);
  if (characters.done()) {
    diagnostics.error(t.where, "empty character literal");
    return std::nullopt;
  }
  const auto c = characters.next();
  if (c && !characters.done()) {
    diagnostics.error(t.where, wide ? "character literal holds more than one character"
                                    : "character literal holds more than one byte");
    return std::nullopt;
  }
  return c;
}

}  // namespace

std::optional<std::uint64_t> decode_integer(const Token& t, source::Diagnostics& diagnostics) {
  std::string_view digits = t.text;
  unsigned base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits.front() == '0') {
    base = 8;
    digits.remove_prefix(1);
  }
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(digit_value(c));
    if (digit >= base) {
      const std::string kind = base == 16 ? "a hexadecimal" : base == 8 ? "an octal" : "a decimal";
      std::string text = "'";
      text += c;
      text += "' is no digit of " + kind + " number";
      diagnostics.error(t.where, text);
      return std::nullopt;
    }
    if (value > (UINT64_MAX - digit) / base) {
      diagnostics.error(t.where, "integer is larger than 18446744073709551615");
      return std::nullopt;
    }
    value = value * base + digit;
  }
  if (digits.empty()) {
    diagnostics.error(t.where, "hexadecimal number without digits");
    return std::nullopt;
  }
  return value;
}

std::optional<long double> decode_floating(const Token& t, source::Diagnostics& diagnostics) {
  const std::string text(t.text);
  char* end = nullptr;
  const long double value = std::strtold(text.c_str(), &end);
  if (end != text.c_str() + text.size()) {
    diagnostics.error(t.where, "malformed floating-point number");
    return std::nullopt;
  }
  if (!std::isfinite(value)) {
    diagnostics.error(t.where, "floating-point number is too large");
    return std::nullopt;
  }
  return value;
}

std::optional<FixedLiteral> decode_fixed(const Token& t, source::Diagnostics& diagnostics) {
  std::string_view text = t.text;
  text.remove_suffix(1);
  std::string whole;
  std::string fraction;
  bool in_fraction = false;
  for (const char c : text) {
    if (c == '.' && !in_fraction) {
      in_fraction = true;
    } else if (c < '0' || c > '9') {
      diagnostics.error(t.where, "malformed fixed-point number");
      return std::nullopt;
    } else {
      (in_fraction ? fraction : whole) += c;
    }
  }
  if (whole.empty() && fraction.empty()) {
    diagnostics.error(t.where, "malformed fixed-point number");
    return std::nullopt;
  }
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  const std::size_t digits = whole.size() + fraction.size();
  if (digits > 31) {
    diagnostics.error(t.where, "fixed-point number has " + std::to_string(digits) + " digits; 31 are possible");
    return std::nullopt;
  }
  return FixedLiteral{digits == 0 ? "0" : whole + fraction, static_cast<std::uint16_t>(fraction.size())};
}

std::optional<char> decode_character(const Token& t, source::Diagnostics& diagnostics) {
  const auto c = decode_one(t, false, diagnostics);
  return c ? std::optional(static_cast<char>(static_cast<unsigned char>(*c))) : std::nullopt;
}

std::optional<std::string> decode_string(const Token& t, source::Diagnostics& diagnostics) {
  return decode_text<std::string>(t, false, diagnostics);
}

std::optional<char32_t> decode_wide_character(const Token& t, source::Diagnostics& diagnostics) {
  return decode_one(t, true, diagnostics);
}

std::optional<std::u32string> decode_wide_string(const Token& t, source::Diagnostics& diagnostics) {
  return decode_text<std::u32string>(t, true, diagnostics);
}

}  // namespace callis::idl::parse
