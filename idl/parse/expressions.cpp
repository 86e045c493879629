// SPDX-License-Identifier: Apache-2.0
// The parser's rules for constant expressions.
#include <idl/parse/literal.h>
#include <idl/parse/parser.h>
#include <idl/source/limits.h>

namespace callis::idl::parse {

namespace {

constexpr int kFirstLevel = 0;
constexpr int kLevels = 6;  // or, xor, and, shift, add, multiply

template <class T>
ExpressionPtr literal(const Token& token, std::optional<T> value) {
  auto out = std::make_unique<Expression>();
  out->where = token.where;
  if (value) {
    out->value = std::move(*value);
  }
  return out;
}

}  // namespace

ExpressionPtr Parser::expression() {
  operators_ = 0;
  return binary(kFirstLevel);
}

std::optional<Operator> Parser::binary_operator(int level) {
  switch (level) {
    case 0: return at(TokenKind::Pipe) ? std::optional(Operator::Or) : std::nullopt;
    case 1: return at(TokenKind::Caret) ? std::optional(Operator::Xor) : std::nullopt;
    case 2: return at(TokenKind::Ampersand) ? std::optional(Operator::And) : std::nullopt;
    case 3:
      if (at(TokenKind::ShiftLeft)) {
        return Operator::ShiftLeft;
      }
      if (at(TokenKind::ShiftRight)) {
        if (angles_ > 1) {
          return std::nullopt;  // `sequence<sequence<long, 8>>`: both brackets close
        }
        return Operator::ShiftRight;
      }
      return std::nullopt;
    case 4:
      return at(TokenKind::Plus)    ? std::optional(Operator::Add)
             : at(TokenKind::Minus) ? std::optional(Operator::Subtract)
                                    : std::nullopt;
    default:
      return at(TokenKind::Star)      ? std::optional(Operator::Multiply)
             : at(TokenKind::Slash)   ? std::optional(Operator::Divide)
             : at(TokenKind::Percent) ? std::optional(Operator::Remainder)
                                      : std::nullopt;
  }
}

// All binary operators associate to the left.
ExpressionPtr Parser::binary(int level) {
  if (level == kLevels) {
    return unary();
  }
  ExpressionPtr left = binary(level + 1);
  while (const auto op = binary_operator(level)) {
    if (++operators_ > kMaxOperators) {
      fail(token_.where, "more than " + std::to_string(kMaxOperators) + " operators in one expression");
    }
    const source::Range op_where = token_.where;
    advance();
    ExpressionPtr right = binary(level + 1);
    auto both = std::make_unique<Expression>();
    both->where = source::join(left->where, right->where);
    both->value = Expression::Binary{*op, op_where, std::move(left), std::move(right)};
    left = std::move(both);
  }
  return left;
}

ExpressionPtr Parser::unary() {
  std::optional<Operator> op;
  if (at(TokenKind::Plus)) {
    op = Operator::Plus;
  } else if (at(TokenKind::Minus)) {
    op = Operator::Minus;
  } else if (at(TokenKind::Tilde)) {
    op = Operator::Complement;
  }
  if (!op) {
    return primary();
  }
  const source::Range begin = token_.where;
  advance();
  auto out = std::make_unique<Expression>();
  ExpressionPtr operand = primary();
  out->where = source::join(begin, operand->where);
  out->value = Expression::Unary{*op, std::move(operand)};
  return out;
}

ExpressionPtr Parser::primary() {
  const Level level(*this);
  const Token token = token_;
  if (token.kind == TokenKind::Identifier && (token.keyword == Keyword::True || token.keyword == Keyword::False)) {
    advance();  // `true`, which has been reported
    return literal(token, std::optional(token.keyword == Keyword::True));
  }
  switch (token.kind) {
    case TokenKind::Identifier:
    case TokenKind::Scope: {
      auto out = std::make_unique<Expression>();
      ScopedName name = scoped_name("a name");
      out->where = name.where;
      out->value = std::move(name);
      return out;
    }
    case TokenKind::Integer: advance(); return literal(token, decode_integer(token, diagnostics_));
    case TokenKind::Floating:
      advance();
      return literal(token, decode_floating(token, diagnostics_));
    case TokenKind::Character:
      advance();
      return literal(token, decode_character(token, diagnostics_));
    case TokenKind::WideCharacter:
      advance();
      return literal(token, decode_wide_character(token, diagnostics_));
    case TokenKind::String:
    case TokenKind::WideString: return string_literal();
    case TokenKind::Fixed: advance(); return literal(token, decode_fixed(token, diagnostics_));
    case TokenKind::LeftParenthesis: {
      advance();
      const int outer = angles_;
      angles_ = 0;
      ExpressionPtr out = binary(kFirstLevel);
      angles_ = outer;
      expect(TokenKind::RightParenthesis, "after the expression");
      out->where = source::join(token.where, previous_);
      return out;
    }
    default: break;
  }
  if (at(TokenKind::Keyword) && is_component_word(token_.keyword)) {
    auto out = std::make_unique<Expression>();
    ScopedName name = scoped_name("a name");
    out->where = name.where;
    out->value = std::move(name);
    return out;
  }
  if (at(Keyword::True) || at(Keyword::False)) {
    const bool value = at(Keyword::True);
    advance();
    return literal(token, std::optional(value));
  }
  fail_expected("a constant");
}

// Adjacent literals are one (IDL 4.2, 7.2.6.3).
ExpressionPtr Parser::string_literal() {
  auto out = std::make_unique<Expression>();
  out->where = token_.where;
  const TokenKind kind = token_.kind;
  bool good = true;
  std::string narrow;
  std::u32string wide;
  while (at(TokenKind::String) || at(TokenKind::WideString)) {
    if (!at(kind)) {
      fail(token_.where, "a string and a wide string cannot be joined");
    }
    if (kind == TokenKind::String) {
      const auto text = decode_string(token_, diagnostics_);
      good = good && text;
      narrow += text.value_or("");
    } else {
      const auto text = decode_wide_string(token_, diagnostics_);
      good = good && text;
      wide += text.value_or(U"");
    }
    out->where = source::join(out->where, token_.where);
    advance();
  }
  if (good && kind == TokenKind::String) {
    out->value = std::move(narrow);
  } else if (good) {
    out->value = std::move(wide);
  }
  return out;
}

}  // namespace callis::idl::parse
