// SPDX-License-Identifier: Apache-2.0
// Type: what a member, parameter, element or result can be. The kinds are one flat list so that a
// back end's `switch` is checked by the compiler for being complete.
//
// Struct, Enum, Interface and Typedef are Declarations and Types at once. Sequences, arrays and
// strings are anonymous: each place that spells one has its own node. A typedef's name is kept
// (TypeKind::Alias); strip_aliases() looks through it.
#pragma once
#include <idl/ast/declaration.h>
#include <cstdint>
#include <vector>

namespace callis::idl::ast {

enum class TypeKind {
  Void,  // only as an operation's result
  Boolean,
  Octet,
  Char,
  WChar,
  Short,
  UShort,
  Long,
  ULong,
  LongLong,
  ULongLong,
  Float,
  Double,
  LongDouble,
  String,
  WString,
  Object,     // CORBA::Object itself
  Interface,  // a reference to that interface
  Struct,
  Enum,
  Sequence,
  Array,
  Alias,  // a Typedef
};

struct Type {
  const TypeKind type_kind;

  virtual ~Type() = default;
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;

 protected:
  explicit Type(TypeKind k) : type_kind(k) {}
};

// A type without parameters: Void … LongDouble, and Object.
struct BasicType final : Type {
  explicit BasicType(TypeKind k) : Type(k) {}
  static bool is_kind(TypeKind k) { return k <= TypeKind::LongDouble || k == TypeKind::Object; }
};

// The one node of a basic type; lives for ever. `kind` must be a BasicType's.
const BasicType& basic(TypeKind kind);

// string, wstring, string<n>, wstring<n>.
struct StringType final : Type {
  explicit StringType(bool wide) : Type(wide ? TypeKind::WString : TypeKind::String) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::String || k == TypeKind::WString; }

  std::uint32_t bound = 0;  // characters without the terminator; 0: unbounded
};

struct SequenceType final : Type {
  SequenceType() : Type(TypeKind::Sequence) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::Sequence; }

  const Type* element = nullptr;
  std::uint32_t bound = 0;  // elements; 0: unbounded
};

// `T x[2][3]`: element T (never itself an anonymous array), dimensions {2, 3}, each at least 1.
struct ArrayType final : Type {
  ArrayType() : Type(TypeKind::Array) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::Array; }

  const Type* element = nullptr;
  std::vector<std::uint32_t> dimensions;
};

// The type behind any chain of typedefs; never an Alias.
const Type& strip_aliases(const Type& t);

// As the C++ mapping 1.3, 4.9 and 4.11 use the words: a string, object reference, sequence, or a
// struct or array that contains one. Such values are passed and returned in another manner.
bool is_variable_length(const Type& t);

// Short … ULongLong and Octet.
bool is_integer(TypeKind k);
// Float, Double, LongDouble.
bool is_floating(TypeKind k);

// As written in IDL, names fully scoped: "sequence<::A::S, 4>", "unsigned long".
std::string idl_name(const Type& t);

// The declaration of a Struct, Enum, Interface or Alias; null for the others.
const Declaration* declaration(const Type& t);

}  // namespace callis::idl::ast
