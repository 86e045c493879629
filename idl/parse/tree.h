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
#include <optional>
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

// `1.50d` without needless zeros (IDL 4.2, 7.2.6.5).
struct FixedLiteral {
  std::string digits;       // 1 to 31
  std::uint16_t scale = 0;  // how many of them are the fraction
};

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
               std::u32string, FixedLiteral, ScopedName, Unary, Binary>
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
  Any,
  Object,
  ValueBase,
};

struct Item;
using ItemPtr = std::unique_ptr<Item>;
using Body = std::vector<ItemPtr>;

struct TypeSpec {
  struct String {
    bool wide = false;
    ExpressionPtr bound;  // null: unbounded
  };
  struct Sequence {
    std::unique_ptr<TypeSpec> element;
    ExpressionPtr bound;
  };
  // Without parameters where both are null.
  struct Fixed {
    ExpressionPtr digits;
    ExpressionPtr scale;  // null: 0
  };
  struct Map {
    std::unique_ptr<TypeSpec> key;
    std::unique_ptr<TypeSpec> element;
    ExpressionPtr bound;
  };
  // A struct, union or enum defined in place.
  struct Inline {
    ItemPtr definition;
  };
  // monostate: was wrong and has been reported.
  std::variant<std::monostate, BasicType, ScopedName, String, Sequence, Fixed, Map, Inline> value;
  source::Range where;
};

struct Declarator {
  Name name;
  std::vector<ExpressionPtr> dimensions;
};

// `@name(parameter = value)`.
struct AnnotationSpec {
  struct Argument {
    Name name;  // empty when it was left out
    ExpressionPtr value;
    std::string text;  // the value as written
  };
  Name name;  // "default", "callis::stubs"
  std::vector<Argument> arguments;
};
using Annotations = std::vector<AnnotationSpec>;

// `type declarator, declarator;`
struct MemberSpec {
  Body before;  // pragmas and file changes
  Annotations annotations;
  TypeSpec type;
  std::vector<Declarator> declarators;
};

struct ParameterSpec {
  enum class Mode { In, InOut, Out };
  Mode mode = Mode::In;
  Annotations annotations;
  TypeSpec type;
  Name name;
};

// `case 1: case 2: default: type declarator;`
struct CaseSpec {
  struct Label {
    ExpressionPtr value;  // null: `default`
    source::Range where;
  };
  Body before;  // as for a member
  std::vector<Label> labels;
  Annotations annotations;
  TypeSpec type;
  Declarator declarator;
};

enum class ItemKind {
  Module,
  Interface,
  Operation,
  Attribute,
  Struct,
  Union,
  Exception,
  Enum,
  Bitset,
  Bitmask,
  Typedef,
  Native,
  Const,
  Value,
  ValueBox,
  State,
  Initializer,
  Forward,
  TypeId,
  TypePrefix,
  Import,
  AnnotationDefinition,
  Pragma,
  FileChange,
  Invalid,
};

