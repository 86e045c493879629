// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/constants.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/names.h>
#include <cstdio>

namespace callis::idl::backends::classic {

namespace {

using ast::TypeKind;

std::string signed_literal(TypeKind k, std::int64_t v) {
  const char* suffix = k == TypeKind::LongLong ? "LL" : "";
  // The least number has no literal: its absolute value is too large.
  if (k == TypeKind::LongLong && v == INT64_MIN) return "-9223372036854775807LL - 1";
  if (k == TypeKind::Long && v == INT32_MIN) return "-2147483647 - 1";
  return cat(v, suffix);
}

std::string floating_literal(TypeKind k, long double v) {
  char s[64];
  std::snprintf(s, sizeof s, "%.*Lg", k == TypeKind::Float ? 9 : k == TypeKind::Double ? 17 : 36, v);
  std::string text = s;
  if (text.find_first_of(".e") == text.npos) text += ".0";
  if (k == TypeKind::Float) text += "f";
  if (k == TypeKind::LongDouble) text += "L";
  return text;
}

std::string character_literal(char c) {
  std::string s = quoted({&c, 1});
  if (c == '"') return "'\"'";
  if (c == '\'') return "'\\''";
  s.front() = s.back() = '\'';
  return s;
}

std::string hex(char32_t c) {
  char s[16];
  std::snprintf(s, sizeof s, "\\x%lx", static_cast<unsigned long>(c));
  return s;
}

std::string wide_literal(const std::u32string& text) {
  if (text.empty()) return "L\"\"";
  std::string s;
  for (char32_t c : text) s += cat(s.empty() ? "" : " ", "L\"", hex(c), "\"");
  return s;
}

// The exact number, as text: what CORBA::Fixed is made from.
std::string fixed_literal(const ast::FixedValue& f) {
  std::string s = f.digits;
  if (s.size() <= f.scale) s.insert(0, f.scale - s.size() + 1, '0');
  if (f.scale != 0) s.insert(s.size() - f.scale, 1, '.');
  return cat("::CORBA::Fixed(\"", f.negative ? "-" : "", s, "\")");
}

}  // namespace

std::string literal(const ast::Value& value, const ast::Type& type) {
  const TypeKind k = ast::strip_aliases(type).type_kind;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return signed_literal(k, *i);
  if (const auto* u = std::get_if<std::uint64_t>(&value)) return cat(*u, k == TypeKind::ULongLong ? "ULL" : "U");
  if (const auto* f = std::get_if<long double>(&value)) return floating_literal(k, *f);
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* ch = std::get_if<char>(&value)) return character_literal(*ch);
  if (const auto* w = std::get_if<char32_t>(&value)) return cat("L'", hex(*w), "'");
  if (const auto* s = std::get_if<std::string>(&value)) return quoted(*s);
  if (const auto* ws = std::get_if<std::u32string>(&value)) return wide_literal(*ws);
  if (const auto* f = std::get_if<ast::FixedValue>(&value)) return fixed_literal(*f);
  return absolute(**std::get_if<const ast::Enumerator*>(&value));
}

void print_constant(Text& to, const ast::Const& c, bool in_class) {
  const TypeKind k = ast::strip_aliases(*c.type).type_kind;
  std::string type;
  if (k == TypeKind::String) type = "const char*";
  else if (k == TypeKind::WString) type = "const ::CORBA::WChar*";
  else if (k == TypeKind::Fixed) type = "::CORBA::Fixed";
  else type = value_type(*c.type);
  to.line(in_class ? "static " : "", "constexpr ", type, " ", name(c), " = ", literal(c.value, *c.type), ";");
}

}  // namespace callis::idl::backends::classic
