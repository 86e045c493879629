// SPDX-License-Identifier: Apache-2.0
// Preprocessing tokens. Where lines are joined within a token its text is put together in `before_`; every other
// token is a view of the file.
#include <idl/source/pp_lexer.h>
#include <algorithm>
#include <cstring>

namespace callis::idl::source {

namespace {

constexpr std::size_t kMaxBadBytes = 5;  // reported of one file
constexpr std::size_t kStoreBlock = 16u << 10;

// Longest first.
constexpr std::string_view kPunctuators[] = {"<<=", ">>=", "->*", "...", "::", "<<", ">>", "##", "&&", "||",
                                             "==",  "!=",  "<=",  ">=",  "++", "--", "+=", "-=", "*=", "/=",
                                             "%=",  "&=",  "|=",  "^=",  "->", ".*", "%:"};
constexpr std::string_view kBeginsLongPunctuator = "<>-.:#&|=!+*/%^";
constexpr std::string_view kSinglePunctuators = "{}[]#()<>%:;.?*+-/^&|~!=,";

// At the beginning of `text`; 1 of a character that is none.
std::size_t punctuator_length(std::string_view text) {
  if (kBeginsLongPunctuator.find(text.front()) != std::string_view::npos) {
    for (const std::string_view each : kPunctuators) {
      if (text.starts_with(each)) {
        return each.size();
      }
    }
  }
  return 1;
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return begins_word(c) || is_decimal(c); }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }
bool is_control_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && !is_space(c) && c != '\n') || byte == 0x7F;
}

}  // namespace

std::string spelled(const std::vector<PpToken>& tokens, std::size_t most) {
  std::string out;
  for (const PpToken& token : tokens) {
    out += token.blank_before && !out.empty() ? " " : "";
    out += token.text.substr(0, most);
    if (out.size() > most) {
      return out.substr(0, most) + "...";
    }
  }
  return out;
}

std::string_view TextStore::keep(std::string_view text) {
  if (text.size() > free_) {
    size_ = free_ = std::max(text.size(), kStoreBlock);
    blocks_.push_back(std::make_unique<char[]>(size_));
  }
  char* const to = blocks_.back().get() + (size_ - free_);
  std::memcpy(to, text.data(), text.size());
  free_ -= text.size();
  return {to, text.size()};
}

PpLexer::PpLexer(std::string_view text, FileId file, TextStore& store, Faults& faults)
    : text_(text), file_(file), store_(store), faults_(faults) {
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    faults_.error(Range{{file_, 1, 0}, 1},
                  "the file is in UTF-16; IDL is ASCII, with ISO 8859-1 or UTF-8 in comments and literals");
    text_ = {};
  }
  at_ = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // editors put one at the beginning of a UTF-8 file
}

void PpLexer::fault(std::string text) {
  if (!quiet_) {
    faults_.error(Range{position(), 1}, std::move(text));
  }
}

// A file that is no text has many of these.
void PpLexer::check_byte() {
  const char c = text_[at_];
  if (!is_control_byte(c) || quiet_) {
    return;
  }
  fault(c == '\0' ? "NUL character in the file" : "control character in the file");
  if (++bad_bytes_ == kMaxBadBytes) {
    throw Stop{};
  }
}

std::size_t PpLexer::splice_length(std::size_t offset) const {
  if (char_at(offset) != '\\') {
    return 0;
  }
  return char_at(offset + 1) == '\n' ? 2 : char_at(offset + 1) == '\r' && char_at(offset + 2) == '\n' ? 3 : 0;
}

std::size_t PpLexer::after_splices(std::size_t offset) const {
  while (const std::size_t length = splice_length(offset)) {
    offset += length;
  }
  return offset;
}

void PpLexer::pass_line_end(std::size_t length) {
  at_ += length;
  ++line_;
  line_start_ = at_;
}

void PpLexer::pass_splices_in_token() {
  while (const std::size_t length = splice_length(at_)) {
    before_ += text_.substr(rest_, at_ - rest_);
    pass_line_end(length);
    rest_ = at_;
  }
}

void PpLexer::advance() {
  ++at_;
  if (current() == '\\') {
    pass_splices_in_token();
  }
}

template <class Belongs>
void PpLexer::advance_while(Belongs belongs) {
  while (!at_end() && belongs(text_[at_])) {
    advance();
  }
}

PpToken& PpLexer::finish(PpToken& token, PpKind kind) {
  token.kind = kind;
  const std::string_view rest = text_.substr(rest_, at_ - rest_);
  token.text = before_.empty() ? rest : store_.keep(before_.append(rest));
  return token;
}

