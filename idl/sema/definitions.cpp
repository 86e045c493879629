// SPDX-License-Identifier: Apache-2.0
// Structs, exceptions, enums, typedefs, natives and constants.
#include <idl/sema/analyzer.h>
#include <idl/source/limits.h>
#include <algorithm>

namespace callis::idl::sema {

void Analyzer::structure(const parse::StructItem& item, ast::Declarations& contents) {
  auto& node = defining<ast::Struct>(item.name, ScopeKind::Struct);
  if (item.base) {
    struct_base(item, node);
  }
  enter(scope_of(node), &node);
  members(item.members, node.nested, node.members);
  items(item.after, node.nested);
  leave();
  complete(node, item.name.where);
  annotate(node, item.annotations);
  contents.push_back(&node);
}

// IDL 4.2, 7.4.13.4.1: the members of the base come first.
void Analyzer::struct_base(const parse::StructItem& item, ast::Struct& node) {
  const ast::Declaration* d = resolve(*item.base, Wanted::Type);
  if (d == nullptr) {
    return;
  }
  const auto* alias = ast::as<ast::Typedef>(d);
  const auto* base = alias != nullptr ? ast::as<ast::Struct>(&ast::strip_aliases(*alias)) : ast::as<ast::Struct>(d);
  if (base == nullptr || base->origin != ast::Struct::Origin::Declared) {
    wrong_kind(*item.base, *d, "a struct");
    return;
  }
  if (base == &node) {
    diagnostics_.error(item.base->where, "struct '" + node.name + "' cannot inherit from itself");
    return;
  }
  if (!base->defined) {
    diagnostics_.error(item.base->where, "struct '" + to_string(*item.base) + "' must be defined before another can "
                                         "inherit from it");
    diagnostics_.note(base->where, "it is only declared here");
    return;
  }
  inherited_members_ += base->members.size();
  if (inherited_members_ > kMaxInheritedMembers) {
    if (inherited_members_ - base->members.size() <= kMaxInheritedMembers) {
      diagnostics_.error(item.base->where,
                         "structs inherit more than " + std::to_string(kMaxInheritedMembers) + " members in all");
    }
    return;
  }
  node.base = base;
  node.members = base->members;
  scope_of(node).add_base(scope_of(*base));
}

// Its body has been read.
void Analyzer::complete(ast::Struct& node, const source::Range& where) {
  std::uint32_t deepest = node.base != nullptr ? depth(*node.base) : 0;
  for (const ast::Member* member : node.members) {
    deepest = std::max(deepest, depth(*member->type));
    node.variable_length = node.variable_length || ast::is_variable_length(*member->type);
    node.least_bytes = std::min(node.least_bytes + ast::least_bytes(*member->type), ast::kMostLeastBytes);
  }
  if (!too_deep(node, deepest + 1, where) && too_large(node.least_bytes, where)) {
    node.least_bytes = 0;  // reported once, not for all that follow
  }
  node.defined = true;
  structs_.push_back(&node);
}

void Analyzer::complete(ast::Union& node, const source::Range& where) {
  std::uint32_t deepest = 0;
  for (const ast::UnionMember* member : node.members) {
    deepest = std::max(deepest, depth(*member->type));
    node.variable_length = node.variable_length || ast::is_variable_length(*member->type);
  }
  too_deep(node, deepest + 1, where);
  node.defined = true;
  unions_.push_back(&node);
}

void Analyzer::exception(const parse::ExceptionItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Exception>(item.name);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  enter(open_scope(ScopeKind::Struct, &node), &node);
  members(item.members, node.nested, node.members);
  items(item.after, node.nested);
  leave();
  annotate(node, item.annotations);
  contents.push_back(&node);
}

void Analyzer::members(const std::vector<parse::MemberSpec>& specs, ast::Declarations& nested,
                       std::vector<const ast::Member*>& out) {
  for (const parse::MemberSpec& spec : specs) {
    items(spec.before, nested);
    const ast::Type* base = type(spec.type, TypeUse::Member, &nested);
    for (const parse::Declarator& declarator : spec.declarators) {
      const ast::Type* full = declarator_type(base, spec.type, declarator, false);
      if (full == nullptr) {
        declare_wrong(declarator.name);
        continue;
      }
      auto& node = make<ast::Member>(declarator.name);
      node.type = full;
      annotate(node, spec.annotations);
      if (declare(*scope_, declarator.name, &node)) {
        out.push_back(&node);
      }
    }
  }
}

// Enumerators are names of the scope the enum is in.
void Analyzer::enumeration(const parse::EnumItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Enum>(item.name);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  for (const auto& [annotations, name] : item.enumerators) {
    auto& enumerator = make<ast::Enumerator>(name);
    enumerator.parent = &node;
    enumerator.type = &node;
    enumerator.ordinal = static_cast<std::uint32_t>(node.enumerators.size());
    annotate(enumerator, annotations);
    if (declare(*scope_, name, &enumerator)) {
      node.enumerators.push_back(&enumerator);
    }
  }
  annotate(node, item.annotations);
  contents.push_back(&node);
}

void Analyzer::type_definition(const parse::TypedefItem& item, ast::Declarations& contents) {
  const ast::Type* base = type(item.type, TypeUse::Typedef, &contents);
  for (const parse::Declarator& declarator : item.declarators) {
    const ast::Type* full = declarator_type(base, item.type, declarator, true);
    if (full == nullptr) {
      declare_wrong(declarator.name);
      continue;
    }
    auto& node = make<ast::Typedef>(declarator.name);
    node.type = full;
    if (too_deep(node, aliases(*full) + 1, declarator.name.where)) {
      node.type = &ast::strip_aliases(*full);
    }
    node.from_main_file = node.from_main_file && !is_standard(node.name, *full);
    declare(*scope_, declarator.name, &node);
    ids_.assign(node);
    annotate(node, item.annotations);
    contents.push_back(&node);
  }
}

void Analyzer::native(const parse::NativeItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Native>(item.name);
  if (redeclares(item.name)) {
    stands_for(node, item.name.text);
    declare(*scope_, item.name, &node);
    return;
  }
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  annotate(node, item.annotations);
  contents.push_back(&node);
}

// A constant of `type`; an enumerator's name is looked up with that enum in mind.
std::optional<ast::Value> Analyzer::value_of(const parse::Expression& e, const ast::Type& type) {
  expected_ = ast::as<ast::Enum>(&ast::strip_aliases(type));
  auto value = evaluator_.evaluate(e, type);
  expected_ = nullptr;
  return value;
}

void Analyzer::constant(const parse::ConstItem& item, ast::Declarations& contents) {
  const ast::Type* t = type(item.type, TypeUse::Constant, nullptr);
  std::optional<ast::Value> value;
  if (t != nullptr) {
    const ast::TypeKind kind = ast::strip_aliases(*t).type_kind;
    const bool possible = kind == ast::TypeKind::Boolean || kind == ast::TypeKind::Char ||
                          kind == ast::TypeKind::WChar || kind == ast::TypeKind::String ||
                          kind == ast::TypeKind::WString || kind == ast::TypeKind::Enum ||
                          kind == ast::TypeKind::Fixed || ast::is_integer(kind) || ast::is_floating(kind);
    if (possible) {
      value = value_of(*item.value, *t);
    } else {
      const ast::Declaration* named = ast::declaration(*t);
      diagnostics_.error(item.type.where,
                         "a constant cannot have the type '" +
                             (named != nullptr ? named->name : ast::idl_name(*t)) + "'");
    }
  }
  if (!value) {
    declare_wrong(item.name);
    return;
  }
  auto& node = make<ast::Const>(item.name);
  node.type = t;
  node.value = std::move(*value);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  annotate(node, item.annotations);
  contents.push_back(&node);
}

}  // namespace callis::idl::sema
