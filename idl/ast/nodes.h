// SPDX-License-Identifier: Apache-2.0
// The declarations of IDL. See declaration.h for ownership and constness.
#pragma once
#include <idl/ast/declaration.h>
#include <idl/ast/type.h>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace callis::idl::ast {

using Declarations = std::vector<const Declaration*>;

// One appearance of `module X { … }`. A module may be reopened: each appearance is a node of its
// own, in its place in the order of the file, and all of one module share `first`.
struct Module final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Module;
  Module() : Declaration(kKind) {}

  const Module* first = nullptr;  // the first appearance; this itself there
  Declarations contents;          // in order of the file
};

struct Interface;
struct Exception;

struct Parameter final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Parameter;
  Parameter() : Declaration(kKind) {}

  enum class Mode { In, InOut, Out };
  Mode mode = Mode::In;
  const Type* type = nullptr;
};

struct Operation final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Operation;
  Operation() : Declaration(kKind) {}

  const Type* result = nullptr;  // basic(TypeKind::Void) for void
  std::vector<const Parameter*> parameters;
  std::vector<const Exception*> raises;
  std::vector<std::string> contexts;  // of the context clause, in order
  bool oneway = false;
};

// One name of an attribute declaration: `attribute long a, b;` gives two nodes.
struct Attribute final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Attribute;
  Attribute() : Declaration(kKind) {}

  const Type* type = nullptr;
  bool readonly = false;
  // From `raises` of a readonly attribute, getraises and setraises.
  std::vector<const Exception*> get_raises;
  std::vector<const Exception*> set_raises;
};

struct Interface final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Interface;
  static bool is_kind(TypeKind k) { return k == TypeKind::Interface; }
  Interface() : Declaration(kKind), Type(TypeKind::Interface) {}

  enum class Flavor { Unconstrained, Abstract, Local };
  Flavor flavor = Flavor::Unconstrained;
  std::vector<const Interface*> bases;  // direct ones, as written; all of them are defined
  Declarations contents;                // operations, attributes, types, constants, exceptions
  // False: only forward-declared, here and in every include. Such a type can be named, no more.
  bool defined = false;
};

// One declarator of a state member of a valuetype.
struct StateMember final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::StateMember;
  StateMember() : Declaration(kKind) {}

  const Type* type = nullptr;
  bool is_public = false;
};

// `factory name(in ...) raises (...);`
struct Initializer final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Initializer;
  Initializer() : Declaration(kKind) {}

  std::vector<const Parameter*> parameters;  // all In
  std::vector<const Exception*> raises;
};

// A valuetype (CORBA 3.3 part 1, 7.9); boxed values are ValueBox.
struct ValueType final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Value;
  static bool is_kind(TypeKind k) { return k == TypeKind::Value; }
  ValueType() : Declaration(kKind), Type(TypeKind::Value) {}

  bool is_abstract = false;
  bool custom = false;
  bool truncatable = false;  // to base
  const ValueType* base = nullptr;  // the concrete one it inherits from; may be null
  std::vector<const ValueType*> abstract_bases;  // direct ones, as written
  std::vector<const Interface*> supports;  // as written; at most one of them is not abstract
  // StateMembers, Initializers, operations, attributes, types, constants, exceptions, in order.
  Declarations contents;
  bool defined = false;  // as for Interface
};

// `valuetype X T;`
struct ValueBox final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::ValueBox;
  static bool is_kind(TypeKind k) { return k == TypeKind::ValueBox; }
  ValueBox() : Declaration(kKind), Type(TypeKind::ValueBox) {}

  Declarations nested;  // a type defined in place
  const Type* type = nullptr;
};

struct Native final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Native;
  static bool is_kind(TypeKind k) { return k == TypeKind::Native; }
  Native() : Declaration(kKind), Type(TypeKind::Native) {}
};

struct Struct;

struct Member final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Member;
  Member() : Declaration(kKind) {}

  const Type* type = nullptr;  // anonymous sequences, arrays and bounded strings are possible
};

struct Struct final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Struct;
  static bool is_kind(TypeKind k) { return k == TypeKind::Struct; }
  Struct() : Declaration(kKind), Type(TypeKind::Struct) {}

  // Structs that no IDL has: what holds a bitset, by the bitset's name, and what a map is a sequence of, without a
  // name.
  enum class Origin { Declared, Bitset, MapEntry };
  Origin origin = Origin::Declared;
  Declarations nested;                  // types defined in place: `struct S { enum E {a} e; };`
  // One for each declarator, in order. With a base (IDL 4.2, 7.4.13) its members come first, as the
  // same nodes: to back ends and on the wire it is a struct like any other.
  std::vector<const Member*> members;
  const Struct* base = nullptr;
  // True in every unit without errors, once the unit is complete.
  bool defined = false;
  // Contains itself through sequences: the plan and the generated copy functions must recurse.
  bool recursive = false;
  bool variable_length = false;  // what is_variable_length() says
  bool local = false;            // what is_local() says
  bool references = false;       // what holds_references() says
  bool values = false;           // what holds_values() says
  std::uint64_t least_bytes = 0;  // what least_bytes() says
};

