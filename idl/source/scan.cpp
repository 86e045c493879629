// SPDX-License-Identifier: Apache-2.0
// A look over a file before it is preprocessed: characters and quotes that do not end, growth without bound.
#include <idl/source/limits.h>
#include <idl/source/scan.h>
#include <utility>

namespace callis::idl::source {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Scan run() {
    mark_line();
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      fault(1, 0, "the file is in UTF-16; IDL is ASCII, with ISO 8859-1 or UTF-8 in comments and literals");
      return std::move(result_);
    }
    skip_byte_order_mark();
    while (at_ < text_.size()) {
      step();
    }
    end_directive();
    for (const auto& [line, name] : open_conditions_) {
      fault(line, 1, "#" + name + " has no #endif");
    }
    return std::move(result_);
  }

 private:
  // Editors put one at the beginning of a UTF-8 file.
  void skip_byte_order_mark() {
    if (text_.starts_with("\xEF\xBB\xBF")) {
      result_.blanks = {0, 1, 2};
      at_ = 3;
    }
  }

  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void fault(std::uint32_t line, std::size_t column, std::string text) {
    if (result_.faults.size() < 5) {
      result_.faults.push_back({line, static_cast<std::uint32_t>(column), std::move(text)});
    }
  }

  std::size_t column() const { return at_ - line_start_ + 1; }

  void mark_line() {
    result_.directive.resize(line_ + 1, false);
    result_.directive[line_] = in_directive_;
  }

  void end_directive() {
    if (in_directive_) {
      result_.directive_bytes += at_ - directive_start_;
    }
    if (in_directive_ && at_ - directive_start_ > kMaxDirectiveBytes) {
      fault(directive_line_, 1, "directive of more than " + std::to_string(kMaxDirectiveBytes >> 10) + " KB");
    }
  }

  // Past the newline at at_.
  void newline(bool continued) {
    ++at_;
    if (!continued) {
      end_directive();
    }
    ++line_;
    line_start_ = at_;
    if (!continued) {
      in_directive_ = false;
      in_condition_ = false;
      blank_ = true;
    }
    mark_line();
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      newline(false);
    } else if (c == '\\' && peek(1) == '\n') {
      ++at_;
      newline(true);
    } else if (c == '\\' && peek(1) == '\r' && peek(2) == '\n') {
      at_ += 2;
      newline(true);
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (is_word(c)) {
      word();
    } else {
      other(c);
    }
  }

  void line_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\' && peek(1) == '\n') {
        ++at_;
        newline(true);
      } else {
        comment_byte();
      }
    }
  }

  void block_comment() {
    const std::uint32_t line = line_;
    const std::size_t col = column();
    at_ += 2;
    while (at_ < text_.size()) {
      if (text_[at_] == '*' && peek(1) == '/') {
        at_ += 2;
        return;
      }
      if (text_[at_] == '\n') {
        newline(true);
      } else {
        comment_byte();
      }
    }
    fault(line, col, "comment is never closed");
  }

  // A literal ends with its line even when it is not closed: the lexer reports that, but that the preprocessor cannot
  // take very long ones.
  void quoted(char quote) {
    const std::uint32_t line = line_;
    const std::size_t begin = at_, col = column();
    blank_ = false;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        check_byte();
        ++at_;
      } else if (text_[at_] == '\\' && peek(1) == '\n') {
        ++at_;
        newline(true);
        continue;
      } else if (text_[at_] == quote) {
        ++at_;
        return;
      }
      check_byte();
      ++at_;
    }
    if (at_ - begin > kMaxOpenLiteralBytes) {
      fault(line, col, quote == '"' ? "string is not closed on its line" : "character is not closed on its line");
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) {
      ++at_;
    }
    if (at_ - begin > kMaxIdentifier) {
      fault(line_, begin - line_start_ + 1,
            "name longer than " + std::to_string(kMaxIdentifier) + " characters");
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "_Pragma") {
      fault(line_, begin - line_start_ + 1, std::string(kNoPragmaOperator));
    }
    if (hash_seen_) {
      conditional(name);
      in_condition_ = name == "if" || name == "elif";
      if (name == "elif" && text_.substr(at_, text_.find('\n', at_) - at_).find_first_not_of(" \t\r") == text_.npos) {
        fault(line_, 1, "#elif needs a condition");
      }
      condition_depth_ = 0;
      unary_run_ = 0;
      hash_seen_ = false;
      if (name == "else" || name == "endif") {
        blank_rest();
      }
    }
    blank_ = false;
  }

  // `#endif NAME`, as many files have it without comment signs: other preprocessors pass over the name.
  void blank_rest() {
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\\' && !(text_[at_] == '/' && peek(1) == '/')) {
      if (text_[at_] == '/' && peek(1) == '*') {
        block_comment();
        continue;
      }
      check_byte();
      if (text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r') {
        result_.blanks.push_back(at_);
      }
      ++at_;
    }
  }

  void other(char c) {
    check_byte();
    if (c == '#' && blank_ && directive_without_effect()) {
      return;
    }
    if (c == '#' && blank_ && peek(1) != '#') {
      in_directive_ = true;
      directive_start_ = at_;
      directive_line_ = line_;
      hash_seen_ = true;
      mark_line();
    } else if (c != ' ' && c != '\t' && c != '\r') {
      hash_seen_ = false;
      if (in_condition_) {
        condition(c);
      }
    }
    if (c != ' ' && c != '\t' && c != '\r') {
      blank_ = false;
    }
    ++at_;
  }

  // `# 3 "x.idl"`, as C preprocessors leave it, and `#ident "text"`: taken for blank lines. False where this is
  // neither.
  bool directive_without_effect() {
    std::size_t ahead = 1;
    while (peek(ahead) == ' ' || peek(ahead) == '\t') {
      ++ahead;
    }
    const bool marker = peek(ahead) >= '0' && peek(ahead) <= '9';
    const bool ident = text_.substr(at_ + ahead, 5) == "ident" && !is_word(peek(ahead + 5));
    if (!marker && !ident) {
      return false;
    }
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      check_byte();
      result_.blanks.push_back(at_);
    }
    return true;
  }

  // Evaluating a condition recurses for parentheses, unary operators and `?`.
  void condition(char c) {
    if (c == '(' || c == '?') {
      ++condition_depth_;
    } else if (c == ')' && condition_depth_ > 0) {
      --condition_depth_;
    }
    const bool unary = c == '!' || c == '~' || c == '-' || c == '+';
    unary_run_ = unary ? unary_run_ + 1 : c == '(' ? unary_run_ : 0;
    if (condition_depth_ + unary_run_ > kMaxConditionDepth) {
      in_condition_ = false;
      fault(line_, column(), "condition is nested too deep");
    }
  }

  // #if … #endif must be balanced in each file.
  void conditional(std::string_view name) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      open_conditions_.emplace_back(line_, name);
    } else if (name == "else" || name == "elif" || name == "endif") {
      if (open_conditions_.empty()) {
        fault(line_, 1, "#" + std::string(name) + " has no #if");
      } else if (name == "endif") {
        open_conditions_.pop_back();
      }
    }
  }

  static bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && !(byte >= '\t' && byte <= '\r')) || byte == 0x7F;
  }

  void check_byte() {
    if (text_[at_] == '\0') {
      fault(line_, column(), "NUL character in the file");
    } else if (is_control(text_[at_])) {
      fault(line_, column(), "control character in the file");
    }
  }

  void comment_byte() {
    if (text_[at_] == '\0') {
      fault(line_, column(), "NUL character in the file");
    } else if (is_control(text_[at_])) {
      result_.blanks.push_back(at_);
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  bool blank_ = true;  // nothing but blanks and comments on this line so far
  bool in_directive_ = false;
  std::size_t directive_start_ = 0;
  std::uint32_t directive_line_ = 0;
  bool hash_seen_ = false;
  bool in_condition_ = false;
  std::size_t condition_depth_ = 0;
  std::size_t unary_run_ = 0;
  std::vector<std::pair<std::uint32_t, std::string>> open_conditions_;
  Scan result_;
};

}  // namespace

Scan scan(std::string_view text) { return Scanner(text).run(); }

}  // namespace callis::idl::source
