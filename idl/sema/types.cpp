// SPDX-License-Identifier: Apache-2.0
// Types as they are spelled to types of the AST.
#include <idl/sema/analyzer.h>

namespace callis::idl::sema {

namespace {

constexpr std::uint64_t kMaxArrayElements = UINT32_MAX;

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
    case parse::BasicType::Object: return ast::TypeKind::Object;
  }
  return ast::TypeKind::Void;
}

// A declaration as the type it names; null where it names none.
const ast::Type* as_type(const ast::Declaration& d) {
  if (const auto* s = ast::as<ast::Struct>(&d)) {
    return s;
  }
  if (const auto* e = ast::as<ast::Enum>(&d)) {
    return e;
  }
  if (const auto* i = ast::as<ast::Interface>(&d)) {
    return i;
  }
  return ast::as<ast::Typedef>(&d);
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
    auto& node = unit_.make<ast::StringType>(string->wide);
    if (string->bound != nullptr) {
      const auto bound = evaluator_.positive(*string->bound, "the bound of a string");
      if (!bound) {
        return nullptr;
      }
      node.bound = *bound;
    }
    return &node;
  }
  if (const auto* sequence = std::get_if<parse::TypeSpec::Sequence>(&spec.value)) {
    auto& node = unit_.make<ast::SequenceType>();
    node.element = type(*sequence->element, TypeUse::Element, nullptr);
    std::optional<std::uint32_t> bound = 0;
    if (sequence->bound != nullptr) {
      bound = evaluator_.positive(*sequence->bound, "the bound of a sequence");
    }
    if (node.element == nullptr || !bound) {
      return nullptr;
    }
    node.bound = *bound;
    return &node;
  }
  if (const auto* definition = std::get_if<parse::TypeSpec::Inline>(&spec.value)) {
    return in_place(*definition->definition, nested);
  }
  return nullptr;  // reported by the parser
}

const ast::Type* Analyzer::named_type(const parse::ScopedName& name, TypeUse use) {
  const ast::Declaration* d = resolve(name, Wanted::Type);
  if (d == nullptr) {
    return nullptr;
  }
  const ast::Type* out = as_type(*d);
  if (out == nullptr) {
    diagnostics_.error(name.where, std::string(ast::kind_name(d->kind)) + " '" + to_string(name) +
                                       "' is not a type");
    diagnostics_.note(d->where, "it is declared here");
    return nullptr;
  }
  if (const auto* i = ast::as<ast::Interface>(out)) {
    refers_to(*i, name.where);
  }
  if (const auto* s = ast::as<ast::Struct>(out); s != nullptr && !s->defined) {
    maybe_recursive_.push_back(const_cast<ast::Struct*>(s));
  }
  return check_complete(*out, use, name.where) ? out : nullptr;
}

void Analyzer::refers_to(const ast::Interface& i, const source::Range& where) {
  if (!i.defined) {
    early_uses_.try_emplace(&i, where);
  }
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

// `visiting`: structs being looked at, taken as complete so that recursion ends.
bool Analyzer::is_complete(const ast::Type& t, std::unordered_set<const ast::Struct*>& visiting) {
  const ast::Type& type = ast::strip_aliases(t);
  if (const auto* sequence = ast::as<ast::SequenceType>(&type)) {
    return is_complete(*sequence->element, visiting);
  }
  if (const auto* array = ast::as<ast::ArrayType>(&type)) {
    return is_complete(*array->element, visiting);
  }
  const auto* s = ast::as<ast::Struct>(&type);
  if (s == nullptr || complete_.contains(s)) {
    return true;
  }
  if (!s->defined) {
    return false;
  }
  if (!visiting.insert(s).second) {
    return true;
  }
  for (const ast::Member* member : s->members) {
    if (!is_complete(*member->type, visiting)) {
      return false;
    }
  }
  return true;
}

// A type that is not complete may be the element of a sequence; such a sequence may be an element,
// a member or get a name (7.4.1.4.4.4.4).
bool Analyzer::check_complete(const ast::Type& t, TypeUse use, const source::Range& where) {
  const ast::Type& type = ast::strip_aliases(t);
  if (use == TypeUse::Element) {
    return true;
  }
  const bool is_sequence = type.type_kind == ast::TypeKind::Sequence;
  if (is_sequence && (use == TypeUse::Member || use == TypeUse::Typedef)) {
    return true;
  }
  const auto* s = ast::as<ast::Struct>(&type);
  if (!is_sequence && use != TypeUse::Parameter && use != TypeUse::Attribute && s != nullptr &&
      s->defined) {
    return true;  // what it still lacks, it lacks inside sequences
  }
  std::unordered_set<const ast::Struct*> visiting;
  if (is_complete(type, visiting)) {
    complete_.insert(visiting.begin(), visiting.end());
    return true;
  }
  const ast::Declaration* d = ast::declaration(t);
  diagnostics_.error(where, d != nullptr ? "'" + d->name + "' cannot be used here before it is complete"
                                         : "this type cannot be used here before it is complete");
  if (s != nullptr) {
    diagnostics_.note(s->where, s == owner_ ? "a struct can contain itself only in a sequence"
                                            : "it is declared here");
  } else if (d != nullptr) {
    diagnostics_.note(d->where, "it is declared here");
  }
  return false;
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
  return &array;
}

}  // namespace callis::idl::sema
