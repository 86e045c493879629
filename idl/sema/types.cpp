// SPDX-License-Identifier: Apache-2.0
// Types as they are spelled to types of the AST.
#include <idl/sema/analyzer.h>
#include <idl/sema/sema.h>

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
    return too_deep(node, depth(*node.element) + 1, spec.where) ? nullptr : &node;
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
    any_early_use_ = true;
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

// Looks into sequences too. Structs met twice are taken as complete, so that recursion ends.
bool Analyzer::is_complete(const ast::Type& t) {
  std::vector<const ast::Type*> open{&t};
  std::unordered_set<const ast::Struct*> visited;
  while (!open.empty()) {
    const ast::Type& type = ast::strip_aliases(*open.back());
    open.pop_back();
    if (const auto* sequence = ast::as<ast::SequenceType>(&type)) {
      open.push_back(sequence->element);
    } else if (const auto* array = ast::as<ast::ArrayType>(&type)) {
      open.push_back(array->element);
    }
    const auto* s = ast::as<ast::Struct>(&type);
    if (s == nullptr || complete_.contains(s) || !visited.insert(s).second) {
      continue;
    }
    if (!s->defined) {
      return false;
    }
    for (const ast::Member* member : s->members) {
      open.push_back(member->type);
    }
  }
  complete_.insert(visited.begin(), visited.end());
  return true;
}

std::uint32_t Analyzer::depth(const ast::Type& t) const {
  const auto known = depths_.find(&ast::strip_aliases(t));
  return known == depths_.end() ? 0 : known->second;
}

// Notes the depth of a new type; true after reporting that it is more than anyone needs.
bool Analyzer::too_deep(const ast::Type& t, std::uint32_t depth, const source::Range& where) {
  depths_[&t] = depth <= kMaxTypeDepth ? depth : 0;  // reported once, not for all that follow
  if (depth <= kMaxTypeDepth) {
    return false;
  }
  diagnostics_.error(where, "this type is built up of more than " + std::to_string(kMaxTypeDepth) +
                                " types, one inside the other");
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
  if (is_complete(type)) {
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
  return too_deep(array, depth(*type) + 1, declarator.name.where) ? nullptr : &array;
}

}  // namespace callis::idl::sema
