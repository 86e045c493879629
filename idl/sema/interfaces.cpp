// SPDX-License-Identifier: Apache-2.0
// Interfaces and what they inherit (IDL 4.2, 7.4.3, 7.4.4, 7.4.6.4.3 and 7.4.7.4.2.2).
#include <idl/ast/walk.h>
#include <idl/sema/analyzer.h>
#include <idl/source/limits.h>
#include <algorithm>

namespace callis::idl::sema {

namespace {

// CORBA::Current, or derived from it.
bool is_current(const ast::Interface& i) {
  const auto named = [](const ast::Interface* base) { return ast::scoped_name(*base) == "CORBA::Current"; };
  const auto bases = ast::all_bases(i);
  return named(&i) || std::any_of(bases.begin(), bases.end(), named);
}

}  // namespace

void Analyzer::interface(const parse::InterfaceItem& item, ast::Declarations& contents) {
  const bool basic = redeclares(item.name);
  const Entry* before = scope_->find_own(item.name.text);
  const bool ahead = before != nullptr && ast::as<ast::Interface>(before->node) != nullptr &&
                     !is_declared_anew(*scope_, *before);
  const source::Range ahead_where = before != nullptr ? before->where : source::Range{};
  const ast::Interface::Flavor flavor = flavor_of(item.name, item.flavor);
  auto& node = defining<ast::Interface>(item.name, ScopeKind::Interface);
  if (ahead && before->node == &node) {
    if (!same_flavor(node, flavor, item.name.where)) {
      diagnostics_.note(ahead_where, "it was declared here");
    }
  } else {
    node.flavor = flavor;
  }
  if (basic) {
    stands_for(node, item.name.text);
  }
  Scope& scope = scope_of(node);
  bases(item, node, scope);
  std::vector<const ast::Declarations*> inherited;
  for (const ast::Interface* base : ast::all_bases(node)) {
    inherited.push_back(&base->contents);
  }
  if (!may_inherit_all(item.name, node, inherited, inherited_by_interfaces_)) {
    node.bases.clear();
    scope.clear_bases();
  } else if (node.bases.size() > 1) {
    check_inherited(item.name, node, inherited);
  }
  std::uint32_t deepest = 0;
  for (const ast::Interface* base : node.bases) {
    deepest = std::max(deepest, depth(*base));
  }
  if (too_deep(node, deepest + 1, item.name.where)) {
    node.bases.clear();
    scope.clear_bases();
  }
  node.defined = true;
  annotate(node, item.annotations);
  enter(scope, &node);
  items(item.body, node.contents);
  leave();
  if (!basic_types_.contains(&node)) {
    contents.push_back(&node);
  }
}

// Null after a report.
const ast::Interface* Analyzer::interface_named(const parse::ScopedName& name) {
  const ast::Declaration* d = resolve(name, Wanted::Interface);
  if (d == nullptr) {
    return nullptr;
  }
  const auto* out = ast::as<ast::Interface>(d);
  if (const auto* alias = ast::as<ast::Typedef>(d)) {
    out = ast::as<ast::Interface>(&ast::strip_aliases(*alias));
  }
  if (out == nullptr) {
    wrong_kind(name, *d, "an interface");
  }
  return out;
}

// `purpose`: "another can inherit from it". False after a report.
bool Analyzer::check_defined(const ast::Interface& base, const parse::ScopedName& name, std::string_view purpose) {
  if (base.defined) {
    return true;
  }
  diagnostics_.error(name.where,
                     "interface '" + to_string(name) + "' must be defined before " + std::string(purpose));
  diagnostics_.note(base.where, "it is only declared here");
  return false;
}

void Analyzer::bases(const parse::InterfaceItem& item, ast::Interface& node, Scope& scope) {
  std::unordered_set<const ast::Interface*> known;
  for (const parse::ScopedName& name : item.bases) {
    const ast::Interface* base = interface_named(name);
    if (base == nullptr) {
      continue;
    }
    if (base == &node) {
      diagnostics_.error(name.where, "interface '" + node.name + "' cannot inherit from itself");
    } else if (!check_defined(*base, name, "another can inherit from it")) {
      continue;
    } else if (known.contains(base)) {
      diagnostics_.error(name.where, "interface '" + node.name + "' already inherits from '" +
                                         to_string(name) + "'");
    } else if (may_inherit(node, *base, name)) {
      known.insert(base);
      node.bases.push_back(base);
      scope.add_base(scope_of(*base));
    }
  }
}

bool Analyzer::may_inherit(ast::Interface& node, const ast::Interface& base, const parse::ScopedName& name) {
  using Flavor = ast::Interface::Flavor;
  if (base.flavor == Flavor::Local && node.flavor == Flavor::Unconstrained && is_current(base)) {
    // It was written before there were local interfaces (CORBA 3.3 part 1, 7.8.9): the Transaction and Security
    // Services.
    diagnostics_.warning(name.where, "'" + to_string(name) + "' is local; interface '" + node.name +
                                         "' is taken as local too: write 'local interface'");
    node.flavor = Flavor::Local;
    return true;
  }
  if (base.flavor == Flavor::Local && node.flavor != Flavor::Local) {
    diagnostics_.error(name.where, "'" + to_string(name) + "' is local; only a local interface can inherit from it");
  } else if (node.flavor == Flavor::Abstract && base.flavor != Flavor::Abstract) {
    diagnostics_.error(name.where, "'" + to_string(name) + "' is not abstract; an abstract interface inherits only "
                                                           "from abstract ones");
  } else {
    return true;
  }
  note_declaration(base);
  return false;
}

// Adds to `so_far` what `node` inherits; false where it is more than the limit, which is reported once.
bool Analyzer::may_inherit_all(const parse::Name& name, const ast::Declaration& node,
                               const std::vector<const ast::Declarations*>& inherited, std::size_t& so_far) {
  const std::size_t before = so_far;
  for (const ast::Declarations* contents : inherited) {
    so_far += 1 + contents->size();
  }
  if (so_far > kMaxInheritedOperations && before <= kMaxInheritedOperations) {
    diagnostics_.error(name.where, std::string(ast::kind_name(node.kind)) + "s inherit more than " +
                                       std::to_string(kMaxInheritedOperations) + " operations and bases in all");
  }
  return so_far <= kMaxInheritedOperations;
}

// Two different operations, attributes or state members of one name cannot be inherited together.
void Analyzer::check_inherited(const parse::Name& name, const ast::Declaration& node,
                               const std::vector<const ast::Declarations*>& inherited) {
  std::unordered_map<std::string, const ast::Declaration*> seen;
  for (const ast::Declarations* contents : inherited) {
    for (const ast::Declaration* d : *contents) {
      if (d->kind != ast::DeclarationKind::Operation && d->kind != ast::DeclarationKind::Attribute &&
          d->kind != ast::DeclarationKind::StateMember) {
        continue;
      }
      const auto [other, fresh] = seen.emplace(fold(d->name), d);
      if (!fresh && other->second != d) {
        diagnostics_.error(name.where, std::string(ast::kind_name(node.kind)) + " '" + node.name +
                                           "' would inherit two " + std::string(ast::kind_name(d->kind)) + "s '" +
                                           d->name + "'");
        diagnostics_.note(other->second->where, "one is declared here");
        diagnostics_.note(d->where, "the other here");
        return;
      }
    }
  }
}

}  // namespace callis::idl::sema
