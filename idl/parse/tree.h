// SPDX-License-Identifier: Apache-2.0
// The syntax tree: a file as it is written, names not yet looked up, nothing checked but the
// grammar. The parser makes it, sema reads it once and makes the AST from it.
//
// Items stand in the order of the file; #pragma lines and the borders of included files are items
// among the definitions, because repository ids depend on where they stand.
#pragma once
#include <idl/source/position.h>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace callis::idl::parse {

struct Name {
  std::string text;  // without the underscore of an escaped identifier
  source::Range where;
};

struct ScopedName {
  bool absolute = false;  // begins with ::
  std::vector<Name> parts;
  source::Range where;
};

// "A::b", "::A::b".
std::string to_string(const ScopedName& name);

enum class Operator {
  Or,
  Xor,
  And,
  ShiftLeft,
  ShiftRight,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Plus,
  Minus,
  Complement,
};
// "|", "<<", …
std::string_view spelling(Operator op);

// A constant expression. Depth is bounded by the parser.
struct Expression {
  struct Unary {
    Operator op;
    std::unique_ptr<Expression> operand;
  };
  struct Binary {
    Operator op;
    source::Range op_where;
    std::unique_ptr<Expression> left;
    std::unique_ptr<Expression> right;
  };
  // monostate: was wrong and has been reported.
  std::variant<std::monostate, std::uint64_t, long double, bool, char, char32_t, std::string,
               std::u32string, ScopedName, Unary, Binary>
      value;
  source::Range where;
};
using ExpressionPtr = std::unique_ptr<Expression>;

enum class BasicType {
  Void,
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
  Object,
};

struct Item;
using ItemPtr = std::unique_ptr<Item>;

struct TypeSpec {
  struct String {
    bool wide = false;
    ExpressionPtr bound;  // null: unbounded
  };
  struct Sequence {
    std::unique_ptr<TypeSpec> element;
    ExpressionPtr bound;
  };
  // A struct or enum defined in place.
  struct Inline {
    ItemPtr definition;
  };
  // monostate: was wrong and has been reported.
  std::variant<std::monostate, BasicType, ScopedName, String, Sequence, Inline> value;
  source::Range where;
};

struct Declarator {
  Name name;
  std::vector<ExpressionPtr> dimensions;
};

// `type declarator, declarator;`
struct MemberSpec {
  TypeSpec type;
  std::vector<Declarator> declarators;
};

struct ParameterSpec {
  enum class Mode { In, InOut, Out };
  Mode mode = Mode::In;
  TypeSpec type;
  Name name;
};

enum class ItemKind {
  Module,
  Interface,
  Operation,
  Attribute,
  Struct,
  Exception,
  Enum,
  Typedef,
  Const,
  Forward,
  Pragma,
  FileChange,
  Invalid,
};

// What `@callis::stubs(…)` and `#pragma callis stubs` say.
enum class StubStyle { Unsaid, Interpreted, Compiled };

struct Item {
  const ItemKind kind;
  Name name;  // empty where the kind has none or several
  StubStyle stubs = StubStyle::Unsaid;
  source::Range stubs_where;

  virtual ~Item() = default;
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;

 protected:
  explicit Item(ItemKind k) : kind(k) {}
};

template <ItemKind K>
struct ItemOf : Item {
  static constexpr ItemKind kKind = K;
  ItemOf() : Item(K) {}
};

using Body = std::vector<ItemPtr>;

struct ModuleItem final : ItemOf<ItemKind::Module> {
  Body body;
};

struct InterfaceItem final : ItemOf<ItemKind::Interface> {
  std::vector<ScopedName> bases;
  Body body;
};

struct OperationItem final : ItemOf<ItemKind::Operation> {
  bool oneway = false;
  TypeSpec result;
  std::vector<ParameterSpec> parameters;
  std::vector<ScopedName> raises;
};

struct AttributeItem final : ItemOf<ItemKind::Attribute> {
  bool readonly = false;
  TypeSpec type;
  std::vector<Name> names;
};

struct StructItem final : ItemOf<ItemKind::Struct> {
  std::vector<MemberSpec> members;
  bool damaged = false;  // members were left out that could not be read
};

struct ExceptionItem final : ItemOf<ItemKind::Exception> {
  std::vector<MemberSpec> members;
};

struct EnumItem final : ItemOf<ItemKind::Enum> {
  std::vector<Name> enumerators;
};

struct TypedefItem final : ItemOf<ItemKind::Typedef> {
  TypeSpec type;
  std::vector<Declarator> declarators;
};

struct ConstItem final : ItemOf<ItemKind::Const> {
  TypeSpec type;
  ExpressionPtr value;
};

struct ForwardItem final : ItemOf<ItemKind::Forward> {
  bool is_struct = false;  // else an interface
};

struct PragmaItem final : ItemOf<ItemKind::Pragma> {
  enum class What { Prefix, Id, Version, Stubs };
  What what = What::Prefix;
  ScopedName target;         // Id, Version, Stubs
  std::string text;          // Prefix, Id
  source::Range text_where;  // of the string, or of the version
  std::uint32_t major = 0;   // Version
  std::uint32_t minor = 0;
};

// A definition that could not be read but for its name: uses of the name are not reported again.
struct InvalidItem final : ItemOf<ItemKind::Invalid> {};

// An included file begins or has ended.
struct FileChangeItem final : ItemOf<ItemKind::FileChange> {
  bool enter = true;
  source::FileId file{};  // the one that begins, or that goes on
};

}  // namespace callis::idl::parse
