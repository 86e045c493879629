// SPDX-License-Identifier: Apache-2.0
#include <services/trading/names.h>
#include <services/trading/recipe.h>
#include <charconv>
#include <cmath>
#include <optional>

namespace callis::trading {

namespace {

using constraints::Kind;
using constraints::Value;

// Calls text(piece) and name(name) in their order; false: it is no recipe.
template<class Text, class Name>
bool read(std::string_view recipe, std::string_view all, const Text& text, const Name& name) {
  while (!recipe.empty()) {
    const std::size_t dollar = recipe.find('$');
    text(recipe.substr(0, dollar));
    if (dollar == std::string_view::npos) return true;
    recipe.remove_prefix(dollar + 1);
    if (recipe.starts_with('*')) {
      text(all);
      recipe.remove_prefix(1);
      continue;
    }
    const std::size_t close = recipe.find(')');
    if (!recipe.starts_with('(') || close == std::string_view::npos) return false;
    const std::string_view property = recipe.substr(1, close - 1);
    if (!is_property_name(property) || !name(property)) return false;
    recipe.remove_prefix(close + 1);
  }
  return true;
}

std::optional<std::string> literal(const Value& v) {
  char digits[64];
  const auto written = [&](std::to_chars_result r) { return std::string(digits, r.ptr); };
  switch (v.kind()) {
    case Kind::Boolean: return v.boolean() ? "TRUE" : "FALSE";
    case Kind::Integer: return written(std::to_chars(digits, digits + sizeof digits, v.integer()));
    case Kind::Unsigned: return written(std::to_chars(digits, digits + sizeof digits, v.bits()));
    case Kind::Real:
      if (!std::isfinite(v.real())) return std::nullopt;
      return written(std::to_chars(digits, digits + sizeof digits, v.real(), std::chars_format::scientific));
    case Kind::Text: {
      std::string out = "'";
      for (const char c : v.text()) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
      }
      return out + "'";
    }
    default: return std::nullopt;
  }
}

}  // namespace

bool is_recipe(std::string_view recipe, const std::function<bool(std::string_view)>& has) {
  if (recipe.size() > kMostRecipeBytes) return false;
  return read(
      recipe, {}, [](std::string_view) {}, has);
}

std::string follow_recipe(std::string_view recipe, std::string_view constraint,
                          const std::function<Value(std::string_view)>& value_of) {
  std::string out;
  // In parentheses, so that operators of the recipe do not bind closer than those in the constraint.
  const std::string all = constraint.find_first_not_of(" \t\r\n") == std::string_view::npos ? "TRUE"
                          : recipe == "$*"                                                  ? std::string(constraint)
                                           : "(" + std::string(constraint) + ")";
  bool fits = true;
  const auto add = [&](std::string_view text) {
    fits = fits && text.size() <= kMostMadeBytes - out.size();
    if (fits) out += text;
  };
  const bool done = read(recipe, all, add, [&](std::string_view name) {
    const auto text = fits ? literal(value_of(name)) : std::nullopt;
    if (text) add(*text);
    return text.has_value();
  });
  return done && fits ? out : "FALSE";
}

}  // namespace callis::trading
