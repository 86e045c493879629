// SPDX-License-Identifier: Apache-2.0
// Types as they are spelled to types of the AST.
#include <idl/sema/analyzer.h>
#include <idl/sema/composite.h>
#include <idl/source/limits.h>
#include <algorithm>

namespace callis::idl::sema {

namespace {

ast::TypeKind kind_of(parse::BasicType type) {
  switch (type) {
    case parse::BasicType::Void: return ast::TypeKind::Void;
    case parse::BasicType::Boolean: return ast::TypeKind::Boolean;
    case parse::BasicType::Octet: return ast::TypeKind::Octet;
    case parse::BasicType::Char: return ast::TypeKind::Char;
    case parse::BasicType::WChar: return ast::TypeKind::WChar;
    case parse::BasicType::Short: return ast::TypeKind::Short;
    case parse::BasicType::UShort: return ast::TypeKind::UShort;
    case parse::BasicType::Long: return ast::TypeKind::Long;
    case parse::BasicType::ULong: return ast::TypeKind::ULong;
    case parse::BasicType::LongLong: return ast::TypeKind::LongLong;
    case parse::BasicType::ULongLong: return ast::TypeKind::ULongLong;
    case parse::BasicType::Float: return ast::TypeKind::Float;
    case parse::BasicType::Double: return ast::TypeKind::Double;
    case parse::BasicType::LongDouble: return ast::TypeKind::LongDouble;
    case parse::BasicType::Any: return ast::TypeKind::Any;
    case parse::BasicType::Object: return ast::TypeKind::Object;
    case parse::BasicType::ValueBase: return ast::TypeKind::ValueBase;
  }
  return ast::TypeKind::Void;
}

// A declaration as the type it names; null where it names none.
const ast::Type* as_type(const ast::Declaration& d) {
  switch (d.kind) {
    case ast::DeclarationKind::Struct: return ast::as<ast::Struct>(&d);
    case ast::DeclarationKind::Union: return ast::as<ast::Union>(&d);
    case ast::DeclarationKind::Enum: return ast::as<ast::Enum>(&d);
    case ast::DeclarationKind::Interface: return ast::as<ast::Interface>(&d);
    case ast::DeclarationKind::Value: return ast::as<ast::ValueType>(&d);
    case ast::DeclarationKind::ValueBox: return ast::as<ast::ValueBox>(&d);
    case ast::DeclarationKind::Native: return ast::as<ast::Native>(&d);
    case ast::DeclarationKind::Bitset: return ast::as<ast::Bitset>(&d);
    case ast::DeclarationKind::Bitmask: return ast::as<ast::Bitmask>(&d);
    case ast::DeclarationKind::Typedef: return ast::as<ast::Typedef>(&d);
    default: return nullptr;
  }
}

// The names that IDL 4.2, 7.4.13 gives to integers. They are no keywords here: a declaration takes precedence.
std::optional<ast::TypeKind> later_integer(std::string_view name) {
  static constexpr std::pair<std::string_view, ast::TypeKind> kNames[] = {
      {"int8", ast::TypeKind::Int8},     {"uint8", ast::TypeKind::UInt8},
      {"int16", ast::TypeKind::Short},   {"uint16", ast::TypeKind::UShort},
      {"int32", ast::TypeKind::Long},    {"uint32", ast::TypeKind::ULong},
      {"int64", ast::TypeKind::LongLong}, {"uint64", ast::TypeKind::ULongLong}};
  for (const auto& [known, kind] : kNames) {
    if (name == known) {
      return kind;
    }
  }
  return std::nullopt;
}

}  // namespace

// `nested`: where a type defined in place is put; null where none may be.
const ast::Type* Analyzer::type(const parse::TypeSpec& spec, TypeUse use,
                                ast::Declarations* nested) {
  if (const auto* basic = std::get_if<parse::BasicType>(&spec.value)) {
    return &ast::basic(kind_of(*basic));
  }
  if (const auto* name = std::get_if<parse::ScopedName>(&spec.value)) {
    return named_type(*name, use);
  }
  if (const auto* string = std::get_if<parse::TypeSpec::String>(&spec.value)) {
    return string_type(*string);
  }
  if (const auto* sequence = std::get_if<parse::TypeSpec::Sequence>(&spec.value)) {
    return sequence_type(*sequence, spec.where);
  }
  if (const auto* fixed = std::get_if<parse::TypeSpec::Fixed>(&spec.value)) {
    return fixed_type(*fixed, use, spec.where);
  }
  if (const auto* map = std::get_if<parse::TypeSpec::Map>(&spec.value)) {
    return map_type(*map, spec.where);
  }
  if (const auto* definition = std::get_if<parse::TypeSpec::Inline>(&spec.value)) {
    return in_place(*definition->definition, nested);
  }
  return nullptr;  // reported by the parser
}

const ast::Type* Analyzer::string_type(const parse::TypeSpec::String& spec) {
  auto& node = unit_.make<ast::StringType>(spec.wide);
  if (spec.bound != nullptr) {
    const auto bound = evaluator_.positive(*spec.bound, "the bound of a string");
    if (!bound) {
      return nullptr;
    }
    node.bound = *bound;
  }
  return &node;
}

const ast::Type* Analyzer::sequence_type(const parse::TypeSpec::Sequence& spec, const source::Range& where) {
  auto& node = unit_.make<ast::SequenceType>();
  node.element = type(*spec.element, TypeUse::Element, nullptr);
  std::optional<std::uint32_t> bound = 0;
  if (spec.bound != nullptr) {
    bound = evaluator_.positive(*spec.bound, "the bound of a sequence");
  }
  if (node.element == nullptr || !bound) {
    return nullptr;
  }
  node.bound = *bound;
  return too_deep(node, depth(*node.element) + 1, where) ? nullptr : &node;
}

const ast::Type* Analyzer::fixed_type(const parse::TypeSpec::Fixed& spec, TypeUse use, const source::Range& where) {
  auto& node = unit_.make<ast::FixedType>();
  if (spec.digits == nullptr) {
    return &node;
  }
  if (use == TypeUse::Constant) {
    diagnostics_.error(where, "the type of a fixed-point constant is 'fixed' alone: its value tells the digits");
    return nullptr;
  }
  const auto digits = evaluator_.between(*spec.digits, "the number of digits", 1, 31);
  if (!digits) {
    return nullptr;
  }
  node.digits = static_cast<std::uint16_t>(*digits);
  if (spec.scale != nullptr) {
    const auto scale = evaluator_.between(*spec.scale, "the scale", 0, *digits);
    if (!scale) {
      return nullptr;
    }
    node.scale = static_cast<std::uint16_t>(*scale);
  }
  return &node;
}

// A map is a sequence of these: so it travels in the CDR of DDS (DDS-XTypes 1.3, 7.4.3).
ast::Struct& Analyzer::map_entry(const ast::Type& key, const ast::Type& mapped, const source::Range& where) {
  auto& node = unit_.make<ast::Struct>();
  node.origin = ast::Struct::Origin::MapEntry;
  node.where = where;
  for (const auto& [name, type] : {std::pair{"key", &key}, std::pair{"value", &mapped}}) {
    auto& member = unit_.make<ast::Member>();
    member.name = name;
    member.where = where;
    member.parent = &node;
    member.type = type;
    node.members.push_back(&member);
  }
  node.defined = true;
  structs_.push_back(&node);
  entries_.push_back(&node);
  return node;
}

// What a map holds may be defined behind it.
void Analyzer::measure_entries() {
  for (ast::Struct* entry : entries_) {
    for (const ast::Member* member : entry->members) {
      entry->variable_length = entry->variable_length || ast::is_variable_length(*member->type);
      entry->least_bytes = std::min(entry->least_bytes + ast::least_bytes(*member->type), ast::kMostLeastBytes);
    }
  }
}

const ast::Type* Analyzer::map_type(const parse::TypeSpec::Map& spec, const source::Range& where) {
  auto& node = unit_.make<ast::SequenceType>();
  node.key = type(*spec.key, TypeUse::Element, nullptr);
  node.mapped = type(*spec.element, TypeUse::Element, nullptr);
  std::optional<std::uint32_t> bound = 0;
  if (spec.bound != nullptr) {
    bound = evaluator_.positive(*spec.bound, "the bound of a map");
  }
  if (node.key == nullptr || node.mapped == nullptr || !bound) {
    return nullptr;
  }
  node.bound = *bound;
  const ast::Struct& entry = map_entry(*node.key, *node.mapped, where);
  node.element = &entry;
  const std::uint32_t deepest = std::max(depth(*node.key), depth(*node.mapped));
  return too_deep(entry, deepest + 1, where) || too_deep(node, deepest + 2, where) ? nullptr : &node;
}

const ast::Type* Analyzer::named_type(const parse::ScopedName& name, TypeUse use) {
  if (name.parts.size() == 1 && !name.absolute) {
    if (const auto kind = later_integer(name.parts[0].text); kind && !is_declared(name.parts[0])) {
      return &ast::basic(*kind);
    }
  }
  const ast::Declaration* d = resolve(name, Wanted::Type);
  if (d == nullptr) {
    return nullptr;
  }
  if (const auto basic = basic_types_.find(d); basic != basic_types_.end()) {
    return &ast::basic(basic->second);
  }
  const ast::Type* out = as_type(*d);
  if (out == nullptr) {
    wrong_kind(name, *d, "a type");
    return nullptr;
  }
  refers_to(*d, name.where);
  if (is_composite(*out) && !is_defined(*out)) {
    any_early_use_ = true;
  }
  return check_complete(*out, use, name.where) ? out : nullptr;
}

const ast::Type* Analyzer::in_place(const parse::Item& definition, ast::Declarations* nested) {
  if (nested == nullptr) {
    diagnostics_.error(definition.name.where, "a type cannot be defined here");
    return nullptr;
  }
  const std::size_t before = nested->size();
  item(definition, *nested);
  for (std::size_t i = before; i < nested->size(); ++i) {
    if ((*nested)[i]->name == definition.name.text) {
      return as_type(*(*nested)[i]);
    }
  }
  return nullptr;
}

// The type of one declarator: `type`, or an array of it.
const ast::Type* Analyzer::declarator_type(const ast::Type* type, const parse::TypeSpec& spec,
                                           const parse::Declarator& declarator, bool is_typedef) {
  if (declarator.dimensions.empty()) {
    return type;
  }
  auto& array = unit_.make<ast::ArrayType>();
  array.element = type;
  std::uint64_t elements = 1;
  for (const parse::ExpressionPtr& e : declarator.dimensions) {
    const auto size = evaluator_.positive(*e, "the size of an array");
    if (!size) {
      return nullptr;
    }
    array.dimensions.push_back(*size);
    elements *= *size;
    if (elements > kMaxArrayElements) {
      diagnostics_.error(declarator.name.where, "array '" + declarator.name.text +
                                                    "' has more than 4294967295 elements");
      return nullptr;
    }
  }
  if (type == nullptr) {
    return nullptr;
  }
  // An array of incomplete sequences is no member of a kind the clause above allows.
  const auto kind = ast::strip_aliases(*type).type_kind;
  if (kind == ast::TypeKind::Sequence && is_typedef &&
      !check_complete(*type, TypeUse::Parameter, spec.where)) {
    return nullptr;
  }
  return too_deep(array, depth(*type) + 1, declarator.name.where) ||
                 too_large(ast::least_bytes(array), declarator.name.where)
             ? nullptr
             : &array;
}

}  // namespace callis::idl::sema
