// SPDX-License-Identifier: Apache-2.0
// Lexer: the words of a constraint or a preference. The text comes from a peer.
#pragma once
#include <services/constraints/refused.h>
#include <services/constraints/value.h>
#include <string>
#include <string_view>

namespace callis::constraints {

enum class Word : std::uint8_t {
  End,
  Name,
  Number,
  Text,
  True,
  False,
  And,
  Or,
  Not,
  Exist,
  In,
  Min,
  Max,
  With,
  Random,
  First,
  Equal,
  Unequal,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Matches,
  Plus,
  Minus,
  Times,
  Divide,
  Open,
  Close,
};

struct Token {
  Word word = Word::End;
  std::size_t at = 0, bytes = 0;
  std::string text;  // of a name; of a literal text, without quotes and escapes
  Value number;
};

class Lexer final {
 public:
  // text outlives this.
  Lexer(std::string_view text, bool paths) : text_(text), paths_(paths) {}
  // Throws Refused.
  Token next();

 private:
  Token name_or_keyword();
  Token path();
  Token number();
  Token literal();
  Token sign();
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  const std::string_view text_;
  const bool paths_;
  std::size_t next_ = 0;
};

}  // namespace callis::constraints
