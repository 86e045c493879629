// SPDX-License-Identifier: Apache-2.0
// Definition: what the repository knows of one object (CORBA 3.0.3, 10.5), as plain data. Other definitions are named
// by their numbers, which are never used again.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::ifr {

using Number = std::uint64_t;
inline constexpr Number kNone = 0;
inline constexpr Number kRepository = 1;
// The primitive of pk_null; the others follow in the order of CORBA::PrimitiveKind.
inline constexpr Number kFirstPrimitive = 2;
inline constexpr std::uint32_t kPrimitives = 22;
// The first that is free for what is created.
inline constexpr Number kFirstCreated = 64;

// With the numbers of CORBA::DefinitionKind.
enum class Kind : std::uint8_t {
  None,
  All,
  Attribute,
  Constant,
  Exception,
  Interface,
  Module,
  Operation,
  Typedef,
  Alias,
  Struct,
  Union,
  Enum,
  Primitive,
  String,
  Sequence,
  Array,
  Repository,
  Wstring,
  Fixed,
  Value,
  ValueBox,
  ValueMember,
  Native,
  AbstractInterface,
  LocalInterface
};
inline constexpr Kind kLastKind = Kind::LocalInterface;

// Of structs, unions and exceptions; a parameter.
struct Member {
  std::string name;
  Number type = kNone;
  std::uint32_t mode = 0;  // CORBA::ParameterMode
  std::string label;       // of a union: the any (any_bytes.h)

  bool operator==(const Member&) const = default;
};

struct Initializer {
  std::string name;
  std::vector<Member> members;
  std::vector<Number> exceptions;

  bool operator==(const Initializer&) const = default;
};

inline constexpr std::uint32_t kIsCustom = 1, kIsAbstract = 2, kIsTruncatable = 4;

struct Definition {
  Number number = kNone;
  Kind kind = Kind::None;
  Number container = kNone;  // kNone: the repository, primitives and anonymous types
  std::string id, name, version;

  // Of constants, attributes and value members their type; of operations the result; of unions the discriminator; of
  // aliases and boxes the original; of sequences and arrays the element.
  Number type = kNone;
  // Of strings, wide strings and sequences; of arrays the length; of fixed the digits; of primitives the kind.
  std::uint32_t bound = 0;
  std::int32_t scale = 0;  // of fixed
  // AttributeMode, OperationMode, Visibility; of values kIsCustom and so on.
  std::uint32_t mode = 0;
  std::vector<Member> members;            // of structs, unions and exceptions; of operations the parameters
  std::vector<std::string> words;         // enumerators, contexts
  std::vector<Number> bases;              // of interfaces; of values the abstract ones
  Number base = kNone;                    // of values the concrete one
  std::vector<Number> supported;          // of values
  std::vector<Number> exceptions;         // of operations; of attributes when read
  std::vector<Number> set_exceptions;     // of attributes when set
  std::vector<Initializer> initializers;  // of values
  std::string value;                      // of constants: the any

  // In the order in which they came; not stored.
  std::vector<Number> contents;

  // Without number, container and contents.
  bool says_the_same(const Definition& other) const;
};

inline bool is_interface(Kind k) {
  return k == Kind::Interface || k == Kind::AbstractInterface || k == Kind::LocalInterface;
}
// What has a TypeCode as a type: an IDLType.
bool is_type(Kind k);
// What stands in a container and has a name.
bool is_contained(Kind k);
// TypedefDef and what derives from it.
bool is_typedef(Kind k);
bool is_container(Kind k);
// "struct", "abstract interface"
std::string_view kind_word(Kind k);

// Every definition that `d` names, its container aside.
std::vector<Number> references(const Definition& d);

// What is stored of a definition, but for number, kind, container, id, name and version. Nothing: the bytes are not
// what to_bytes() makes.
std::string to_bytes(const Definition& d);
bool from_bytes(std::string_view bytes, Definition& d);

}  // namespace callis::ifr
