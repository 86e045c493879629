// SPDX-License-Identifier: Apache-2.0
// Parser: descends through the grammar of annex B (Trading Object Service 1.0) and checks types on the way.
//
//   or         := and { "or" and }
//   and        := comparison { "and" comparison }
//   comparison := in [ ("==" | "!=" | "<" | "<=" | ">" | ">=") in ]
//   in         := match [ "in" NAME ]
//   match      := sum [ "~" sum ]                               left ~ right: left is part of right
//   sum        := product { ("+" | "-") product }
//   product    := factor_not { ("*" | "/") factor_not }
//   factor_not := [ "not" ] factor
//   factor     := "(" or ")" | "exist" NAME | NAME | ["-"] NUMBER | TEXT | TRUE | FALSE
#pragma once
#include <services/constraints/lexer.h>
#include <services/constraints/tree.h>
#include <unordered_map>

namespace callis::constraints {

class Parser final {
 public:
  // Throws Refused for a text that is too long. What is passed outlives this.
  Parser(std::string_view text, const ParseOptions& options);

  const Token& token() const { return token_; }
  void skip() { token_ = lexer_.next(); }
  // Nothing but the end may be next. Throws Refused.
  void expect_end();
  // An expression of that type, or Unknown; then the end.
  void expression(Type wanted, std::string_view of);
  std::shared_ptr<const Tree> tree() { return std::make_shared<const Tree>(std::move(tree_)); }

 private:
  class Deeper;
  struct Part {
    std::uint32_t node;
    std::size_t begin, end;  // in the text
  };
  Part either();
  Part both();
  Part comparison();
  Part membership();
  Part match();
  Part sum();
  Part product();
  Part negation();
  Part factor();
  Part name();

  Part add(Operator op, Type type, std::uint32_t left, std::uint32_t right, std::size_t begin, std::size_t end,
           Value literal = {});
  Part binary(Operator op, Type type, const Part& left, const Part& right);
  std::uint32_t number_of(const Token& name);
  Token take(Word word, std::string_view what);
  Type type(const Part& part) const { return tree_.nodes[part.node].type; }
  void need(const Part& part, Type wanted, std::string_view of) const;
  [[noreturn]] void refuse(const Part& part, std::string why) const;

  const std::string_view text_;
  const ParseOptions& options_;
  Lexer lexer_;
  Token token_;
  std::size_t last_end_ = 0;  // of the token before
  std::size_t depth_ = 0;
  Tree tree_;
  std::vector<Type> types_;  // of names
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace callis::constraints
