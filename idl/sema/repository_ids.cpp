// SPDX-License-Identifier: Apache-2.0
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
  return d.kind != ast::DeclarationKind::Parameter && d.kind != ast::DeclarationKind::Member &&
         d.kind != ast::DeclarationKind::Enumerator;
}

}  // namespace

void RepositoryIds::enter_file() { frames_.push_back({true, {}}); }

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

std::string RepositoryIds::body(const ast::Declaration& d) const {
  const std::string& prefix = frames_.back().prefix;
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

void RepositoryIds::set_id(ast::Declaration& d, const parse::PragmaItem& pragma) {
  if (!has_id(d)) {
    diagnostics_.error(pragma.target.where,
                       std::string(ast::kind_name(d.kind)) + " '" + d.name + "' has no repository id");
    return;
  }
  if (!is_id(pragma.text)) {
    diagnostics_.error(pragma.text_where,
                       "not a repository id, which is like \"IDL:acme/Bank/Account:1.0\"");
    return;
  }
  Fixed& fixed = fixed_[&d];
  if ((fixed.id || fixed.version) && d.repository_id != pragma.text) {
    diagnostics_.error(pragma.text_where, "'" + d.name + "' already has the id \"" +
                                              d.repository_id + "\"");
    diagnostics_.note(fixed.where, "which was set here");
    return;
  }
  d.repository_id = pragma.text;
  fixed = {true, fixed.version, pragma.text_where};
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
  fixed = {fixed.id, true, pragma.text_where};
}

}  // namespace callis::idl::sema
