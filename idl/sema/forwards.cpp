// SPDX-License-Identifier: Apache-2.0
// Forward declarations (IDL 4.2, 7.4.1.4.4.4.4, 7.4.3.4.3.4 and 7.4.5.4.2).
#include <idl/sema/analyzer.h>

namespace callis::idl::sema {

namespace {

std::string_view flavor_name(ast::Interface::Flavor flavor) {
  switch (flavor) {
    case ast::Interface::Flavor::Abstract: return "an abstract interface";
    case ast::Interface::Flavor::Local: return "a local interface";
    case ast::Interface::Flavor::Unconstrained: break;
  }
  return "an interface neither abstract nor local";
}

}  // namespace

// `node` is declared once more; it must be of the same flavor. A node that is declared for the first time gets it.
bool Analyzer::same_flavor(const ast::Interface& node, ast::Interface::Flavor flavor, const source::Range& where) {
  if (node.flavor == flavor) {
    return true;
  }
  diagnostics_.error(where, "'" + node.name + "' was declared before as " + std::string(flavor_name(node.flavor)));
  return false;
}

bool Analyzer::same_kind(const ast::ValueType& node, bool is_abstract, const source::Range& where) {
  if (node.is_abstract == is_abstract) {
    return true;
  }
  diagnostics_.error(where, "'" + node.name + "' was declared before as " +
                                (node.is_abstract ? "an abstract valuetype" : "a valuetype that is not abstract"));
  return false;
}

// Null after a report.
template <class T>
ast::Declaration* Analyzer::declare_ahead(const parse::ForwardItem& item, ScopeKind kind) {
  const Entry* before = scope_->find_own(item.name.text);
  bool again = before != nullptr && ast::as<T>(before->node) != nullptr && before->name == item.name.text;
  if constexpr (std::is_same_v<T, ast::Interface>) {
    const bool other = again && ast::as<T>(before->node)->flavor != flavor_of(item.name, item.flavor);
    again = again && !(other && is_declared_anew(*scope_, *before));
  }
  T* node = again ? const_cast<T*>(ast::as<T>(before->node)) : &make<T>(item.name);
  if constexpr (std::is_same_v<T, ast::Interface>) {
    if (!again) {
      node->flavor = flavor_of(item.name, item.flavor);
    } else if (!same_flavor(*node, flavor_of(item.name, item.flavor), item.name.where)) {
      diagnostics_.note(node->where, "it was declared here");
      return nullptr;
    }
  }
  if constexpr (std::is_same_v<T, ast::ValueType>) {
    if (!again) {
      node->is_abstract = item.is_abstract;
    } else if (!same_kind(*node, item.is_abstract, item.name.where)) {
      diagnostics_.note(node->where, "it was declared here");
      return nullptr;
    }
  }
  if (again) {
    ids_.again(*node, item.name.where);
    return node;
  }
  const bool basic = redeclares(item.name);
  const bool good = declare(*scope_, item.name, node);
  ids_.assign(*node);
  open_scope(kind, node);  // of a wrong one too: its definition may follow
  if (!good) {
    return nullptr;
  }
  if (basic) {
    stands_for(*node, item.name.text);
  } else {
    forwards_.emplace_back(node, item.name.where);
  }
  return node;
}

void Analyzer::forward(const parse::ForwardItem& item, ast::Declarations& contents) {
  using What = parse::ForwardItem::What;
  ast::Declaration* target = item.what == What::Struct  ? declare_ahead<ast::Struct>(item, ScopeKind::Struct)
                             : item.what == What::Union ? declare_ahead<ast::Union>(item, ScopeKind::Struct)
                             : item.what == What::Value ? declare_ahead<ast::ValueType>(item, ScopeKind::Interface)
                                                        : declare_ahead<ast::Interface>(item, ScopeKind::Interface);
  if (target == nullptr) {
    return;
  }
  annotate(*target, item.annotations);
  if (basic_types_.contains(target)) {
    return;
  }
  auto& node = make<ast::Forward>(item.name);
  node.target = target;
  node.repository_id = target->repository_id;
  contents.push_back(&node);
}

// A struct or union must be defined in the same unit (7.4.1.4.4.4.4); a valuetype only if the main file uses it.
// References to an interface are handled by what the file that defines it brings into the program.
void Analyzer::check_forwards() {
  for (const auto& [declaration, where] : forwards_) {
    if (const auto* s = ast::as<ast::Struct>(declaration); s != nullptr && !s->defined) {
      diagnostics_.error(where, "struct '" + s->name + "' is declared but never defined");
    } else if (const auto* u = ast::as<ast::Union>(declaration); u != nullptr && !u->defined) {
      diagnostics_.error(where, "union '" + u->name + "' is declared but never defined");
    } else if (const auto* i = ast::as<ast::Interface>(declaration)) {
      check_forward(*i, where, i->defined);
    } else if (const auto* v = ast::as<ast::ValueType>(declaration)) {
      check_forward(*v, where, v->defined);
    }
  }
}

void Analyzer::check_forward(const ast::Declaration& d, const source::Range& where, bool defined) {
  if (defined || d.built_in) {
    return;
  }
  const std::string text =
      std::string(ast::kind_name(d.kind)) + " '" + d.name + "' is declared but never defined";
  const auto use = early_uses_.find(&d);
  if (use == early_uses_.end() || !d.from_main_file || d.kind == ast::DeclarationKind::Interface) {
    diagnostics_.warning(where, text);
    return;
  }
  diagnostics_.error(where, text);
  diagnostics_.note(use->second, "it is used here");
}

}  // namespace callis::idl::sema
