// SPDX-License-Identifier: Apache-2.0
// Entering names into scopes, and the rules about names that are taken (IDL 4.2, 7.5).
#include <idl/sema/analyzer.h>

namespace callis::idl::sema {

namespace {

bool is_operation(const ast::Declaration* d) {
  return d != nullptr && (d->kind == ast::DeclarationKind::Operation ||
                          d->kind == ast::DeclarationKind::Attribute ||
                          d->kind == ast::DeclarationKind::StateMember);
}

}  // namespace

void Analyzer::fill(ast::Declaration& node, const parse::Name& name) {
  node.name = name.text;
  node.where = name.where;
  node.parent = owner_;
  node.built_in = is_built_in(name);
  node.from_main_file = !node.built_in && (name.where.begin.file == unit_.main_file ||
                                           (!in_place_.empty() && in_place_.front()));
}

Scope& Analyzer::open_scope(ScopeKind kind, ast::Declaration* owner) {
  Scope& scope = all_scopes_.emplace_back(kind, scope_, owner, lookups_);
  if (owner != nullptr) {
    scopes_.insert_or_assign(owner, &scope);
  }
  return scope;
}

void Analyzer::enter(Scope& scope, ast::Declaration* owner) {
  outer_.emplace_back(scope_, owner_);
  scope_ = &scope;
  owner_ = owner;
  ids_.enter_scope();
}

void Analyzer::leave() {
  scope_ = outer_.back().first;
  owner_ = outer_.back().second;
  outer_.pop_back();
  ids_.leave_scope();
}

void Analyzer::declare_wrong(const parse::Name& name) {
  if (scope_->find_own(name.text) == nullptr) {
    scope_->add({name.text, name.where, nullptr});
  }
}

// Enters `name`; false where it may not be declared here, after a report. A name that is free but
// wrong is entered all the same, so that its uses are understood.
bool Analyzer::declare(Scope& scope, const parse::Name& name, ast::Declaration* node) {
  if (node != nullptr && &scope == scope_ && !is_as_the_orb_has_it(name, *node)) {
    declare_wrong(name);
    return false;
  }
  const Entry* before = scope.find_own(name.text);
  if (before != nullptr && before->name == name.text && is_declared_anew(scope, *before)) {
    scope.replace(name.text, node, name.where);
    return true;
  }
  const bool free = before == nullptr;
  const bool good = may_declare(scope, name, node);
  if (free) {
    scope.add({name.text, name.where, node});
  }
  return good;
}

bool Analyzer::may_declare(const Scope& scope, const parse::Name& name,
                           const ast::Declaration* node) {
  if (const Entry* before = scope.find_own(name.text)) {
    if (before->name == name.text) {
      diagnostics_.error(name.where, quoted(name.text) + " is already declared in this scope");
    } else {
      diagnostics_.error(name.where, quoted(name.text) + " differs from " + quoted(before->name) +
                                         " in this scope only in case");
    }
    diagnostics_.note(before->where, "previous declaration is here");
    return false;
  }
  if (scope.owner != nullptr && scope.kind != ScopeKind::Operation &&
      fold(scope.owner->name) == fold(name.text)) {
    const std::string holder = std::string(ast::kind_name(scope.owner->kind)) + " that directly holds it";
    if (scope.owner->name == name.text) {
      diagnostics_.error(name.where, quoted(name.text) + " is the name of the " + holder);
      diagnostics_.note(scope.owner->where, "which is declared here");
      return false;
    }
    // Published files have it (Right::right of the Security Service), and every mapping that minds case can take it.
    diagnostics_.warning(name.where, quoted(name.text) + " differs only in case from the name of the " + holder);
    diagnostics_.note(scope.owner->where, "which is declared here");
  }
  if (const Scope::Introduced* used = scope.find_introduced(name.text)) {
    const bool escaped = name.where.length > name.text.size();  // IDL 4.2, 7.2.3.2
    diagnostics_.error(name.where, used->name == name.text
                                       ? quoted(name.text) + " is declared after it was used in this "
                                                             "scope with another meaning"
                                       : quoted(name.text) + " differs from " + quoted(used->name) +
                                             ", which is used in this scope, only in case; rename it" +
                                             (escaped ? " (an underscore in front is no part of a name)" : ""));
    diagnostics_.note(used->where, "it is used here");
    return false;
  }
  return !clashes_with_inherited(scope, name, node);
}

// Types, constants and exceptions may be declared again in a derived interface or valuetype, operations, attributes
// and state members not (7.4.3.4.3.2.2). Factories are not inherited (7.4.5.4.1.3.2).
bool Analyzer::clashes_with_inherited(const Scope& scope, const parse::Name& name,
                                      const ast::Declaration* node) {
  if (scope.bases().empty()) {
    return false;
  }
  if (scope.kind == ScopeKind::Struct) {
    return clashes_with_base(scope, name);
  }
  for (const Entry* inherited : look_up(scope, name)) {
    if (inherited->node != nullptr && inherited->node->kind == ast::DeclarationKind::Initializer) {
      continue;
    }
    if (!is_operation(inherited->node)) {
      if (is_operation(node) || inherited->name == name.text) {
        continue;
      }
      diagnostics_.error(name.where, quoted(name.text) + " differs from the inherited " +
                                         quoted(inherited->name) + " only in case");
    } else {
      diagnostics_.error(name.where,
                         "the inherited " + std::string(ast::kind_name(inherited->node->kind)) +
                             " " + quoted(ast::scoped_name(*inherited->node)) +
                             " cannot be declared again");
    }
    diagnostics_.note(inherited->where, "it is declared here");
    return true;
  }
  return false;
}

// The members of a struct and of its bases have different names.
bool Analyzer::clashes_with_base(const Scope& scope, const parse::Name& name) {
  for (const Entry* inherited : look_up(scope, name)) {
    if (inherited->node != nullptr && inherited->node->kind == ast::DeclarationKind::Member) {
      diagnostics_.error(name.where, quoted(name.text) + " is the name of a member of the base struct" +
                                         (inherited->name == name.text ? "" : ", but for its case"));
      diagnostics_.note(inherited->where, "it is declared here");
      return true;
    }
  }
  return false;
}

}  // namespace callis::idl::sema