void PpLexer::skip_blanks(PpToken& token) {
  while (!at_end()) {
    const char c = text_[at_];
    if (is_space(c)) {
      ++at_;
    } else if (c == '\n') {
      if (in_directive_) {
        return;
      }
      pass_line_end(1);
      at_line_start_ = true;
    } else if (c == '\\') {
      const std::size_t length = splice_length(at_);
      if (length == 0) {
        return;
      }
      pass_line_end(length);
      continue;  // is no white space
    } else if (c == '/') {
      const char second = char_at(after_splices(at_ + 1));
      if (second == '/') {
        line_comment();
      } else if (second == '*') {
        block_comment();
      } else {
        return;
      }
    } else if (is_control_byte(c)) {
      check_byte();
      while (!at_end() && text_[at_] == c) {
        ++at_;
      }
    } else {
      return;
    }
    token.blank_before = true;
  }
}

void PpLexer::line_comment() {
  while (!at_end() && text_[at_] != '\n') {
    if (const std::size_t length = splice_length(at_)) {
      pass_line_end(length);
      continue;
    }
    if (text_[at_] == '\0') {
      check_byte();
    }
    ++at_;
  }
}

void PpLexer::block_comment() {
  const Position begin = position();
  const auto pass_splices = [this] {
    while (const std::size_t length = splice_length(at_)) {
      pass_line_end(length);
    }
  };
  ++at_;  // '/'
  pass_splices();
  ++at_;  // '*'
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '\n') {
      pass_line_end(1);
      continue;
    }
    if (c == '\0') {
      check_byte();
    }
    ++at_;
    if (c == '*') {
      pass_splices();
      if (current() == '/') {
        ++at_;
        return;
      }
    }
  }
  faults_.error(Range{begin, 2}, "comment is never closed");
}

// 2.9: takes in letters and signs of exponents, so that `1.5d` and `12abc` are one token.
void PpLexer::number() {
  while (continues_word(current()) || current() == '.') {
    const char c = text_[at_];
    const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    advance();
    if (exponent && (current() == '+' || current() == '-')) {
      advance();
    }
  }
}

// A literal ends with its line whether it is closed or not; the lexer of IDL reports it then.
PpKind PpLexer::quoted() {
  const char quote = text_[at_];
  advance();
  while (!at_end() && text_[at_] != '\n') {
    const char c = text_[at_];
    check_byte();
    advance();
    if (c == quote) {
      return quote == '"' ? PpKind::String : PpKind::Character;
    }
    if (c == '\\' && !at_end() && text_[at_] != '\n') {
      check_byte();
      advance();
    }
  }
  return PpKind::Open;
}

PpToken PpLexer::next() {
  PpToken token;
  skip_blanks(token);
  token.at = position();
  token.first_on_line = at_line_start_;
  before_.clear();
  rest_ = at_;
  if (at_end() || text_[at_] == '\n') {
    return token;
  }
  at_line_start_ = false;
  const char c = text_[at_];
  const std::size_t second_at = after_splices(at_ + 1);
  const char second = char_at(second_at);
  if (c == '"' || c == '\'') {
    return finish(token, quoted());
  }
  if (c == 'L' && (second == '"' || second == '\'')) {
    advance();
    return finish(token, quoted());
  }
  if (begins_word(c) || is_decimal(c) || (c == '.' && is_decimal(second))) {
    begins_word(c) ? advance_while(continues_word) : number();
    finish(token, begins_word(c) ? PpKind::Identifier : PpKind::Number);
    if (token.text.size() > kMaxIdentifier && !quiet_) {
      faults_.error(Range{token.at, 1}, std::string(begins_word(c) ? "name" : "number") + " longer than " +
                                            std::to_string(kMaxIdentifier) + " characters");
    }
    return token;
  }
  if (is_beyond_ascii(c)) {
    advance_while(is_beyond_ascii);
    return finish(token, PpKind::Other);
  }
  const char three[] = {c, second, char_at(after_splices(second_at + 1))};
  for (std::size_t n = punctuator_length({three, 3}); n > 0; --n) {
    advance();
  }
  return finish(token, kSinglePunctuators.find(c) != std::string_view::npos ? PpKind::Punctuator : PpKind::Other);
}

std::optional<PpToken> PpLexer::header_name() {
  PpToken token;
  skip_blanks(token);
  const char c = current();
  if (c != '"' && c != '<') {
    return std::nullopt;
  }
  token.at = position();
  before_.clear();
  rest_ = at_;
  const char closing = c == '<' ? '>' : c;
  advance();
  advance_while([closing](char each) { return each != closing && each != '\n'; });
  if (current() != closing) {
    return finish(token, PpKind::Open);
  }
  advance();
  return finish(token, PpKind::Header);
}

void PpLexer::end_directive() {
  while (next().kind != PpKind::End) {
  }
  in_directive_ = false;
}

}  // namespace callis::idl::source
