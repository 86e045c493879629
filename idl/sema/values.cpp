// SPDX-License-Identifier: Apache-2.0
// Valuetypes, boxed values, state members and factories (IDL 4.2, 7.4.5 and 7.4.7).
#include <idl/ast/walk.h>
#include <idl/sema/analyzer.h>
#include <algorithm>

namespace callis::idl::sema {

void Analyzer::value(const parse::ValueItem& item, ast::Declarations& contents) {
  const Entry* before = scope_->find_own(item.name.text);
  const source::Range ahead_where = before != nullptr ? before->where : source::Range{};
  const bool ahead = before != nullptr && ast::as<ast::ValueType>(before->node) != nullptr;
  auto& node = defining<ast::ValueType>(item.name, ScopeKind::Interface);
  if (ahead && before->node == &node) {
    if (!same_kind(node, item.is_abstract, item.name.where)) {
      diagnostics_.note(ahead_where, "it was declared here");
    }
  }
  node.is_abstract = item.is_abstract;
  node.custom = item.custom;
  node.truncatable = item.truncatable;
  Scope& scope = scope_of(node);
  value_bases(item, node, scope);
  value_supports(item, node, scope);
  check_truncatable(item, node);
  std::vector<const ast::Declarations*> inherited;
  for (const ast::ValueType* base : ast::all_bases(node)) {
    inherited.push_back(&base->contents);
  }
  for (const ast::Interface* i : ast::all_supported(node)) {
    inherited.push_back(&i->contents);
  }
  const auto forget_bases = [&] {
    node.base = nullptr;
    node.abstract_bases.clear();
    node.supports.clear();
    scope.clear_bases();
  };
  if (!may_inherit_all(item.name, node, inherited, inherited_by_values_)) {
    forget_bases();
  } else if (scope.bases().size() > 1) {
    check_value_supports(item, node);
    check_inherited(item.name, node, inherited);
  }
  std::uint32_t deepest = node.base != nullptr ? depth(*node.base) : 0;
  for (const ast::ValueType* base : node.abstract_bases) {
    deepest = std::max(deepest, depth(*base));
  }
  if (too_deep(node, deepest + 1, item.name.where)) {
    forget_bases();
  }
  node.defined = true;
  annotate(node, item.annotations);
  enter(scope, &node);
  items(item.body, node.contents);
  leave();
  contents.push_back(&node);
}

void Analyzer::value_bases(const parse::ValueItem& item, ast::ValueType& node, Scope& scope) {
  std::unordered_set<const ast::ValueType*> known;
  for (const parse::ScopedName& name : item.bases) {
    const ast::Declaration* d = resolve(name, Wanted::Value);
    if (d == nullptr) {
      continue;
    }
    const auto* base = ast::as<ast::ValueType>(d);
    if (const auto* alias = ast::as<ast::Typedef>(d)) {
      base = ast::as<ast::ValueType>(&ast::strip_aliases(*alias));
    }
    if (base == nullptr) {
      wrong_kind(name, *d, d->kind == ast::DeclarationKind::ValueBox  ? "a valuetype that others can inherit from"
                           : d->kind == ast::DeclarationKind::Interface ? "a valuetype; it can be supported"
                                                                        : "a valuetype");
    } else if (base == &node) {
      diagnostics_.error(name.where, "valuetype '" + node.name + "' cannot inherit from itself");
    } else if (!base->defined) {
      diagnostics_.error(name.where, "valuetype '" + to_string(name) +
                                         "' must be defined before another can inherit from it");
      diagnostics_.note(base->where, "it is only declared here");
    } else if (known.contains(base)) {
      diagnostics_.error(name.where, "valuetype '" + node.name + "' already inherits from '" + to_string(name) + "'");
    } else if (value_base(item, name, *base, node)) {
      known.insert(base);
      scope.add_base(scope_of(*base));
    }
  }
}

// One concrete base at most, and it comes first (7.4.7.4.3).
bool Analyzer::value_base(const parse::ValueItem& item, const parse::ScopedName& name, const ast::ValueType& base,
                          ast::ValueType& node) {
  if (base.is_abstract) {
    node.abstract_bases.push_back(&base);
    return true;
  }
  if (node.is_abstract) {
    diagnostics_.error(name.where, "an abstract valuetype inherits only from abstract ones");
  } else if (node.base != nullptr) {
    diagnostics_.error(name.where, "a valuetype inherits from one valuetype at most that is not abstract");
    diagnostics_.note(node.base->where, "it already inherits from this one");
    return false;
  } else if (&name != &item.bases.front()) {
    diagnostics_.error(name.where, "'" + to_string(name) + "' is not abstract and must be the first base");
  } else {
    node.base = &base;
    return true;
  }
  diagnostics_.note(base.where, "it is declared here");
  return false;
}

void Analyzer::value_supports(const parse::ValueItem& item, ast::ValueType& node, Scope& scope) {
  const ast::Interface* concrete = nullptr;
  std::unordered_set<const ast::Interface*> known;
  for (const parse::ScopedName& name : item.supports) {
    const ast::Interface* i = interface_named(name);
    if (i == nullptr || !check_defined(*i, name, "a valuetype can support it")) {
      continue;
    }
    if (known.contains(i)) {
      diagnostics_.error(name.where, "valuetype '" + node.name + "' already supports '" + to_string(name) + "'");
      continue;
    }
    if (i->flavor != ast::Interface::Flavor::Abstract) {
      if (concrete != nullptr) {
        diagnostics_.error(name.where, "a valuetype supports one interface at most that is not abstract");
        diagnostics_.note(concrete->where, "it already supports this one");
        continue;
      }
      concrete = i;
    }
    known.insert(i);
    node.supports.push_back(i);
    scope.add_base(scope_of(*i));
  }
}

// One of the interfaces that are supported, also by base valuetypes, must derive from all the others (7.4.7.4.3).
void Analyzer::check_value_supports(const parse::ValueItem& item, const ast::ValueType& node) {
  std::vector<const ast::Interface*> concrete;
  std::unordered_set<const ast::Interface*> known;
  const auto add = [&](const ast::ValueType& v) {
    for (const ast::Interface* i : v.supports) {
      if (i->flavor != ast::Interface::Flavor::Abstract && known.insert(i).second) {
        concrete.push_back(i);
      }
    }
  };
  add(node);
  for (const ast::ValueType* base : ast::all_bases(node)) {
    add(*base);
  }
  if (concrete.size() < 2) {
    return;
  }
  // One that derives from all others has more bases above each other than they.
  const ast::Interface* most = *std::max_element(
      concrete.begin(), concrete.end(), [this](const auto* a, const auto* b) { return depth(*a) < depth(*b); });
  known.erase(most);
  for (const ast::Interface* base : ast::all_bases(*most)) {
    known.erase(base);
  }
  if (known.empty()) {
    return;
  }
  most = concrete.front();
  for (const ast::Interface* i : concrete) {
    most = ast::is_a(*i, *most) ? i : most;
  }
  for (const ast::Interface* i : concrete) {
    if (!ast::is_a(*most, *i)) {
      diagnostics_.error(item.name.where, "valuetype '" + node.name + "' would support two interfaces, '" +
                                              ast::scoped_name(*most) + "' and '" + ast::scoped_name(*i) +
                                              "', neither derived from the other");
      diagnostics_.note(most->where, "one is declared here");
      diagnostics_.note(i->where, "the other here");
      return;
    }
  }
}

// 7.4.7.4.4 and 7.4.7.4.5.
void Analyzer::check_truncatable(const parse::ValueItem& item, const ast::ValueType& node) {
  if (!node.truncatable) {
    return;
  }
  if (node.is_abstract) {
    diagnostics_.error(item.truncatable_where, "an abstract valuetype has no state that could be truncated");
  } else if (node.custom) {
    diagnostics_.error(item.truncatable_where, "a custom valuetype cannot be truncated");
  } else if (node.base == nullptr && !node.abstract_bases.empty()) {
    diagnostics_.error(item.truncatable_where, "a valuetype is truncatable only to a base that is not abstract");
  } else if (node.base != nullptr && node.base->custom) {
    diagnostics_.error(item.truncatable_where, "a valuetype cannot be truncated to a custom base");
    diagnostics_.note(node.base->where, "which is declared here");
  }
}

// Its name is declared behind its type, which cannot use it.
void Analyzer::value_box(const parse::ValueBoxItem& item, ast::Declarations& contents) {
  ast::Declarations nested;
  boxing_ = &item.name;
  const ast::Type* boxed = type(item.type, TypeUse::Typedef, &nested);
  boxing_ = nullptr;
  if (boxed != nullptr) {
    const ast::TypeKind kind = ast::strip_aliases(*boxed).type_kind;
    if (kind == ast::TypeKind::Value || kind == ast::TypeKind::ValueBox || kind == ast::TypeKind::ValueBase) {
      diagnostics_.error(item.type.where, "a value cannot be boxed once more");
      boxed = nullptr;
    }
  }
  if (boxed == nullptr) {
    return declare_wrong(item.name);
  }
  if (const Entry* before = scope_->find_own(item.name.text);
      before != nullptr && ast::as<ast::ValueType>(before->node) != nullptr &&
      !ast::as<ast::ValueType>(before->node)->defined) {
    diagnostics_.error(item.name.where, "a boxed value cannot be declared before it is defined");
    diagnostics_.note(before->where, "it is declared here");
    return;
  }
  auto& node = make<ast::ValueBox>(item.name);
  node.type = boxed;
  node.nested = std::move(nested);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  too_deep(node, depth(*boxed) + 1, item.name.where);
  annotate(node, item.annotations);
  contents.push_back(&node);
}

void Analyzer::state(const parse::StateItem& item, ast::Declarations& contents) {
  const auto* value = ast::as<ast::ValueType>(owner_);
  if (value != nullptr && value->is_abstract) {
    diagnostics_.error(item.where, "an abstract valuetype has no state");
  }
  const ast::Type* base = type(item.member.type, TypeUse::Member, &contents);
  for (const parse::Declarator& declarator : item.member.declarators) {
    const ast::Type* full = declarator_type(base, item.member.type, declarator, false);
    if (full == nullptr) {
      declare_wrong(declarator.name);
      continue;
    }
    auto& node = make<ast::StateMember>(declarator.name);
    node.type = full;
    node.is_public = item.is_public;
    annotate(node, item.annotations);
    if (declare(*scope_, declarator.name, &node)) {
      contents.push_back(&node);
    }
  }
}

void Analyzer::initializer(const parse::InitializerItem& item, ast::Declarations& contents) {
  const auto* value = ast::as<ast::ValueType>(owner_);
  if (value != nullptr && value->is_abstract) {
    diagnostics_.error(item.name.where, "an abstract valuetype has no factories");
  }
  auto& node = make<ast::Initializer>(item.name);
  declare(*scope_, item.name, &node);
  parameters(item.parameters, node, node.parameters);
  for (const parse::ParameterSpec& spec : item.parameters) {
    if (spec.mode != parse::ParameterSpec::Mode::In) {
      diagnostics_.error(spec.name.where, "a factory has only 'in' parameters");
    }
  }
  raises(item.raises, node.raises);
  annotate(node, item.annotations);
  contents.push_back(&node);
}

}  // namespace callis::idl::sema
