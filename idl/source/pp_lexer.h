// SPDX-License-Identifier: Apache-2.0
// Private to this folder: text to preprocessing tokens (ISO 14882, 2.1 and 2.4). Lines that end with a backslash are
// joined to the next, comments count as white space. The lexer of IDL reads the text of the tokens again later, so
// that a token here is no more than what macros must not tear apart: `::`, `>>`, `L"x"`, `1.5d`.
#pragma once
#include <idl/source/faults.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::source {

enum class PpKind : std::uint8_t {
  End,  // of the text; within a directive, of its line
  Identifier,
  Number,
  String,
  Character,
  Open,        // a literal that its line does not close, to the end of the line
  Header,      // "x" or <x> behind #include
  Punctuator,  // of C++
  Other,       // one character, or a run of bytes outside ASCII
};

struct PpToken {
  std::string_view text;         // lives as long as the text it was read from, or the TextStore
  Position at;                   // where it was written; of what a macro made, the outermost macro's use
  std::uint32_t use_length = 0;  // 0: it was written at `at` as it is; else the length of the macro's name there
  PpKind kind = PpKind::End;
  bool blank_before = false;   // white space, comments, or the beginning of a line
  bool first_on_line = false;  // a `#` here begins a directive
  bool painted = false;        // a macro's name that came out of that macro: never expanded (16.3.4)

  bool is(PpKind k, std::string_view t) const { return kind == k && text == t; }
  bool is(std::string_view punctuator) const { return is(PpKind::Punctuator, punctuator); }
  Range where() const {
    return {at, use_length != 0 ? use_length : static_cast<std::uint32_t>(text.empty() ? 1 : text.size())};
  }
};

// The tokens as text: white space between them is one blank. At most `most` bytes.
std::string spelled(const std::vector<PpToken>& tokens, std::size_t most);

// Keeps text that stands in no file: words that macros make, words that are written over two lines.
class TextStore {
 public:
  std::string_view keep(std::string_view text);

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t free_ = 0;  // bytes at the end of the last block
  std::size_t size_ = 0;  // of the last block
};

class PpLexer {
 public:
  // `file`: what positions name. Both `text` and `store` must outlive the tokens.
  PpLexer(std::string_view text, FileId file, TextStore& store, Faults& faults);

  PpToken next();
  // "x" or <x>, if that is what comes next.
  std::optional<PpToken> header_name();

  // A directive ends with its line: next() does not go beyond it until end_directive().
  void begin_directive() { in_directive_ = true; }
  void end_directive();

  // Reports no faults: in a group that is skipped.
  void set_quiet(bool quiet) { quiet_ = quiet; }

  std::size_t offset() const { return at_; }
  Position position() const { return {file_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

 private:
  char char_at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  char current() const { return char_at(at_); }
  bool at_end() const { return at_ >= text_.size(); }

  // Joined lines.
  std::size_t splice_length(std::size_t offset) const;  // 0: there is none
  std::size_t after_splices(std::size_t offset) const;
  void pass_line_end(std::size_t length);
  void pass_splices_in_token();

  // Within a token: goes on by one character, and over what joins lines behind it.
  void advance();
  template <class Belongs>
  void advance_while(Belongs belongs);
  PpToken& finish(PpToken& token, PpKind kind);

  void skip_blanks(PpToken& token);
  void line_comment();
  void block_comment();
  void number();
  PpKind quoted();
  void check_byte();
  void fault(std::string text);

  std::string_view text_;
  FileId file_;
  TextStore& store_;
  Faults& faults_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  bool at_line_start_ = true;
  bool in_directive_ = false;
  bool quiet_ = false;
  std::size_t bad_bytes_ = 0;

  // The token being read: what stood before the last line that was joined, and where the rest begins.
  std::string before_;
  std::size_t rest_ = 0;
};

}  // namespace callis::idl::source
