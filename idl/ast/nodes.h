// SPDX-License-Identifier: Apache-2.0
// The declarations of IDL. See declaration.h for ownership and constness.
#pragma once
#include <idl/ast/declaration.h>
#include <idl/ast/type.h>
#include <cstdint>
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
  bool oneway = false;
};

// One name of an attribute declaration: `attribute long a, b;` gives two nodes.
struct Attribute final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Attribute;
  Attribute() : Declaration(kKind) {}

  const Type* type = nullptr;
  bool readonly = false;
};

struct Interface final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Interface;
  static bool is_kind(TypeKind k) { return k == TypeKind::Interface; }
  Interface() : Declaration(kKind), Type(TypeKind::Interface) {}

  std::vector<const Interface*> bases;  // direct ones, as written; all of them are defined
  Declarations contents;                // operations, attributes, types, constants, exceptions
  // False: only forward-declared, here and in every include. Such a type can be named, no more.
  bool defined = false;
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

  Declarations nested;                  // types defined in place: `struct S { enum E {a} e; };`
  std::vector<const Member*> members;   // one for each declarator, in order
  // True in every unit without errors, once the unit is complete.
  bool defined = false;
  // Contains itself through sequences: the plan and the generated copy functions must recurse.
  bool recursive = false;
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

// One name of a typedef: `typedef long A, B[3];` gives two nodes.
struct Typedef final : Declaration, Type {
  static constexpr DeclarationKind kKind = DeclarationKind::Typedef;
  static bool is_kind(TypeKind k) { return k == TypeKind::Alias; }
  Typedef() : Declaration(kKind), Type(TypeKind::Alias) {}

  const Type* type = nullptr;  // the type it names, one step; may be an Alias again
};

// The value of a constant, by strip_aliases(type):
//   Short, Long, LongLong                 std::int64_t, in range
//   Octet, UShort, ULong, ULongLong       std::uint64_t, in range
//   Float, Double, LongDouble             long double, already rounded to the type, finite
//   Boolean                               bool
//   Char                                  char (a byte of ISO 8859-1)
//   WChar                                 char32_t
//   String                                std::string (bytes; no NUL inside)
//   WString                               std::u32string (no NUL inside)
//   Enum                                  const Enumerator*
using Value = std::variant<std::int64_t, std::uint64_t, long double, bool, char, char32_t,
                           std::string, std::u32string, const Enumerator*>;

struct Const final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Const;
  Const() : Declaration(kKind) {}

  const Type* type = nullptr;
  Value value;
};

// `interface X;` or `struct X;`, in its place in the order of the file.
struct Forward final : Declaration {
  static constexpr DeclarationKind kKind = DeclarationKind::Forward;
  Forward() : Declaration(kKind) {}

  const Declaration* target = nullptr;  // the Interface or Struct, defined or not
};

}  // namespace callis::idl::ast
