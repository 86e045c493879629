// SPDX-License-Identifier: Apache-2.0
// Words, numbers and texts. Independent of the locale.
#include <callis/base/text.h>
#include <services/constraints/lexer.h>
#include <charconv>
#include <cmath>

namespace callis::constraints {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

constexpr struct {
  std::string_view text;
  Word word;
} kKeywords[] = {{"and", Word::And},     {"or", Word::Or},         {"not", Word::Not},   {"exist", Word::Exist},
                 {"in", Word::In},       {"min", Word::Min},       {"max", Word::Max},   {"with", Word::With},
                 {"first", Word::First}, {"random", Word::Random}, {"TRUE", Word::True}, {"FALSE", Word::False}};

}  // namespace

Token Lexer::next() {
  while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
  if (next_ == text_.size()) {
    Token end;
    end.at = next_;
    return end;
  }
  const char c = text_[next_];
  if (is_letter(c)) return name_or_keyword();
  if (is_digit(c) || (c == '.' && is_digit(at(next_ + 1)))) return number();
  if (c == '\'') return literal();
  if (c == '$' && paths_) return path();
  return sign();
}

Token Lexer::name_or_keyword() {
  Token out;
  out.at = next_;
  while (is_name(at(next_))) ++next_;
  out.bytes = next_ - out.at;
  const std::string_view word = text_.substr(out.at, out.bytes);
  for (const auto& k : kKeywords) {
    if (k.text != word) continue;
    out.word = k.word;
    return out;
  }
  out.word = Word::Name;
  out.text = word;
  return out;
}

// `$` with names, `.`, `[...]` and `(...)` right behind it.
Token Lexer::path() {
  Token out;
  out.word = Word::Name;
  out.at = next_++;
  while (next_ < text_.size()) {
    const char c = text_[next_];
    if (is_name(c) || c == '.' || c == '$') {
      ++next_;
      continue;
    }
    if (c != '[' && c != '(') break;
    const std::size_t close = text_.find(c == '[' ? ']' : ')', next_);
    if (close == std::string_view::npos)
      throw Refused(text_, next_, 1, concat({"'", std::string_view(&c, 1), "' is not closed"}));
    next_ = close + 1;
  }
  out.bytes = next_ - out.at;
  out.text = text_.substr(out.at, out.bytes);
  return out;
}

Token Lexer::number() {
  Token out;
  out.word = Word::Number;
  out.at = next_;
  bool real = false;
  while (is_digit(at(next_))) ++next_;
  if (at(next_) == '.') {
    real = true;
    ++next_;
    while (is_digit(at(next_))) ++next_;
  }
  if (at(next_) == 'e' || at(next_) == 'E') {
    std::size_t digits = next_ + 1;
    if (at(digits) == '+' || at(digits) == '-') ++digits;
    if (!is_digit(at(digits))) throw Refused(text_, next_, digits - next_, "an exponent needs digits: 1e6, 1E-6");
    real = true;
    for (next_ = digits; is_digit(at(next_));) ++next_;
  }
  out.bytes = next_ - out.at;
  if (is_name(at(next_))) throw Refused(text_, next_, 1, "a letter right behind a number");
  const char *const begin = text_.data() + out.at, *const end = begin + out.bytes;
  std::uint64_t whole = 0;
  if (!real && std::from_chars(begin, end, whole).ec == std::errc()) {
    out.number = Value::number(whole);
    return out;
  }
  double d = 0;
  const auto read = std::from_chars(begin, end, d);
  if (read.ec == std::errc::result_out_of_range || !std::isfinite(d))
    throw Refused(text_, out.at, out.bytes, "this number is beyond what a double holds");
  out.number = Value::real(d);
  return out;
}

Token Lexer::literal() {
  Token out;
  out.word = Word::Text;
  out.at = next_++;
  for (;;) {
    if (next_ == text_.size())
      throw Refused(text_, out.at, 1, "the text that begins here has no end: '...', \\' is a quote within it");
    const char c = text_[next_++];
    if (c == '\'') break;
    if (c != '\\') {
      out.text += c;
      continue;
    }
    const char escaped = at(next_);
    if (escaped != '\'' && escaped != '\\') throw Refused(text_, next_ - 1, 2, "behind \\ stands ' or \\");
    out.text += escaped;
    ++next_;
  }
  out.bytes = next_ - out.at;
  return out;
}

Token Lexer::sign() {
  const char c = text_[next_];
  const bool equals = at(next_ + 1) == '=';
  Token out;
  out.at = next_;
  out.bytes = 1;
  switch (c) {
    case '~': out.word = Word::Matches; break;
    case '+': out.word = Word::Plus; break;
    case '-': out.word = Word::Minus; break;
    case '*': out.word = Word::Times; break;
    case '/': out.word = Word::Divide; break;
    case '(': out.word = Word::Open; break;
    case ')': out.word = Word::Close; break;
    case '<': out.word = equals ? Word::LessOrEqual : Word::Less; break;
    case '>': out.word = equals ? Word::GreaterOrEqual : Word::Greater; break;
    case '=':
      if (!equals) throw Refused(text_, next_, 1, "`=` is no operator: `==` compares");
      out.word = Word::Equal;
      break;
    case '!':
      if (!equals) throw Refused(text_, next_, 1, "`!` is no operator: `!=` compares, `not` negates");
      out.word = Word::Unequal;
      break;
    case '"': throw Refused(text_, next_, 1, "texts stand in single quotes: 'text'");
    case '_': throw Refused(text_, next_, 1, "a name begins with a letter");
    case '&': throw Refused(text_, next_, 1, "`&` is no operator: `and`");
    case '|': throw Refused(text_, next_, 1, "`|` is no operator: `or`");
    case '$': throw Refused(text_, next_, 1, "`$` belongs to the extended language, which is not read here");
    default: throw Refused(text_, next_, 1, "no word of the language begins like this");
  }
  if (equals && (c == '<' || c == '>' || c == '=' || c == '!')) out.bytes = 2;
  next_ += out.bytes;
  return out;
}

}  // namespace callis::constraints
