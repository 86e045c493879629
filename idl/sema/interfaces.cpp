// SPDX-License-Identifier: Apache-2.0
// Interfaces, operations and attributes (IDL 4.2, 7.4.3 and 7.4.6).
#include <idl/ast/walk.h>
#include <idl/sema/analyzer.h>
#include <algorithm>

namespace callis::idl::sema {

void Analyzer::interface(const parse::InterfaceItem& item, ast::Declarations& contents) {
  const Entry* before = scope_->find_own(item.name.text);
  auto* node = before != nullptr && before->name == item.name.text
                   ? const_cast<ast::Interface*>(ast::as<ast::Interface>(before->node))
                   : nullptr;
  if (node != nullptr && !node->defined) {
    ids_.again(*node, item.name.where);
    fill(*node, item.name);
    scope_->replace(item.name.text, node, item.name.where);
  } else {
    node = &make<ast::Interface>(item.name);
    declare(*scope_, item.name, node);
    ids_.assign(*node);
    open_scope(ScopeKind::Interface, node);
  }
  Scope& scope = scope_of(*node);
  bases(item, *node, scope);
  check_inherited(item, *node);
  std::uint32_t deepest = 0;
  for (const ast::Interface* base : node->bases) {
    deepest = std::max(deepest, depth(*base));
  }
  if (too_deep(*node, deepest + 1, item.name.where)) {
    node->bases.clear();
    scope.bases.clear();
  }
  node->defined = true;
  annotate(*node, item);
  enter(scope, node);
  items(item.body, node->contents);
  leave();
  contents.push_back(node);
}

void Analyzer::bases(const parse::InterfaceItem& item, ast::Interface& node, Scope& scope) {
  for (const parse::ScopedName& name : item.bases) {
    const ast::Declaration* d = resolve(name, Wanted::Interface);
    if (d == nullptr) {
      continue;
    }
    const auto* base = ast::as<ast::Interface>(d);
    if (const auto* alias = ast::as<ast::Typedef>(d)) {
      base = ast::as<ast::Interface>(&ast::strip_aliases(*alias));
    }
    if (base == nullptr) {
      diagnostics_.error(name.where, std::string(ast::kind_name(d->kind)) + " '" +
                                         to_string(name) + "' is not an interface");
      diagnostics_.note(d->where, "it is declared here");
    } else if (base == &node) {
      diagnostics_.error(name.where, "interface '" + node.name + "' cannot inherit from itself");
    } else if (!base->defined) {
      diagnostics_.error(name.where, "interface '" + to_string(name) +
                                         "' must be defined before another can inherit from it");
      diagnostics_.note(base->where, "it is only declared here");
    } else if (std::find(node.bases.begin(), node.bases.end(), base) != node.bases.end()) {
      diagnostics_.error(name.where, "interface '" + node.name + "' already inherits from '" +
                                         to_string(name) + "'");
    } else {
      node.bases.push_back(base);
      scope.bases.push_back(&scope_of(*base));
    }
  }
}

// Two different operations or attributes of one name cannot be inherited together.
void Analyzer::check_inherited(const parse::InterfaceItem& item, const ast::Interface& node) {
  if (node.bases.size() < 2) {
    return;
  }
  std::unordered_map<std::string, const ast::Declaration*> seen;
  for (const ast::Interface* base : ast::all_bases(node)) {
    for (const ast::Declaration* d : base->contents) {
      if (d->kind != ast::DeclarationKind::Operation &&
          d->kind != ast::DeclarationKind::Attribute) {
        continue;
      }
      const auto [other, fresh] = seen.emplace(fold(d->name), d);
      if (!fresh && other->second != d) {
        diagnostics_.error(item.name.where, "interface '" + node.name + "' would inherit two " +
                                                std::string(ast::kind_name(d->kind)) + "s '" +
                                                d->name + "'");
        diagnostics_.note(other->second->where, "one is declared here");
        diagnostics_.note(d->where, "the other here");
        return;
      }
    }
  }
}

// The result and the exceptions are names of the interface, the parameters of the operation.
void Analyzer::operation(const parse::OperationItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Operation>(item.name);
  node.oneway = item.oneway;
  node.result = type(item.result, TypeUse::Parameter, nullptr);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  parameters(item, node);
  raises(item, node);
  check_oneway(item, node);
  annotate(node, item);
  if (node.result != nullptr) {
    contents.push_back(&node);
  }
}

void Analyzer::parameters(const parse::OperationItem& item, ast::Operation& node) {
  Scope& scope = all_scopes_.emplace_back(ScopeKind::Operation, scope_, &node);
  enter(scope, &node);
  for (const parse::ParameterSpec& spec : item.parameters) {
    auto& parameter = make<ast::Parameter>(spec.name);
    parameter.mode = spec.mode == parse::ParameterSpec::Mode::In      ? ast::Parameter::Mode::In
                     : spec.mode == parse::ParameterSpec::Mode::InOut ? ast::Parameter::Mode::InOut
                                                                      : ast::Parameter::Mode::Out;
    parameter.type = type(spec.type, TypeUse::Parameter, nullptr);
    if (declare(scope, spec.name, &parameter) && parameter.type != nullptr) {
      node.parameters.push_back(&parameter);
    }
  }
  leave();
}

void Analyzer::raises(const parse::OperationItem& item, ast::Operation& node) {
  for (const parse::ScopedName& name : item.raises) {
    const ast::Declaration* d = resolve(name, Wanted::Exception);
    if (d == nullptr) {
      continue;
    }
    const auto* exception = ast::as<ast::Exception>(d);
    if (exception == nullptr) {
      diagnostics_.error(name.where, std::string(ast::kind_name(d->kind)) + " '" +
                                         to_string(name) + "' is not an exception");
      diagnostics_.note(d->where, "it is declared here");
    } else if (std::find(node.raises.begin(), node.raises.end(), exception) != node.raises.end()) {
      diagnostics_.warning(name.where, "exception '" + to_string(name) + "' is listed twice");
    } else {
      node.raises.push_back(exception);
    }
  }
}

void Analyzer::check_oneway(const parse::OperationItem& item, const ast::Operation& node) {
  if (!node.oneway) {
    return;
  }
  if (node.result != nullptr && node.result->type_kind != ast::TypeKind::Void) {
    diagnostics_.error(item.result.where, "a oneway operation returns nothing: 'void'");
  }
  for (const parse::ParameterSpec& spec : item.parameters) {
    if (spec.mode != parse::ParameterSpec::Mode::In) {
      diagnostics_.error(spec.name.where, "a oneway operation has only 'in' parameters");
    }
  }
  if (!item.raises.empty()) {
    diagnostics_.error(item.raises.front().where, "a oneway operation cannot raise exceptions");
  }
}

void Analyzer::attribute(const parse::AttributeItem& item, ast::Declarations& contents) {
  const ast::Type* t = type(item.type, TypeUse::Attribute, nullptr);
  for (const parse::Name& name : item.names) {
    auto& node = make<ast::Attribute>(name);
    node.type = t;
    node.readonly = item.readonly;
    declare(*scope_, name, &node);
    ids_.assign(node);
    annotate(node, item);
    if (t != nullptr) {
      contents.push_back(&node);
    }
  }
}

}  // namespace callis::idl::sema
