// SPDX-License-Identifier: Apache-2.0
// A reader of JSON by recursive descent; its depth is bounded.
#include <callis/base/text.h>
#include <services/scheduling/json_text.h>
#include <unordered_set>

namespace callis::scheduling {

const JsonValue* JsonValue::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].text == name) return &items[i];
  return nullptr;
}

std::string_view kind_word(JsonValue::Kind kind) {
  constexpr std::string_view kWords[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string place_text(const std::string& file, const Place& where) {
  return file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

void refuse_at(const std::string& file, const Place& where, const std::string& text, Refused::Kind kind) {
  throw Refused(kind, place_text(file, where) + ": error: " + text);
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// -1 for none.
int hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void put_utf8(std::string& to, std::uint32_t c) {
  if (c < 0x80) {
    to += static_cast<char>(c);
  } else if (c < 0x800) {
    to += {static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))};
  } else if (c < 0x10000) {
    to += {static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3f)),
           static_cast<char>(0x80 | (c & 0x3f))};
  } else {
    to += {static_cast<char>(0xf0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3f)),
           static_cast<char>(0x80 | (c >> 6 & 0x3f)), static_cast<char>(0x80 | (c & 0x3f))};
  }
}

// Bytes of the character that the text begins with; 0: it is no UTF-8 (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto at = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = at(0), second = at(1);
  if (first < 0x80) return 1;
  const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  if ((first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90)) return 0;  // longer than need be
  if ((first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f)) return 0;  // surrogates, beyond the last
  for (std::size_t i = 1; i < n; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  return n;
}

class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  JsonValue run() {
    if (text_.size() > kMostJsonBytes)
      refuse("the file has " + std::to_string(text_.size()) + " bytes; " + std::to_string(kMostJsonBytes) +
             " are allowed");
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    blanks();
    JsonValue out = value(0);
    blanks();
    if (!at_end()) refuse("the file goes on behind its value with " + here());
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& text) const { refuse_at(file_, place_, text); }
  bool at_end() const { return at_ >= text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  std::string here() const {
    if (at_end()) return "the end of the file";
    return "'" + std::string(Printable(text_.substr(at_, 1))) + "'";
  }
  void step() {
    if (text_[at_++] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
  void blanks() {
    while (!at_end() && (next() == ' ' || next() == '\n' || next() == '\r' || next() == '\t')) step();
  }
  void expect(char c, const char* where) {
    if (next() != c || at_end()) refuse("'" + std::string(1, c) + "' is expected " + where + ", not " + here());
    step();
  }
  void word(std::string_view all) {
    if (text_.substr(at_, all.size()) != all) refuse("a value is expected, not " + here());
    for (std::size_t i = 0; i < all.size(); ++i) step();
  }

  JsonValue value(std::size_t depth) {
    if (depth > kMostJsonDepth)
      refuse("arrays and objects are more than " + std::to_string(kMostJsonDepth) + " deep in each other");
    if (++values_ > kMostJsonValues) refuse("there are more than " + std::to_string(kMostJsonValues) + " values");
    JsonValue out;
    out.where = place_;
    switch (next()) {
      case '{': object(out, depth); break;
      case '[': array(out, depth); break;
      case '"':
        out.kind = JsonValue::Kind::String;
        out.text = string();
        break;
      case 't':
        word("true");
        out.kind = JsonValue::Kind::Boolean;
        out.truth = true;
        break;
      case 'f':
        word("false");
        out.kind = JsonValue::Kind::Boolean;
        break;
      case 'n': word("null"); break;
      default: out.kind = JsonValue::Kind::Number; out.text = number();
    }
    return out;
  }

  void object(JsonValue& out, std::size_t depth) {
    out.kind = JsonValue::Kind::Object;
    std::unordered_set<std::string> seen;
    step();
    blanks();
    if (next() == '}') return step();
    while (true) {
      const Place where = place_;
      if (next() != '"' || at_end()) refuse("a member's name is expected, not " + here());
      std::string name = string();
      if (!seen.insert(name).second) refuse_at(file_, where, "the member " + json_quoted(name) + " is there twice");
      out.names.push_back({std::move(name), where});
      blanks();
      expect(':', "behind a member's name");
      blanks();
      out.items.push_back(value(depth + 1));
      blanks();
      if (next() == '}') return step();
      expect(',', "or '}' behind a member");
      blanks();
    }
  }

  void array(JsonValue& out, std::size_t depth) {
    out.kind = JsonValue::Kind::Array;
    step();
    blanks();
    if (next() == ']') return step();
    while (true) {
      out.items.push_back(value(depth + 1));
      blanks();
      if (next() == ']') return step();
      expect(',', "or ']' behind a value");
      blanks();
    }
  }

  std::string number() {
    const std::size_t begin = at_;
    const auto digits = [this] {
      if (!is_digit(next())) refuse("a value is expected, not " + here());
      while (is_digit(next())) step();
    };
    if (next() == '-') step();
    if (next() == '0')
      step();
    else
      digits();
    if (next() == '.') {
      step();
      digits();
    }
    if (next() == 'e' || next() == 'E') {
      step();
      if (next() == '+' || next() == '-') step();
      digits();
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string string() {
    std::string out;
    step();
    while (next() != '"' || at_end()) {
      if (at_end()) refuse("the file ends within a string");
      if (static_cast<unsigned char>(next()) < 0x20) refuse("a string has a control character: write it as \\u00XX");
      if (next() == '\\') {
        escape(out);
      } else {
        const std::size_t bytes = utf8_length(text_.substr(at_));
        if (bytes == 0) refuse("a string is not UTF-8, because of " + here() + ": save the file as UTF-8");
        for (std::size_t i = 0; i < bytes; ++i) {
          out += next();
          step();
        }
      }
    }
    step();
    return out;
  }

  void escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    step();
    const std::size_t which = at_end() ? std::string_view::npos : kLetters.find(next());
    if (which != std::string_view::npos) {
      step();
      out += kMeanings[which];
      return;
    }
    if (next() != 'u') refuse("there is no escape \\ with " + here());
    std::uint32_t c = unit();
    if (c >= 0xd800 && c < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      step();
      const std::uint32_t low = unit();
      if (low < 0xdc00 || low > 0xdfff) refuse("half of a surrogate pair stands alone");
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xd800 && c < 0xe000) {
      refuse("half of a surrogate pair stands alone");
    }
    put_utf8(out, c);
  }

  // uXXXX
  std::uint32_t unit() {
    step();
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) {
      const int digit = hex(next());
      if (digit < 0) refuse("\\u needs four hexadecimal digits, not " + here());
      out = out << 4 | static_cast<std::uint32_t>(digit);
      step();
    }
    return out;
  }

  const std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, values_ = 0;
  Place place_;
};

}  // namespace

JsonValue parse_json(std::string_view text, const std::string& file) { return JsonParser(text, file).run(); }

std::string json_quoted(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  std::size_t of_character = 0;  // bytes that are known to be UTF-8
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto u = static_cast<unsigned char>(c);
    if (of_character == 0) of_character = utf8_length(text.substr(i));
    const bool readable = of_character != 0;
    if (readable) --of_character;
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (u < 0x20 || u == 0x7f || !readable) {
      out += "\\u00";
      out += {kDigits[u >> 4], kDigits[u & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace callis::scheduling