// The value of a constant or case label, by strip_aliases(type):
//   Int8, Short, Long, LongLong           std::int64_t, in range
//   Octet, UInt8, UShort, ULong, ULongLong std::uint64_t, in range
//   Float, Double, LongDouble             long double, already rounded to the type, finite
//   Boolean                               bool
//   Char                                  char (a byte of ISO 8859-1)
//   WChar                                 char32_t
//   String                                std::string (bytes; no NUL inside)
//   WString                               std::u32string (no NUL inside)
//   Enum                                  const Enumerator*
//   Fixed                                 FixedValue
struct Enumerator;
struct FixedValue {
  bool negative = false;
  std::string digits;       // 1 to 31 decimal digits, those of the fraction included; no needless zeros
  std::uint16_t scale = 0;  // how many of them are the fraction
};
using Value = std::variant<std::int64_t, std::uint64_t, long double, bool, char, char32_t,
                           std::string, std::u32string, const Enumerator*, FixedValue>;

// A member of a union, with all labels that select it.
struct UnionMember final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::UnionMember;
  UnionMember() : Declaration(kKind) {}

  const Type* type = nullptr;
  std::vector<Value> labels;  // without `default`; in order
  bool is_default = false;    // `default:` stands among its labels
};

struct Union final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Union;
  static bool is_kind(TypeKind k) { return k == TypeKind::Union; }
  Union() : Declaration(kKind), Type(TypeKind::Union) {}

  // strip_aliases() of it is an integer, Octet, Char, WChar, Boolean or Enum.
  const Type* discriminator = nullptr;
  Declarations nested;  // types defined in place; the discriminator's enum, too
  std::vector<const UnionMember*> members;
  // A discriminator that no label has: the first such enumerator or character, the least such number that is not
  // negative, or else the least. Selects the default member, or else no member at all. Nothing when the labels are
  // exhaustive; then there is no default either.
  std::optional<Value> free_label;
  // As for Struct.
  bool defined = false;
  bool recursive = false;
  bool variable_length = false;
  bool local = false;
  bool references = false;
  bool values = false;
};

struct Exception final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Exception;
  Exception() : Declaration(kKind) {}

  Declarations nested;
  std::vector<const Member*> members;  // may be empty
};

struct Enum;

struct Enumerator final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Enumerator;
  Enumerator() : Declaration(kKind) {}

  const Enum* type = nullptr;
  std::uint32_t ordinal = 0;
};

struct Enum final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Enum;
  static bool is_kind(TypeKind k) { return k == TypeKind::Enum; }
  Enum() : Declaration(kKind), Type(TypeKind::Enum) {}

  std::vector<const Enumerator*> enumerators;
};

// IDL 4.2, 7.4.13.4.3.3.
struct Bitmask final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Bitmask;
  static bool is_kind(TypeKind k) { return k == TypeKind::Bitmask; }
  Bitmask() : Declaration(kKind), Type(TypeKind::Bitmask) {}

  struct Flag {
    std::string name;
    std::uint32_t position;
  };
  std::uint32_t bits = 32;
  std::vector<Flag> flags;
  const Type* holder = nullptr;  // Octet, UShort, ULong or ULongLong, the smallest that has the bits
};

// IDL 4.2, 7.4.13.4.3.2.
struct Bitset final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Bitset;
  static bool is_kind(TypeKind k) { return k == TypeKind::Bitset; }
  Bitset() : Declaration(kKind), Type(TypeKind::Bitset) {}

  struct Field {
    std::string name;  // empty: padding
    std::uint32_t bits;
    const Type* type;  // null: the smallest that fits
  };
  const Bitset* base = nullptr;
  std::uint32_t depth = 0;  // how many bases, each derived from the next
  std::vector<Field> fields;
  // A struct with one member, of the smallest of Octet, UShort, ULong and ULongLong that has room for all fields,
  // those of the base first, from the least significant bit on.
  const Struct* holder = nullptr;
};

// One name of a typedef: `typedef long A, B[3];` gives two nodes.
struct Typedef final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Typedef;
  static bool is_kind(TypeKind k) { return k == TypeKind::Alias; }
  Typedef() : Declaration(kKind), Type(TypeKind::Alias) {}

  const Type* type = nullptr;  // the type it names, one step; may be an Alias again
};

struct Const final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Const;
  Const() : Declaration(kKind) {}

  const Type* type = nullptr;
  Value value;
};

// `interface X;`, `struct X;`, `union X;` or `valuetype X;`, in its place in the order of the file.
struct Forward final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Forward;
  Forward() : Declaration(kKind) {}

  const Declaration* target = nullptr;  // the Interface, Struct, Union or ValueType, defined or not
};

}  // namespace callis::idl::ast
