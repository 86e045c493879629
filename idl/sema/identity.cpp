// SPDX-License-Identifier: Apache-2.0
// typeid, typeprefix and import (IDL 4.2, 7.4.6.4.1).
#include <idl/sema/analyzer.h>

namespace callis::idl::sema {

namespace {

// One or more identifiers separated by slashes, of letters, digits, `_`, `-` and `.`; no punctuation begins it.
bool is_prefix(const std::string& text) {
  bool begins = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && (begins || (c != '_' && c != '-' && c != '.' && c != '/'))) {
      return false;
    }
    begins = c == '/';
  }
  return !begins;
}

bool is_scope(ast::DeclarationKind kind) {
  return kind == ast::DeclarationKind::Module || kind == ast::DeclarationKind::Interface ||
         kind == ast::DeclarationKind::Value || kind == ast::DeclarationKind::ValueBox;
}

}  // namespace

void Analyzer::type_id(const parse::TypeIdItem& item) {
  if (ast::Declaration* target = resolve(item.target, Wanted::Anything)) {
    ids_.set_type_id(*target, item);
  }
}

void Analyzer::type_prefix(const parse::TypePrefixItem& item) {
  if (!is_prefix(item.text)) {
    diagnostics_.error(item.text_where, "not a prefix, which is like \"acme.com\" or \"acme.com/bank\"");
    return;
  }
  ast::Declaration* target = nullptr;
  if (!item.target.parts.empty()) {
    target = resolve(item.target, Wanted::Anything);
    if (target == nullptr) {
      return;
    }
    if (!is_scope(target->kind)) {
      wrong_kind(item.target, *target, "a module, interface or valuetype");
      return;
    }
  }
  if (!ids_.set_type_prefix(target, item)) {
    return;
  }
  // What has been declared inside gets its id anew.
  std::vector<const Scope*> open;
  if (target != nullptr) {
    ids_.refresh(*target);
  }
  if (const Scope* scope = target != nullptr ? scope_behind(*target) : &all_scopes_.front()) {
    open.push_back(scope);
  }
  while (!open.empty()) {
    const Scope* scope = open.back();
    open.pop_back();
    for (const Entry& entry : scope->entries()) {
      if (entry.node == nullptr) {
        continue;
      }
      ids_.refresh(*entry.node);
      const Scope* inner = scope_behind(*entry.node);
      if (inner != nullptr && inner->parent == scope) {
        open.push_back(inner);
      }
    }
  }
}

namespace {
constexpr std::string_view kHowToImport =
    "there is no interface repository to import from: #include the file that declares it before this line (files of "
    "the OMG "
    "do so when the macro _PRE_3_0_COMPILER_ is defined)";

}  // namespace

// There is no repository to import from (how a compiler finds what is imported is its own affair: CORBA 3.0, 3.6): it
// must have been declared or included.
void Analyzer::import(const parse::ImportItem& item) {
  if (item.target) {
    const ast::Declaration* d = resolve(*item.target, Wanted::Anything);
    if (d == nullptr) {
      diagnostics_.note(item.where, std::string(kHowToImport));
    } else if (!is_scope(d->kind) || d->kind == ast::DeclarationKind::ValueBox) {
      wrong_kind(*item.target, *d, "a module, interface or valuetype");
    }
    return;
  }
  for (const auto& [declaration, scope] : scopes_) {
    if (declaration->repository_id == item.text) {
      return;
    }
  }
  diagnostics_.error(item.where, "nothing declared or included has the repository id \"" + item.text + "\"");
  diagnostics_.note(item.where, std::string(kHowToImport));
}

}  // namespace callis::idl::sema
