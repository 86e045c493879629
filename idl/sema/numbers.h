// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the ranges of integer types, and values as words of a diagnostic.
#pragma once
#include <idl/ast/nodes.h>
#include <string>

namespace callis::idl::sema {

__extension__ using Wide = __int128;

inline constexpr Wide kLeast = -(Wide{1} << 63);
inline constexpr Wide kMost = (Wide{1} << 64) - 1;

struct Limits {
  Wide least;
  Wide most;
};

inline Limits limits(ast::TypeKind kind) {
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

inline bool is_signed(ast::TypeKind kind) { return limits(kind).least < 0; }

inline std::string decimal(Wide value) {
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

}  // namespace callis::idl::sema
