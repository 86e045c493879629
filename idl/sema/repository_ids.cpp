// SPDX-License-Identifier: Apache-2.0
// Repository ids: prefixes, versions, typeid, and where they contradict each other.
#include <idl/sema/repository_ids.h>

namespace callis::idl::sema {

namespace {

// A format name, a colon, something; for IDL: also a version.
bool is_id(const std::string& id) {
  const auto colon = id.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == id.size()) {
    return false;
  }
  if (!id.starts_with("IDL:")) {
    return true;
  }
  const auto last = id.rfind(':');
  if (last == colon) {
    return false;
  }
  const auto dot = id.find('.', last);
  const auto digits = [&](std::size_t begin, std::size_t end) {
    return begin < end && id.find_first_not_of("0123456789", begin) >= end;
  };
  return dot != std::string::npos && digits(last + 1, dot) && digits(dot + 1, id.size());
}

bool has_id(const ast::Declaration& d) {
  switch (d.kind) {
    case ast::DeclarationKind::Parameter:
    case ast::DeclarationKind::Member:
    case ast::DeclarationKind::UnionMember:
    case ast::DeclarationKind::StateMember:
    case ast::DeclarationKind::Initializer:
    case ast::DeclarationKind::Enumerator: return false;
    default: return true;
  }
}

}  // namespace

void RepositoryIds::enter_file(bool within) {
  frames_.push_back({true, within ? frames_.back().prefix : std::string()});
}

// A file that ends inside a definition leaves scopes open.
void RepositoryIds::leave_file() {
  while (frames_.size() > 1 && !frames_.back().is_file) {
    frames_.pop_back();
  }
  if (frames_.size() > 1) {
    frames_.pop_back();
  }
}

void RepositoryIds::enter_scope() { frames_.push_back({false, frames_.back().prefix}); }

void RepositoryIds::leave_scope() {
  if (frames_.size() > 1 && !frames_.back().is_file) {
    frames_.pop_back();
  }
}

// Of the innermost scope that has one, `d` itself included; null where none has.
const RepositoryIds::TypePrefix* RepositoryIds::type_prefix(const ast::Declaration& d) const {
  if (type_prefixes_.empty()) {
    return nullptr;
  }
  for (const ast::Declaration* at = &d;; at = at->parent) {
    const auto* module = ast::as<ast::Module>(at);
    const auto found = type_prefixes_.find(module != nullptr ? module->first : at);
    if (found != type_prefixes_.end()) {
      return &found->second;
    }
    if (at == nullptr) {
      return nullptr;
    }
  }
}

std::string RepositoryIds::body(const ast::Declaration& d) const {
  const TypePrefix* own = type_prefix(d);
  const std::string& prefix = own != nullptr ? own->text : frames_.back().prefix;
  return "IDL:" + prefix + (prefix.empty() ? "" : "/") + ast::scoped_name(d, "/");
}

void RepositoryIds::assign(ast::Declaration& d) { d.repository_id = body(d) + ":1.0"; }

void RepositoryIds::again(const ast::Declaration& d, const source::Range& where) {
  const auto fixed = fixed_.find(&d);
  if (fixed != fixed_.end() && fixed->second.id) {
    return;
  }
  const std::string expected = body(d);
  if (d.repository_id.starts_with(expected + ":")) {
    return;
  }
  const std::string text = std::string(ast::kind_name(d.kind)) + " '" + d.name +
                           "' has another prefix here than where it was first declared";
  if (d.kind == ast::DeclarationKind::Module) {
    diagnostics_.warning(where, text);
  } else {
    diagnostics_.error(where, text);
  }
  diagnostics_.note(d.where, "it got the id \"" + d.repository_id + "\" here");
}

void RepositoryIds::set_type_id(ast::Declaration& d, const parse::TypeIdItem& item) {
  const auto known = fixed_.find(&d);
  if (known != fixed_.end() && known->second.by_typeid) {
    diagnostics_.error(item.text_where, "'" + d.name + "' has a typeid already");
    diagnostics_.note(known->second.where, "which was set here");
    return;
  }
  set_id(d, item.text, item.target.where, item.text_where);
  if (const auto set = fixed_.find(&d); set != fixed_.end() && set->second.id) {
    set->second.by_typeid = true;
  }
}

bool RepositoryIds::set_type_prefix(const ast::Declaration* scope, const parse::TypePrefixItem& item) {
  const auto* module = ast::as<ast::Module>(scope);
  const auto [known, fresh] =
      type_prefixes_.emplace(module != nullptr ? module->first : scope, TypePrefix{item.text, item.text_where});
  if (!fresh && known->second.text != item.text) {
    diagnostics_.error(item.text_where, "this scope has the prefix \"" + known->second.text + "\" already");
    diagnostics_.note(known->second.where, "which was set here");
    return false;
  }
  const std::string& pragma = frames_.back().prefix;
  if (!pragma.empty() && pragma != item.text) {
    diagnostics_.error(item.text_where, "a #pragma prefix sets another prefix here, \"" + pragma + "\"");
    return false;
  }
  return fresh;
}

void RepositoryIds::refresh(ast::Declaration& d) {
  const auto fixed = fixed_.find(&d);
  if (!has_id(d) || d.repository_id.empty() || (fixed != fixed_.end() && fixed->second.id)) {
    return;
  }
  d.repository_id = body(d) + d.repository_id.substr(d.repository_id.rfind(':'));
}

void RepositoryIds::set_id(ast::Declaration& d, const parse::PragmaItem& pragma) {
  set_id(d, pragma.text, pragma.target.where, pragma.text_where);
}

void RepositoryIds::set_id(ast::Declaration& d, const std::string& id, const source::Range& target,
                           const source::Range& where) {
  if (!has_id(d)) {
    diagnostics_.error(target, std::string(ast::kind_name(d.kind)) + " '" + d.name + "' has no repository id");
    return;
  }
  if (!is_id(id)) {
    diagnostics_.error(where, "not a repository id, which is like \"IDL:acme/Bank/Account:1.0\"");
    return;
  }
  Fixed& fixed = fixed_[&d];
  if ((fixed.id || fixed.version) && d.repository_id != id) {
    diagnostics_.error(where, "'" + d.name + "' already has the id \"" + d.repository_id + "\"");
    diagnostics_.note(fixed.where, "which was set here");
    return;
  }
  d.repository_id = id;
  fixed = {true, fixed.version, fixed.by_typeid, where};
}

void RepositoryIds::set_version(ast::Declaration& d, const parse::PragmaItem& pragma) {
  if (!has_id(d)) {
    diagnostics_.error(pragma.target.where,
                       std::string(ast::kind_name(d.kind)) + " '" + d.name + "' has no repository id");
    return;
  }
  if (!d.repository_id.starts_with("IDL:")) {
    diagnostics_.error(pragma.target.where, "the id of '" + d.name + "', \"" + d.repository_id +
                                                "\", has no version");
    return;
  }
  const std::string id = d.repository_id.substr(0, d.repository_id.rfind(':') + 1) +
                         std::to_string(pragma.major) + "." + std::to_string(pragma.minor);
  Fixed& fixed = fixed_[&d];
  if ((fixed.id || fixed.version) && d.repository_id != id) {
    diagnostics_.error(pragma.text_where, "'" + d.name + "' already has the id \"" +
                                              d.repository_id + "\"");
    diagnostics_.note(fixed.where, "which was set here");
    return;
  }
  d.repository_id = id;
  fixed = {fixed.id, true, fixed.by_typeid, pragma.text_where};
}

}  // namespace callis::idl::sema
