// SPDX-License-Identifier: Apache-2.0
// Declaration: what every named thing of an IDL unit has in common.
//
// Nodes are made and filled by sema and are constant afterwards; they are owned by their Unit, and
// every pointer between nodes is plain and lives as long as the Unit. A pointer is never null
// unless its comment says so. Any thread may read.
#pragma once
#include <idl/source/position.h>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::ast {

enum class DeclarationKind {
  Module,
  Interface,
  Forward,  // `interface X;`, `struct X;`, `union X;` or `valuetype X;`
  Operation,
  Attribute,
  Parameter,
  Value,
  ValueBox,
  StateMember,
  Initializer,  // `factory` in a valuetype
  Native,
  Struct,
  Union,
  UnionMember,
  Exception,
  Member,
  Enum,
  Enumerator,
  Typedef,
  Const,
  Bitset,
  Bitmask,
};

// "interface", "operation", … as used in diagnostics.
std::string_view kind_name(DeclarationKind kind);
// A choice of stubs can be made for it: it is called, or marshaled.
bool takes_stubs(DeclarationKind kind);

// What the IDL says about the marshaling of a type, interface or operation; for --stubs=hybrid.
enum class StubStyle { Unsaid, Interpreted, Compiled };

// `@name(parameter = value)` as written; what is standard has been understood by sema already
// (IDL 4.2, 8.3), the others are kept for back ends and --emit json.
struct Annotation {
  struct Parameter {
    std::string name;  // "value" when it was left out
    std::string text;  // the constant expression as written
    source::Range where = {};  // where that stands
  };
  std::string name;  // "default", "callis::stubs"
  std::vector<Parameter> parameters;
  source::Range where = {};  // of the name
};

struct Declaration {
  const DeclarationKind kind;
  // As declared, without the underscore of an escaped identifier (`_interface` has the name
  // `interface`): this is the name on the wire and in repository ids.
  std::string name;
  // "IDL:prefix/A/b:1.0" (CORBA 3.3 part 1, 14.7); empty for parameters, members, enumerators.
  std::string repository_id;
  // Where the name stands.
  source::Range where;
  // The module, interface, valuetype, struct, union, exception, operation or enum that directly holds
  // this; null at the top of the unit. An enumerator's parent is its enum, although its name is declared in the
  // enum's own scope (so that it is written A::red, not A::Color::red).
  const Declaration* parent = nullptr;
  // Stands in the file given on the command line, or in one that it includes inside a definition.
  // Back ends write code for these only; what comes from an include at file level is generated when
  // that file is compiled. False, too, for what every mapping has: CORBA::OctetSeq and its kin.
  bool from_main_file = true;
  // Declared by a file that comes with the compiler, or a name of CORBA or PortableServer that the runtime declares
  // itself, whichever file has it: never from the main file.
  bool built_in = false;
  StubStyle stubs = StubStyle::Unsaid;
  std::vector<Annotation> annotations;

  virtual ~Declaration() = default;
  Declaration(const Declaration&) = delete;
  Declaration& operator=(const Declaration&) = delete;

 protected:
  explicit Declaration(DeclarationKind k) : kind(k) {}
};

// The names from the outermost module to `d`, `d` included: {"A", "B", "c"}. For an enumerator
// the enum's name is left out.
std::vector<std::string> path(const Declaration& d);

// The same joined: "A::B::c". Never begins with "::".
std::string scoped_name(const Declaration& d, std::string_view separator = "::");

// `as<Struct>(d)`: `d` as that class, or null where it is of another kind (or is null itself).
// Works on Declaration and Type alike.
template <class T, class Base>
const T* as(const Base* node) {
  if constexpr (requires { node->type_kind; }) {
    return node != nullptr && T::is_kind(node->type_kind) ? static_cast<const T*>(node) : nullptr;
  } else {
    return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
  }
}

}  // namespace callis::idl::ast
