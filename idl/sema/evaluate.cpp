// SPDX-License-Identifier: Apache-2.0
// The values of constant expressions, and their ranges.
#include <idl/sema/evaluate.h>
#include <idl/sema/fixed.h>
#include <idl/sema/numbers.h>
#include <cmath>
#include <string>

namespace callis::idl::sema {

std::nullopt_t Evaluator::error(const source::Range& where, std::string text) {
  diagnostics_.error(where, std::move(text));
  return std::nullopt;
}

std::optional<Evaluator::Operand> Evaluator::in_range(const parse::Expression& e, Wide value) {
  if (value < kLeast || value > kMost) {
    return error(e.where, "this comes to " + decimal(value) + ", which no integer type can hold");
  }
  return value;
}

std::optional<Evaluator::Operand> Evaluator::compute(const parse::Expression& e, Width width) {
  if (const auto* v = std::get_if<std::uint64_t>(&e.value)) {
    return number(Wide{*v}, width);
  }
  if (const auto* v = std::get_if<parse::FixedLiteral>(&e.value)) {
    return ast::FixedValue{false, v->digits, v->scale};
  }
  if (const auto* v = std::get_if<long double>(&e.value)) {
    return width.long_double ? *v : static_cast<double>(*v);
  }
  if (const auto* v = std::get_if<bool>(&e.value)) {
    return ast::Value(*v);
  }
  if (const auto* v = std::get_if<char>(&e.value)) {
    return ast::Value(*v);
  }
  if (const auto* v = std::get_if<char32_t>(&e.value)) {
    return ast::Value(*v);
  }
  if (const auto* v = std::get_if<std::string>(&e.value)) {
    return ast::Value(*v);
  }
  if (const auto* v = std::get_if<std::u32string>(&e.value)) {
    return ast::Value(*v);
  }
  if (const auto* v = std::get_if<parse::ScopedName>(&e.value)) {
    return name(*v, width);
  }
  if (const auto* v = std::get_if<parse::Expression::Unary>(&e.value)) {
    return unary(e, *v, width);
  }
  if (const auto* v = std::get_if<parse::Expression::Binary>(&e.value)) {
    return binary(e, *v, width);
  }
  return std::nullopt;  // reported by the parser
}

Evaluator::Operand Evaluator::number(Wide value, Width width) const {
  if (width.floating) {
    return static_cast<long double>(value);
  }
  return value;
}

std::optional<Evaluator::Operand> Evaluator::name(const parse::ScopedName& n, Width width) {
  const ast::Declaration* d = resolve_(n);
  if (d == nullptr) {
    return std::nullopt;
  }
  if (const auto* enumerator = ast::as<ast::Enumerator>(d)) {
    return ast::Value(enumerator);
  }
  const auto* constant = ast::as<ast::Const>(d);
  if (constant == nullptr) {
    diagnostics_.error(n.where, std::string(ast::kind_name(d->kind)) + " '" + to_string(n) +
                                    "' is not a constant");
    if (d->where.begin.known()) {
      diagnostics_.note(d->where, "it is declared here");
    }
    return std::nullopt;
  }
  if (const auto* v = std::get_if<std::int64_t>(&constant->value)) {
    return number(Wide{*v}, width);
  }
  if (const auto* v = std::get_if<std::uint64_t>(&constant->value)) {
    return number(Wide{*v}, width);
  }
  if (const auto* v = std::get_if<ast::FixedValue>(&constant->value)) {
    return *v;
  }
  if (const auto* v = std::get_if<long double>(&constant->value)) {
    return *v;
  }
  return constant->value;
}

std::optional<Evaluator::Operand> Evaluator::unary(const parse::Expression& e,
                                                   const parse::Expression::Unary& u,
                                                   Width width) {
  const auto operand = compute(*u.operand, width);
  if (!operand) {
    return std::nullopt;
  }
  if (const auto* number = std::get_if<long double>(&*operand)) {
    if (u.op == parse::Operator::Complement) {
      return error(e.where, "'~' is only for integers");
    }
    return u.op == parse::Operator::Minus ? -*number : *number;
  }
  if (const auto* number = std::get_if<ast::FixedValue>(&*operand)) {
    if (u.op == parse::Operator::Complement) {
      return error(e.where, "'~' is only for integers");
    }
    return u.op == parse::Operator::Minus ? negated(*number) : *number;
  }
  const auto* value = std::get_if<Wide>(&*operand);
  if (value == nullptr) {
    return error(u.operand->where, "'" + std::string(spelling(u.op)) + "' cannot be applied to " +
                                       std::visit(Describe{}, *operand));
  }
  switch (u.op) {
    case parse::Operator::Minus: return in_range(e, -*value);
    case parse::Operator::Complement:
      if (width.is_signed || *value < 0) {
        return in_range(e, -(*value + 1));
      }
      if (*value >= Wide{1} << width.bits) {
        return error(e.where, "'~' of " + decimal(*value) + ", which has more than " +
                                  std::to_string(width.bits) + " bits");
      }
      return (Wide{1} << width.bits) - 1 - *value;
    default: return *value;
  }
}

std::optional<Evaluator::Operand> Evaluator::binary(const parse::Expression& e,
                                                    const parse::Expression::Binary& b,
                                                    Width width) {
  const auto left = compute(*b.left, width);
  const auto right = compute(*b.right, width);
  if (!left || !right) {
    return std::nullopt;
  }
  const auto refuse = [&](const parse::Expression& side, const Operand& value) {
    return error(side.where, "'" + std::string(spelling(b.op)) + "' cannot be applied to " +
                                 std::visit(Describe{}, value));
  };
  if (std::holds_alternative<ast::Value>(*left)) {
    return refuse(*b.left, *left);
  }
  if (std::holds_alternative<ast::Value>(*right)) {
    return refuse(*b.right, *right);
  }
  if (left->index() != right->index()) {
    return error(b.op_where, "'" + std::string(spelling(b.op)) + "' cannot mix " + std::visit(Describe{}, *left) +
                                 " and " + std::visit(Describe{}, *right));
  }
  if (const auto* number = std::get_if<ast::FixedValue>(&*left)) {
    return fixed(b, *number, std::get<ast::FixedValue>(*right));
  }
  if (const auto* number = std::get_if<long double>(&*left)) {
    return floating(e, b, *number, std::get<long double>(*right), width);
  }
  const auto value = integer(b, std::get<Wide>(*left), std::get<Wide>(*right), width);
  return value ? in_range(e, *value) : std::nullopt;
}

// The operands lie in -2^63 … 2^64-1, so that no sum overflows 128 bits; products may.
std::optional<Evaluator::Wide> Evaluator::integer(const parse::Expression::Binary& b, Wide left,
                                                  Wide right, Width width) {
  switch (b.op) {
    case parse::Operator::Or: return left | right;
    case parse::Operator::Xor: return left ^ right;
    case parse::Operator::And: return left & right;
    case parse::Operator::Add: return left + right;
    case parse::Operator::Subtract: return left - right;
    case parse::Operator::Multiply: {
      Wide product = 0;
      if (__builtin_mul_overflow(left, right, &product)) {
        return error(b.op_where, "the product is too large for any integer type");
      }
      return product;
    }
    case parse::Operator::Divide:
    case parse::Operator::Remainder:
      if (right == 0) {
        return error(b.right->where, "division by zero");
      }
      return b.op == parse::Operator::Divide ? left / right : left % right;
    case parse::Operator::ShiftLeft:
    case parse::Operator::ShiftRight: return shift(b, left, right, width);
    default: return std::nullopt;
  }
}

std::optional<Evaluator::Wide> Evaluator::shift(const parse::Expression::Binary& b, Wide left,
                                                Wide right, Width width) {
  if (right < 0 || right >= 64) {
    return error(b.right->where, "shift by " + decimal(right) + "; only 0 to 63 is possible");
  }
  const int count = static_cast<int>(right);
  if (b.op == parse::Operator::ShiftLeft) {
    Wide out = 0;
    if (__builtin_mul_overflow(left, Wide{1} << count, &out)) {
      return error(b.op_where, "the result of the shift is too large for any integer type");
    }
    return out;
  }
  if (left < 0) {  // zeros come in from the left
    left += Wide{1} << (left < -(Wide{1} << 31) ? 64 : width.bits);
  }
  return left >> count;
}

std::optional<Evaluator::Operand> Evaluator::floating(const parse::Expression& e,
                                                      const parse::Expression::Binary& b,
                                                      long double left, long double right,
                                                      Width width) {
  long double out = 0;
  switch (b.op) {
    case parse::Operator::Add: out = left + right; break;
    case parse::Operator::Subtract: out = left - right; break;
    case parse::Operator::Multiply: out = left * right; break;
    case parse::Operator::Divide:
      if (right == 0) {
        return error(b.right->where, "division by zero");
      }
      out = left / right;
      break;
    default:
      return error(b.op_where, "'" + std::string(spelling(b.op)) + "' is only for integers");
  }
  if (!width.long_double) {
    out = static_cast<double>(out);
  }
  if (!std::isfinite(out)) {
    return error(e.where, "the result is too large for this floating-point type");
  }
  return out;
}

std::optional<Evaluator::Operand> Evaluator::fixed(const parse::Expression::Binary& b, const ast::FixedValue& left,
                                                   const ast::FixedValue& right) {
  std::optional<ast::FixedValue> out;
  switch (b.op) {
    case parse::Operator::Add: out = fixed_sum(left, right); break;
    case parse::Operator::Subtract: out = fixed_sum(left, negated(right)); break;
    case parse::Operator::Multiply: out = fixed_product(left, right); break;
    case parse::Operator::Divide:
      if (is_zero(right)) {
        return error(b.right->where, "division by zero");
      }
      out = fixed_quotient(left, right);
      break;
    default: return error(b.op_where, "'" + std::string(spelling(b.op)) + "' is only for integers");
  }
  if (!out) {
    return error(b.op_where, "the result has more than 31 digits before the point");
  }
  return *out;
}

}  // namespace callis::idl::sema
