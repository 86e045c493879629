// SPDX-License-Identifier: Apache-2.0
#include <idl/sema/evaluate.h>
#include <idl/sema/fixed.h>
#include <cfloat>
#include <cmath>
#include <string>

namespace callis::idl::sema {

namespace {

__extension__ using Wide = __int128;

constexpr Wide kLeast = -(Wide{1} << 63);
constexpr Wide kMost = (Wide{1} << 64) - 1;

struct Limits {
  Wide least;
  Wide most;
};

Limits limits(ast::TypeKind kind) {
  switch (kind) {
    case ast::TypeKind::Int8: return {-0x80, 0x7F};
    case ast::TypeKind::UInt8:
    case ast::TypeKind::Octet: return {0, 0xFF};
    case ast::TypeKind::Short: return {-0x8000, 0x7FFF};
    case ast::TypeKind::UShort: return {0, 0xFFFF};
    case ast::TypeKind::Long: return {-(Wide{1} << 31), (Wide{1} << 31) - 1};
    case ast::TypeKind::ULong: return {0, (Wide{1} << 32) - 1};
    case ast::TypeKind::LongLong: return {kLeast, (Wide{1} << 63) - 1};
    default: return {0, kMost};
  }
}

bool is_signed(ast::TypeKind kind) { return limits(kind).least < 0; }

std::string decimal(Wide value) {
  if (value == 0) {
    return "0";
  }
  std::string digits;
  for (Wide rest = value; rest != 0; rest /= 10) {
    const int digit = static_cast<int>(rest % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  return (value < 0 ? "-" : "") + digits;
}

// "an integer", "a string", … of what an expression came out as.
struct Describe {
  std::string operator()(Wide) const { return "an integer"; }
  std::string operator()(long double) const { return "a floating-point number"; }
  std::string operator()(const ast::FixedValue&) const { return "a fixed-point number"; }
  std::string operator()(const ast::Value& value) const {
    if (std::holds_alternative<bool>(value)) {
      return "a boolean";
    }
    if (std::holds_alternative<char>(value)) {
      return "a character";
    }
    if (std::holds_alternative<char32_t>(value)) {
      return "a wide character";
    }
    if (std::holds_alternative<std::string>(value)) {
      return "a string";
    }
    if (std::holds_alternative<std::u32string>(value)) {
      return "a wide string";
    }
    if (const auto* enumerator = std::get_if<const ast::Enumerator*>(&value)) {
      return "'" + (*enumerator)->name + "' of enum '" + (*enumerator)->type->name + "'";
    }
    return "a number";
  }
};

}  // namespace

std::nullopt_t Evaluator::error(const source::Range& where, std::string text) {
  diagnostics_.error(where, std::move(text));
  return std::nullopt;
}

std::nullopt_t Evaluator::mismatch(const parse::Expression& e, const Operand& value,
                                   const ast::Type& type) {
  const ast::Declaration* named = ast::declaration(type);
  const std::string wanted = "'" + (named != nullptr ? named->name : ast::idl_name(type)) + "'";
  std::string text = "a constant of type " + wanted + " cannot be " + std::visit(Describe{}, value);
  const auto kind = ast::strip_aliases(type).type_kind;
  if (kind == ast::TypeKind::Fixed && (std::holds_alternative<Wide>(value) || std::holds_alternative<long double>(value))) {
    text += "; write it with a 'd' at its end";
  }
  if (kind == ast::TypeKind::Boolean && std::holds_alternative<Wide>(value)) {
    text += "; write TRUE or FALSE";
  }
  return error(e.where, std::move(text));
}

// Computing -----------------------------------------------------------------------------------

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

// To the type of the constant -------------------------------------------------------------------

std::optional<ast::Value> Evaluator::to_integer(const parse::Expression& e, const Operand& value,
                                                const ast::Type& type) {
  const auto* number = std::get_if<Wide>(&value);
  if (number == nullptr) {
    return mismatch(e, value, type);
  }
  const auto kind = ast::strip_aliases(type).type_kind;
  const Limits range = limits(kind);
  if (*number < range.least || *number > range.most) {
    return error(e.where, decimal(*number) + " is out of range for '" +
                              ast::idl_name(ast::strip_aliases(type)) + "', " +
                              decimal(range.least) + " to " + decimal(range.most));
  }
  if (is_signed(kind)) {
    return ast::Value(static_cast<std::int64_t>(*number));
  }
  return ast::Value(static_cast<std::uint64_t>(*number));
}

std::optional<ast::Value> Evaluator::to_floating(const parse::Expression& e, const Operand& value,
                                                 const ast::Type& type) {
  const auto* number = std::get_if<long double>(&value);
  if (number == nullptr) {
    return mismatch(e, value, type);
  }
  const auto kind = ast::strip_aliases(type).type_kind;
  long double rounded = *number;
  if (kind == ast::TypeKind::Float) {
    rounded = static_cast<float>(*number);
  } else if (kind == ast::TypeKind::Double) {
    rounded = static_cast<double>(*number);
  }
  if (!std::isfinite(rounded)) {
    return error(e.where, "the value is too large for '" +
                              ast::idl_name(ast::strip_aliases(type)) + "'");
  }
  return ast::Value(rounded);
}

// A type with digits of its own must have room for the value.
std::optional<ast::Value> Evaluator::to_fixed(const parse::Expression& e, const Operand& value,
                                              const ast::Type& type) {
  const auto* number = std::get_if<ast::FixedValue>(&value);
  if (number == nullptr) {
    return mismatch(e, value, type);
  }
  const auto& fixed = *ast::as<ast::FixedType>(&ast::strip_aliases(type));
  const std::size_t whole = number->digits.size() - number->scale;
  const bool fits = number->scale <= fixed.scale && (whole + fixed.scale <= fixed.digits || is_zero(*number));
  if (fixed.digits != 0 && !fits) {
    return error(e.where, "the value has " + std::to_string(whole) + " digits before the point and " +
                              std::to_string(number->scale) + " behind it, which '" + ast::idl_name(fixed) +
                              "' cannot hold");
  }
  return ast::Value(*number);
}

template <class T>
std::optional<ast::Value> Evaluator::to_plain(const parse::Expression& e, const Operand& value,
                                              const ast::Type& type) {
  const auto* plain = std::get_if<ast::Value>(&value);
  if (plain == nullptr || !std::holds_alternative<T>(*plain)) {
    return mismatch(e, value, type);
  }
  return *plain;
}

template <class Text>
std::optional<ast::Value> Evaluator::to_text(const parse::Expression& e, const Operand& value,
                                             const ast::Type& type) {
  const auto plain = to_plain<Text>(e, value, type);
  const auto& string = *ast::as<ast::StringType>(&ast::strip_aliases(type));
  if (plain && string.bound != 0 && std::get<Text>(*plain).size() > string.bound) {
    return error(e.where, "the string has " + std::to_string(std::get<Text>(*plain).size()) +
                              " characters, its type allows " + std::to_string(string.bound));
  }
  return plain;
}

std::optional<ast::Value> Evaluator::to_enumerator(const parse::Expression& e,
                                                   const Operand& value, const ast::Type& type) {
  const auto plain = to_plain<const ast::Enumerator*>(e, value, type);
  if (plain && std::get<const ast::Enumerator*>(*plain)->type !=
                   ast::as<ast::Enum>(&ast::strip_aliases(type))) {
    return mismatch(e, value, type);
  }
  return plain;
}

std::optional<ast::Value> Evaluator::evaluate(const parse::Expression& e, const ast::Type& type) {
  const auto kind = ast::strip_aliases(type).type_kind;
  const bool wide = kind == ast::TypeKind::LongLong || kind == ast::TypeKind::ULongLong;
  const auto value = compute(e, Width{wide ? 64 : 32, is_signed(kind), ast::is_floating(kind),
                                    kind == ast::TypeKind::LongDouble});
  if (!value) {
    return std::nullopt;
  }
  if (ast::is_integer(kind)) {
    return to_integer(e, *value, type);
  }
  if (ast::is_floating(kind)) {
    return to_floating(e, *value, type);
  }
  switch (kind) {
    case ast::TypeKind::Boolean: return to_plain<bool>(e, *value, type);
    case ast::TypeKind::Char: return to_plain<char>(e, *value, type);
    case ast::TypeKind::WChar: return to_plain<char32_t>(e, *value, type);
    case ast::TypeKind::String: return to_text<std::string>(e, *value, type);
    case ast::TypeKind::WString: return to_text<std::u32string>(e, *value, type);
    case ast::TypeKind::Enum: return to_enumerator(e, *value, type);
    case ast::TypeKind::Fixed: return to_fixed(e, *value, type);
    default: return mismatch(e, *value, type);
  }
}

std::optional<std::uint32_t> Evaluator::positive(const parse::Expression& e,
                                                 std::string_view what) {
  return between(e, what, 1, 0xFFFF'FFFF);
}

std::optional<std::uint32_t> Evaluator::between(const parse::Expression& e, std::string_view what,
                                                std::uint32_t least, std::uint32_t most) {
  const auto value = compute(e, Width{32, false, false, false});
  if (!value) {
    return std::nullopt;
  }
  const auto* number = std::get_if<Wide>(&*value);
  if (number == nullptr) {
    return error(e.where, std::string(what) + " must be an integer, not " +
                              std::visit(Describe{}, *value));
  }
  if (*number < least || *number > most) {
    return error(e.where, std::string(what) + " must be " + std::to_string(least) + " to " + std::to_string(most) +
                              ", not " + decimal(*number));
  }
  return static_cast<std::uint32_t>(*number);
}

}  // namespace callis::idl::sema
