// SPDX-License-Identifier: Apache-2.0
// The words of a #pragma.
#include <idl/source/scan.h>

namespace callis::idl::source {

namespace {

class PragmaLine {
 public:
  PragmaLine(std::string_view text, std::size_t line_start, std::uint32_t line)
      : text_(text), at_(line_start), line_start_(line_start), line_(line) {}

  std::vector<PragmaWord> words() {
    std::vector<PragmaWord> out;
    int skipped = 0;  // `#`, `pragma`
    while (skip_blanks()) {
      PragmaWord word;
      word.line = line_;
      word.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
      const std::size_t begin = at_;
      if (skipped == 0) {
        at_ += text_.substr(at_).starts_with("%:") ? 2u : 1u;
      } else {
        skip_word();
      }
      word.text = text_.substr(begin, at_ - begin);
      if (skipped < 2) {
        ++skipped;
      } else {
        out.push_back(word);
      }
    }
    return out;
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool at_end() const { return at_ >= text_.size() || text_[at_] == '\n'; }
  bool at_continuation() const {
    return peek(0) == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'));
  }
  bool at_comment() const { return peek(0) == '/' && (peek(1) == '/' || peek(1) == '*'); }

  void next_line() {
    ++line_;
    line_start_ = at_;
  }

  // False at the end of the directive.
  bool skip_blanks() {
    while (!at_end()) {
      if (at_continuation()) {
        at_ += peek(1) == '\n' ? 2u : 3u;
        next_line();
      } else if (at_comment()) {
        if (peek(1) == '/') {
          return false;
        }
        skip_comment();
      } else if (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r')) {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_comment() {
    at_ += 2;
    while (at_ < text_.size() && !(text_[at_] == '*' && peek(1) == '/')) {
      ++at_;
      if (text_[at_ - 1] == '\n') {
        next_line();
      }
    }
    at_ = at_ < text_.size() ? at_ + 2 : at_;
  }

  void skip_word() {
    const char first = text_[at_];
    if (first == '"' || first == '\'') {
      ++at_;
      while (!at_end() && text_[at_] != first) {
        at_ += text_[at_] == '\\' && peek(1) != '\n' && peek(1) != '\0' ? 2u : 1u;
      }
      at_ += peek(0) == first ? 1u : 0u;
      return;
    }
    while (!at_end() && !at_continuation() && !at_comment() && text_[at_] != ' ' &&
           !(text_[at_] >= '\t' && text_[at_] <= '\r') && text_[at_] != '"' &&
           text_[at_] != '\'') {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t line_start_;
  std::uint32_t line_;
};

}  // namespace

std::vector<PragmaWord> pragma_words(std::string_view text, std::size_t line_start, std::uint32_t line) {
  return PragmaLine(text, line_start, line).words();
}

}  // namespace callis::idl::source
