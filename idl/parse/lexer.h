// SPDX-License-Identifier: Apache-2.0
// Lexer: the words of a preprocessed text, one after the other. Works on any bytes: what is no
// word is reported once and skipped.
#pragma once
#include <idl/parse/token.h>
#include <idl/source/diagnostics.h>
#include <idl/source/preprocess.h>

namespace callis::idl::parse {

class Lexer {
 public:
  // `text` and `diagnostics` must outlive the lexer; the tokens point into `text`.
  Lexer(const source::Preprocessed& text, source::Diagnostics& diagnostics)
      : source_(text), text_(text.text), diagnostics_(diagnostics) {}
  // Only text[begin, end): the words of a #pragma.
  Lexer(const source::Preprocessed& text, std::size_t begin, std::size_t end,
        source::Diagnostics& diagnostics)
      : source_(text),
        text_(std::string_view(text.text).substr(0, end)),
        diagnostics_(diagnostics),
        at_(begin) {}

  // The next token; End again and again at the end.
  Token next();

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_blanks();
  Token finish(TokenKind kind, std::size_t begin);
  Token word();
  void differs_in_case(const Token& t, Keyword keyword);
  Token number();
  Token quoted(TokenKind kind, std::size_t begin);
  Token pragma();
  Token punctuation();
  void stray();

  const source::Preprocessed& source_;
  std::string_view text_;
  source::Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

}  // namespace callis::idl::parse
