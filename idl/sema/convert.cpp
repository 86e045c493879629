// SPDX-License-Identifier: Apache-2.0
// What a constant expression comes to, as a value of the constant's type.
#include <idl/sema/evaluate.h>
#include <idl/sema/fixed.h>
#include <idl/sema/numbers.h>
#include <cmath>
#include <string>

namespace callis::idl::sema {

std::nullopt_t Evaluator::mismatch(const parse::Expression& e, const Operand& value,
                                   const ast::Type& type) {
  const ast::Declaration* named = ast::declaration(type);
  const std::string wanted = "'" + (named != nullptr ? named->name : ast::idl_name(type)) + "'";
  std::string text = "a constant of type " + wanted + " cannot be " + std::visit(Describe{}, value);
  const auto kind = ast::strip_aliases(type).type_kind;
  if (kind == ast::TypeKind::Fixed &&
      (std::holds_alternative<Wide>(value) || std::holds_alternative<long double>(value))) {
    text += "; write it with a 'd' at its end";
  }
  if (kind == ast::TypeKind::Boolean && std::holds_alternative<Wide>(value)) {
    text += "; write TRUE or FALSE";
  }
  return error(e.where, std::move(text));
}

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
