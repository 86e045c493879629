// SPDX-License-Identifier: Apache-2.0
// Characters to words.
#include <idl/parse/lexer.h>
#include <string>

namespace callis::idl::parse {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string hexadecimal(unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

Token Lexer::finish(TokenKind kind, std::size_t begin) {
  Token t;
  t.kind = kind;
  t.text = text_.substr(begin, at_ - begin);
  t.offset = begin;
  t.where = source_.range(begin, at_ - begin);
  return t;
}

// Comments are gone after preprocessing; a text that was not preprocessed has none either.
void Lexer::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) {
    ++at_;
  }
}

Token Lexer::next() {
  for (;;) {
    skip_blanks();
    if (at_ >= text_.size()) {
      return finish(TokenKind::End, at_);
    }
    const char c = text_[at_];
    if (is_letter(c) || c == '_') {
      return word();
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      return number();
    }
    if (c == '"' || c == '\'') {
      return quoted(c == '"' ? TokenKind::String : TokenKind::Character, at_);
    }
    if (c == '#' && text_.substr(at_).starts_with("#pragma")) {
      return pragma();
    }
    if (Token t = punctuation(); t.kind != TokenKind::End) {
      return t;
    }
    stray();
  }
}

// A name may not be a keyword whatever the case (7.2.4). For the keywords that came with CORBA 2.3
// and later that is a warning: files from before use such names, the OMG's own among them.
void Lexer::differs_in_case(const Token& t, Keyword keyword) {
  const std::string text = "'" + std::string(t.text) + "' differs from the keyword '" +
                           std::string(spelling(keyword)) +
                           "' only in case; a name must be written '_" + std::string(t.text) + "'";
  if (is_late(keyword)) {
    diagnostics_.warning(t.where, text);
  } else {
    diagnostics_.error(t.where, text);
  }
}

Token Lexer::word() {
  const std::size_t begin = at_;
  if (text_[at_] == 'L' && (peek(1) == '"' || peek(1) == '\'')) {
    ++at_;
    return quoted(text_[at_] == '"' ? TokenKind::WideString : TokenKind::WideCharacter, begin);
  }
  while (at_ < text_.size() && is_word(text_[at_])) {
    ++at_;
  }
  Token t = finish(TokenKind::Identifier, begin);
  if (t.text.front() == '_') {
    return t;  // escaped: never a keyword
  }
  if (const auto keyword = find_keyword(t.text)) {
    if (spelling(*keyword) == t.text) {
      t.kind = TokenKind::Keyword;
      t.keyword = *keyword;
    } else {
      differs_in_case(t, *keyword);
      t.keyword = *keyword;  // what it may be meant for
    }
  }
  return t;
}

// Takes in letters that follow, as C does: `12abc` is one wrong number, reported when decoded.
Token Lexer::number() {
  const std::size_t begin = at_;
  const bool hex = text_[at_] == '0' && (peek(1) == 'x' || peek(1) == 'X');
  bool floating = false;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '.' && !hex) {
      floating = true;
    } else if ((c == 'e' || c == 'E') && !hex) {
      floating = true;
      if (peek(1) == '+' || peek(1) == '-') {
        ++at_;
      }
    } else if (!is_word(c)) {
      break;
    }
    ++at_;
  }
  const char last = text_[at_ - 1];
  if (!hex && (last == 'd' || last == 'D')) {
    return finish(TokenKind::Fixed, begin);
  }
  return finish(floating ? TokenKind::Floating : TokenKind::Integer, begin);
}

// at_ is on the opening quote.
Token Lexer::quoted(TokenKind kind, std::size_t begin) {
  const char quote = text_[at_];
  ++at_;
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    const bool escape = text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n';
    at_ += escape ? 2u : 1u;
  }
  if (peek() == quote) {
    ++at_;
    return finish(kind, begin);
  }
  Token t = finish(kind, begin);
  t.where.length = 1;
  t.unclosed = true;
  diagnostics_.error(t.where, quote == '"' ? "string is not closed on its line"
                                           : "character is not closed on its line");
  // An empty literal, so that decoding finds nothing more to say.
  static constexpr std::string_view kEmpty[] = {"\"\"", "' '", "L\"\"", "L' '"};
  t.text = kEmpty[(kind == TokenKind::WideString || kind == TokenKind::WideCharacter ? 2 : 0) +
                  (quote == '\'' ? 1 : 0)];
  return t;
}

Token Lexer::pragma() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n') {
    ++at_;
  }
  Token t = finish(TokenKind::Pragma, begin);
  t.where = source_.range(begin, 7);
  return t;
}

Token Lexer::punctuation() {
  const std::size_t begin = at_;
  const char c = text_[at_];
  const auto take = [&](std::size_t length, TokenKind kind) {
    at_ += length;
    return finish(kind, begin);
  };
  switch (c) {
    case ';': return take(1, TokenKind::Semicolon);
    case ':': return peek(1) == ':' ? take(2, TokenKind::Scope) : take(1, TokenKind::Colon);
    case ',': return take(1, TokenKind::Comma);
    case '=': return take(1, TokenKind::Equals);
    case '{': return take(1, TokenKind::LeftBrace);
    case '}': return take(1, TokenKind::RightBrace);
    case '(': return take(1, TokenKind::LeftParenthesis);
    case ')': return take(1, TokenKind::RightParenthesis);
    case '[': return take(1, TokenKind::LeftBracket);
    case ']': return take(1, TokenKind::RightBracket);
    case '<': return peek(1) == '<' ? take(2, TokenKind::ShiftLeft) : take(1, TokenKind::Less);
    case '>': return peek(1) == '>' ? take(2, TokenKind::ShiftRight) : take(1, TokenKind::Greater);
    case '+': return take(1, TokenKind::Plus);
    case '-': return take(1, TokenKind::Minus);
    case '*': return take(1, TokenKind::Star);
    case '/': return take(1, TokenKind::Slash);
    case '%': return take(1, TokenKind::Percent);
    case '~': return take(1, TokenKind::Tilde);
    case '|': return take(1, TokenKind::Pipe);
    case '^': return take(1, TokenKind::Caret);
    case '&': return take(1, TokenKind::Ampersand);
    case '@': return take(1, TokenKind::At);
    default: return {};
  }
}

// One report for a run of bytes that mean nothing.
void Lexer::stray() {
  const std::size_t begin = at_;
  const auto byte = static_cast<unsigned char>(text_[at_]);
  const auto means_nothing = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || static_cast<unsigned char>(c) < 0x20;
  };
  ++at_;
  if (means_nothing(static_cast<char>(byte))) {
    while (at_ < text_.size() && means_nothing(text_[at_]) && !is_blank(text_[at_])) {
      ++at_;
    }
  }
  const source::Range where = source_.range(begin, at_ - begin);
  if (byte >= 0x80) {
    diagnostics_.error(where, "character outside ASCII (" + hexadecimal(byte) +
                                  ") may stand only in a comment or literal");
  } else if (byte < 0x20 || byte == 0x7F) {
    diagnostics_.error(where, "stray control character (" + hexadecimal(byte) + ")");
  } else {
    diagnostics_.error(where, std::string("stray '") + static_cast<char>(byte) + "'");
  }
}

}  // namespace callis::idl::parse