struct Item {
  const ItemKind kind;
  Name name;  // empty where the kind has none or several
  Annotations annotations;

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

struct ModuleItem final : ItemOf<ItemKind::Module> {
  Body body;
};

enum class InterfaceFlavor { Unconstrained, Abstract, Local };

struct InterfaceItem final : ItemOf<ItemKind::Interface> {
  InterfaceFlavor flavor = InterfaceFlavor::Unconstrained;
  std::vector<ScopedName> bases;
  Body body;
};

struct OperationItem final : ItemOf<ItemKind::Operation> {
  bool oneway = false;
  TypeSpec result;
  std::vector<ParameterSpec> parameters;
  std::vector<ScopedName> raises;
  struct Context {
    std::string text;
    source::Range where;
  };
  std::vector<Context> contexts;
};

struct AttributeItem final : ItemOf<ItemKind::Attribute> {
  bool readonly = false;
  TypeSpec type;
  std::vector<Name> names;
  std::vector<ScopedName> get_raises;
  std::vector<ScopedName> set_raises;
};

struct StructItem final : ItemOf<ItemKind::Struct> {
  std::optional<ScopedName> base;
  std::vector<MemberSpec> members;
  Body after;            // pragmas and file changes behind the last member
  bool damaged = false;  // members were left out that could not be read
};

struct ExceptionItem final : ItemOf<ItemKind::Exception> {
  std::vector<MemberSpec> members;
  Body after;
};

struct UnionItem final : ItemOf<ItemKind::Union> {
  TypeSpec discriminator;
  std::vector<CaseSpec> cases;
  Body after;
  bool damaged = false;  // as for a struct
};

struct EnumItem final : ItemOf<ItemKind::Enum> {
  struct Enumerator {
    Annotations annotations;
    Name name;
  };
  std::vector<Enumerator> enumerators;
};

struct BitsetItem final : ItemOf<ItemKind::Bitset> {
  struct Field {
    Annotations annotations;
    ExpressionPtr bits;
    std::optional<TypeSpec> type;
    std::vector<Name> names;  // empty: padding
    source::Range where;
  };
  std::optional<ScopedName> base;
  std::vector<Field> fields;
};

struct BitmaskItem final : ItemOf<ItemKind::Bitmask> {
  std::vector<EnumItem::Enumerator> flags;
};

struct TypedefItem final : ItemOf<ItemKind::Typedef> {
  TypeSpec type;
  std::vector<Declarator> declarators;
};

struct ConstItem final : ItemOf<ItemKind::Const> {
  TypeSpec type;
  ExpressionPtr value;
};

struct NativeItem final : ItemOf<ItemKind::Native> {};

struct ValueItem final : ItemOf<ItemKind::Value> {
  bool is_abstract = false;
  bool custom = false;
  bool truncatable = false;
  source::Range custom_where;
  source::Range truncatable_where;
  std::vector<ScopedName> bases;
  std::vector<ScopedName> supports;
  Body body;
};

struct ValueBoxItem final : ItemOf<ItemKind::ValueBox> {
  TypeSpec type;
};

// `public type declarator, declarator;` in a valuetype.
struct StateItem final : ItemOf<ItemKind::State> {
  bool is_public = false;
  MemberSpec member;
  source::Range where;
};

struct InitializerItem final : ItemOf<ItemKind::Initializer> {
  std::vector<ParameterSpec> parameters;
  std::vector<ScopedName> raises;
};

struct ForwardItem final : ItemOf<ItemKind::Forward> {
  enum class What { Interface, Struct, Union, Value };
  What what = What::Interface;
  InterfaceFlavor flavor = InterfaceFlavor::Unconstrained;
  bool is_abstract = false;  // a Value
};

// `typeid A::b "IDL:A/b:1.0";`
struct TypeIdItem final : ItemOf<ItemKind::TypeId> {
  ScopedName target;
  std::string text;
  source::Range text_where;
};

// `typeprefix A "acme.com";`
struct TypePrefixItem final : ItemOf<ItemKind::TypePrefix> {
  ScopedName target;  // no parts: `::`, the whole specification
  std::string text;
  source::Range text_where;
};

// `import ::A;` or `import "IDL:A:1.0";`
struct ImportItem final : ItemOf<ItemKind::Import> {
  std::optional<ScopedName> target;
  std::string text;  // where there is no target
  source::Range where;
};

// What `#pragma callis stubs` says.
enum class StubStyle { Unsaid, Interpreted, Compiled };

struct PragmaItem final : ItemOf<ItemKind::Pragma> {
  enum class What { Prefix, Id, Version, Stubs };
  What what = What::Prefix;
  ScopedName target;         // Id, Version, Stubs
  std::string text;          // Prefix, Id
  source::Range text_where;  // of the string, or of the version
  std::uint32_t major = 0;   // Version
  std::uint32_t minor = 0;
  StubStyle stubs = StubStyle::Unsaid;
  source::Range stubs_where;
};

// `@annotation name { … };`: only that it is known.
struct AnnotationDefinitionItem final : ItemOf<ItemKind::AnnotationDefinition> {};

// A definition that could not be read but for its name: uses of the name are not reported again.
struct InvalidItem final : ItemOf<ItemKind::Invalid> {};

// An included file begins or has ended.
struct FileChangeItem final : ItemOf<ItemKind::FileChange> {
  bool enter = true;
  source::FileId file{};  // the one that begins, or that goes on
};

}  // namespace callis::idl::parse
