// SPDX-License-Identifier: Apache-2.0
// Structs, exceptions, enums, typedefs and constants.
#include <idl/sema/analyzer.h>
#include <algorithm>

namespace callis::idl::sema {

void Analyzer::structure(const parse::StructItem& item, ast::Declarations& contents) {
  const Entry* before = scope_->find_own(item.name.text);
  auto* node = before != nullptr && before->name == item.name.text
                   ? const_cast<ast::Struct*>(ast::as<ast::Struct>(before->node))
                   : nullptr;
  if (node != nullptr && !node->defined && !scopes_.at(node)->entries().empty()) {
    node = nullptr;  // inside its own body
  }
  if (node != nullptr && !node->defined) {
    ids_.again(*node, item.name.where);
    fill(*node, item.name);
    scope_->replace(item.name.text, node, item.name.where);
  } else {
    node = &make<ast::Struct>(item.name);
    declare(*scope_, item.name, node);
    ids_.assign(*node);
    open_scope(ScopeKind::Struct, node);
  }
  if (item.members.empty() && !item.damaged) {
    diagnostics_.error(item.name.where, "struct '" + item.name.text + "' has no members");
  }
  enter(scope_of(*node), node);
  members(item.members, *node, node->nested, node->members);
  leave();
  std::uint32_t deepest = 0;
  for (const ast::Member* member : node->members) {
    deepest = std::max(deepest, depth(*member->type));
  }
  too_deep(*node, deepest + 1, item.name.where);
  node->defined = true;
  annotate(*node, item);
  structs_.push_back(node);
  contents.push_back(node);
}

void Analyzer::exception(const parse::ExceptionItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Exception>(item.name);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  enter(open_scope(ScopeKind::Struct, &node), &node);
  members(item.members, node, node.nested, node.members);
  leave();
  annotate(node, item);
  contents.push_back(&node);
}

void Analyzer::members(const std::vector<parse::MemberSpec>& specs, ast::Declaration& owner,
                       ast::Declarations& nested, std::vector<const ast::Member*>& out) {
  for (const parse::MemberSpec& spec : specs) {
    const ast::Type* base = type(spec.type, TypeUse::Member, &nested);
    for (const parse::Declarator& declarator : spec.declarators) {
      const ast::Type* full = declarator_type(base, spec.type, declarator, false);
      auto& node = make<ast::Member>(declarator.name);
      node.parent = &owner;
      node.type = full;
      if (full == nullptr) {
        if (scope_->find_own(declarator.name.text) == nullptr) {
          scope_->add({declarator.name.text, declarator.name.where, nullptr});
        }
        continue;
      }
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
  for (const parse::Name& name : item.enumerators) {
    auto& enumerator = make<ast::Enumerator>(name);
    enumerator.parent = &node;
    enumerator.type = &node;
    enumerator.ordinal = static_cast<std::uint32_t>(node.enumerators.size());
    if (declare(*scope_, name, &enumerator)) {
      node.enumerators.push_back(&enumerator);
    }
  }
  annotate(node, item);
  contents.push_back(&node);
}

void Analyzer::type_definition(const parse::TypedefItem& item, ast::Declarations& contents) {
  const ast::Type* base = type(item.type, TypeUse::Typedef, &contents);
  for (const parse::Declarator& declarator : item.declarators) {
    const ast::Type* full = declarator_type(base, item.type, declarator, true);
    if (full == nullptr) {
      if (scope_->find_own(declarator.name.text) == nullptr) {
        scope_->add({declarator.name.text, declarator.name.where, nullptr});
      }
      continue;
    }
    auto& node = make<ast::Typedef>(declarator.name);
    node.type = full;
    declare(*scope_, declarator.name, &node);
    ids_.assign(node);
    annotate(node, item);
    contents.push_back(&node);
  }
}

void Analyzer::constant(const parse::ConstItem& item, ast::Declarations& contents) {
  const ast::Type* t = type(item.type, TypeUse::Constant, nullptr);
  std::optional<ast::Value> value;
  if (t != nullptr) {
    const ast::TypeKind kind = ast::strip_aliases(*t).type_kind;
    const bool possible = kind == ast::TypeKind::Boolean || kind == ast::TypeKind::Char ||
                          kind == ast::TypeKind::WChar || kind == ast::TypeKind::String ||
                          kind == ast::TypeKind::WString || kind == ast::TypeKind::Enum ||
                          ast::is_integer(kind) || ast::is_floating(kind);
    if (possible) {
      value = evaluator_.evaluate(*item.value, *t);
    } else {
      const ast::Declaration* named = ast::declaration(*t);
      diagnostics_.error(item.type.where,
                         "a constant cannot have the type '" +
                             (named != nullptr ? named->name : ast::idl_name(*t)) + "'");
    }
  }
  if (!value) {
    if (scope_->find_own(item.name.text) == nullptr) {
      scope_->add({item.name.text, item.name.where, nullptr});
    }
    return;
  }
  auto& node = make<ast::Const>(item.name);
  node.type = t;
  node.value = std::move(*value);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  annotate(node, item);
  contents.push_back(&node);
}

}  // namespace callis::idl::sema
