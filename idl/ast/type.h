// SPDX-License-Identifier: Apache-2.0
// Type: what a member, parameter, element or result can be. The kinds are one flat list so that a
// back end's `switch` is checked by the compiler for being complete.
//
// Struct, Union, Enum, Interface, ValueType, ValueBox, Native and Typedef are Declarations and Types
// at once. Sequences, arrays, strings and fixed are anonymous: each place that spells one has its own
// node. A typedef's name is kept
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
  Int8,   // IDL 4.2, 7.4.13: a signed octet; on the wire an octet
  UInt8,  // IDL 4.2: an octet that is a number
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
  Any,
  TypeCode,      // CORBA::TypeCode
  Object,        // CORBA::Object itself
  ValueBase,     // CORBA::ValueBase itself
  AbstractBase,  // CORBA::AbstractBase itself
  String,
  WString,
  Fixed,
  Interface,  // a reference to that interface; a value or a reference if it is abstract
  Value,      // a valuetype
  ValueBox,   // a boxed value
  Native,
  Struct,
  Union,
  Enum,
  Sequence,
  Array,
  Bitset,   // IDL 4.2; stands for a struct of one integer
  Bitmask,  // IDL 4.2; stands for an unsigned integer
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

// A type without parameters: Void … AbstractBase.
struct BasicType final : Type {
  explicit BasicType(TypeKind k) : Type(k) {}
  static bool is_kind(TypeKind k) { return k <= TypeKind::AbstractBase; }
};

// The one node of a basic type; lives for ever. `kind` must be a BasicType's.
const BasicType& basic(TypeKind kind);

// string, wstring, string<n>, wstring<n>.
struct StringType final : Type {
  explicit StringType(bool wide) : Type(wide ? TypeKind::WString : TypeKind::String) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::String || k == TypeKind::WString; }

  std::uint32_t bound = 0;  // characters without the terminator; 0: unbounded
};

// Also map<key, mapped> of IDL 4.2 (7.4.13.4.3.1): a sequence of structs that have a member `key` and a member
// `value`, which is what a map is on the wire.
struct SequenceType final : Type {
  SequenceType() : Type(TypeKind::Sequence) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::Sequence; }

  const Type* element = nullptr;
  std::uint32_t bound = 0;  // elements; 0: unbounded
  const Type* key = nullptr;     // of a map, else null; `element` is a Struct of the origin MapEntry, then
  const Type* mapped = nullptr;  // so is this
};

// `T x[2][3]`: element T (never itself an anonymous array), dimensions {2, 3}, each at least 1.
struct ArrayType final : Type {
  ArrayType() : Type(TypeKind::Array) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::Array; }

  const Type* element = nullptr;
  std::vector<std::uint32_t> dimensions;
};

// fixed<digits, scale>. Without parameters only as the type of a constant: 0 digits then, the
// constant's value has its own.
struct FixedType final : Type {
  FixedType() : Type(TypeKind::Fixed) {}
  static bool is_kind(TypeKind k) { return k == TypeKind::Fixed; }

  std::uint16_t digits = 0;  // 1 to 31
  std::uint16_t scale = 0;   // at most digits
};

// The type behind any chain of typedefs; never an Alias. A bitmask is the unsigned integer that holds it, a bitset
// the struct of one integer that does.
const Type& strip_aliases(const Type& t);
// The same, but bitmasks and bitsets remain what they are.
const Type& strip_typedefs(const Type& t);

// As the C++ mapping 1.3, 4.9 and 4.11 use the words: a string, wide string, object reference, value,
// any, TypeCode, sequence, or a struct, union or array that contains one. Such values are passed and
// returned in another manner. Fixed is not variable.
bool is_variable_length(const Type& t);

// Whether a value has something counted in it, such as object references; what a valuetype's state has in it does not
// count. Of unions and structs once the unit is complete, as the next.
bool holds_references(const Type& t);
// Whether a value in the sense of valuetypes can be in it, which may be shared with others of the same message.
bool holds_values(const Type& t);

// Bytes of a primitive or enum in CDR, which are its alignment too but for a long double (16, aligned to 8). 0 for
// other types.
std::uint32_t wire_size(const Type& t);

// Least bytes that a value takes in CDR, padding aside; 0 for a struct without members. At most kMostLeastBytes for
// what is more. Of structs that are complete.
std::uint64_t least_bytes(const Type& t);
inline constexpr std::uint64_t kMostLeastBytes = std::uint64_t{1} << 40;

// Short … ULongLong, Int8, UInt8 and Octet.
bool is_integer(TypeKind k);
// Float, Double, LongDouble.
bool is_floating(TypeKind k);

// As written in IDL, names fully scoped: "sequence<::A::S, 4>", "unsigned long".
std::string idl_name(const Type& t);

// Holds a local interface or a native somewhere: cannot be passed to another process, and has no
// descriptor (CORBA 3.3 part 1, 7.8.9.1).
bool is_local(const Type& t);

// The declaration of a Struct, Union, Enum, Interface, Value, ValueBox, Native, Bitset, Bitmask or Alias;
// null for the others.
const Declaration* declaration(const Type& t);

}  // namespace callis::idl::ast
