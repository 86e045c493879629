// SPDX-License-Identifier: Apache-2.0
// Name lookup (IDL 4.2, 7.5).
#include <idl/sema/analyzer.h>
#include <idl/source/built_in.h>
#include <cctype>

namespace callis::idl::sema {

namespace {

bool is_type(ast::DeclarationKind kind) {
  switch (kind) {
    case ast::DeclarationKind::Struct:
    case ast::DeclarationKind::Union:
    case ast::DeclarationKind::Enum:
    case ast::DeclarationKind::Interface:
    case ast::DeclarationKind::Value:
    case ast::DeclarationKind::ValueBox:
    case ast::DeclarationKind::Native:
    case ast::DeclarationKind::Bitset:
    case ast::DeclarationKind::Bitmask:
    case ast::DeclarationKind::Typedef: return true;
    default: return false;
  }
}

// Whether the orb.idl that is built in has the word.
bool declared_by_orb_idl(std::string_view name) {
  const std::string_view text = source::built_in_file("orb.idl").value_or("");
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (!in_name(text[at - 1]) && !in_name(text[end])) {  // no name stands at the end of it
      return true;
    }
  }
  return false;
}

}  // namespace

// The scope that `d::x` looks into; null where `d` has none.
const Scope* Analyzer::scope_behind(const ast::Declaration& d) const {
  const auto found = scopes_.find(&d);
  return found == scopes_.end() ? nullptr : found->second;
}

// A use at an inner level makes the name belong there, and in every enclosing scope up to the
// outermost that is no module: it may not be declared there any more (7.5.2, 7.5.3).
void Analyzer::introduce(const parse::Name& name, const Scope& declared_in, Scope& used_in) {
  for (Scope* s = &used_in; s != nullptr && s != &declared_in; s = s->parent) {
    const bool is_module = s->kind == ScopeKind::Module || s->kind == ScopeKind::Root;
    if (is_module && s != &used_in) {
      return;
    }
    s->introduce(name.text, name.where);
    if (is_module) {
      return;
    }
  }
}

std::string Analyzer::unknown(const parse::Name& name, const Scope& innermost, bool outwards,
                              Wanted wanted) const {
  std::string text = wanted == Wanted::Type        ? "unknown type "
                     : wanted == Wanted::Constant  ? "unknown constant "
                     : wanted == Wanted::Exception ? "unknown exception "
                     : wanted == Wanted::Interface ? "unknown interface "
                     : wanted == Wanted::Value     ? "unknown valuetype "
                                                   : "unknown name ";
  text += quoted(name.text);
  if (!outwards && innermost.owner != nullptr) {
    text += " in " + quoted(ast::scoped_name(*innermost.owner));
  }
  if (!outwards && is_corba(innermost) && declared_by_orb_idl(name.text)) {
    return text + "; #include <orb.idl> declares it";
  }
  if (boxing_ != nullptr && name.text == boxing_->text) {
    return text + "; a boxed value cannot be used in its own type";
  }
  if (outwards && (name.text == typecode_.name || name.text == abstract_base_.name)) {
    return text + "; did you mean 'CORBA::" + name.text + "'?";
  }
  if (wanted == Wanted::Constant && outwards && expected_ != nullptr) {
    for (const ast::Enumerator* e : expected_->enumerators) {
      if (e->name == name.text) {
        return text + "; did you mean " + quoted(ast::scoped_name(*e)) + "?";
      }
    }
  }
  if (wanted == Wanted::Type || name.text == "std") {
    if (const auto hint = foreign_type_hint(name.text); !hint.empty()) {
      return text + "; " + std::string(hint);
    }
  }
  Suggestion suggestion(name.text);
  const auto offer = [&](const Scope& s) {
    for (const Entry& entry : s.entries()) {
      const bool fits = entry.node != nullptr &&
                        (wanted != Wanted::Type || is_type(entry.node->kind) ||
                         entry.node->kind == ast::DeclarationKind::Module);
      if (fits) {
        suggestion.offer(entry.name);
      }
    }
  };
  if (!outwards && is_corba(innermost)) {
    suggestion.offer(typecode_.name);
    suggestion.offer(abstract_base_.name);
  }
  for (const Scope* s = &innermost; s != nullptr; s = outwards ? s->parent : nullptr) {
    offer(*s);
    for (const Scope* base : s->all_bases()) {
      offer(*base);
    }
  }
  if (wanted == Wanted::Type && outwards) {
    for (const std::string_view keyword : {"boolean", "double", "float", "long", "octet", "sequence",
                                           "short", "string", "unsigned", "wstring"}) {
      suggestion.offer(keyword);
    }
  }
  return suggestion.best().empty() ? text
                                   : text + "; did you mean " + quoted(suggestion.best()) + "?";
}

// The one meaning of `name`; null after a report where there are several or its case is wrong.
const Entry* Analyzer::only(const std::vector<const Entry*>& found, const parse::Name& name) {
  if (found.size() > 1) {
    diagnostics_.error(name.where, quoted(name.text) + " is ambiguous: it is inherited from " +
                                       std::to_string(found.size()) + " bases");
    for (std::size_t i = 0; i < found.size() && i < 4; ++i) {
      diagnostics_.note(found[i]->where, "it could be this one");
    }
    return nullptr;
  }
  const Entry* entry = found.front();
  if (entry->name != name.text && entry->node != nullptr) {
    diagnostics_.error(name.where, quoted(name.text) + " differs from " + quoted(entry->name) +
                                       ", which is the same name, in case");
    diagnostics_.note(entry->where, "it is declared here");
    return nullptr;
  }
  return entry;
}

// Whether an unqualified name means anything here.
bool Analyzer::is_declared(const parse::Name& name) {
  for (const Scope* s = scope_; s != nullptr; s = s->parent) {
    if (!look_up(*s, name).empty()) {
      return true;
    }
  }
  return false;
}

// As Scope::find(). Reports once that looking up takes too long; nothing is found in bases then.
std::vector<const Entry*> Analyzer::look_up(const Scope& scope, const parse::Name& name) {
  auto found = scope.find(name.text);
  if (lookups_.exhausted() && !lookups_reported_) {
    lookups_reported_ = true;
    diagnostics_.error(name.where, "names are looked up in too many bases");
  }
  return found;
}

const Entry* Analyzer::find_first(const parse::Name& name, Wanted wanted) {
  for (Scope* s = scope_; s != nullptr; s = s->parent) {
    const auto found = look_up(*s, name);
    if (found.empty()) {
      if (const Entry* entry = predeclared(*s, name.text)) {
        return entry;
      }
      continue;
    }
    const Entry* entry = only(found, name);
    if (entry != nullptr) {
      if (s->find_own(name.text) != nullptr) {
        introduce(name, *s, *scope_);
      } else if (s->parent != nullptr) {
        introduce(name, *s->parent, *scope_);  // inherited into s: used there as well
      }
    }
    return entry;
  }
  if (!lookups_reported_) {
    diagnostics_.error(name.where, unknown(name, *scope_, true, wanted));
  }
  return nullptr;
}

const Entry* Analyzer::find_in(const Entry& qualifier, const parse::Name& name, Wanted wanted) {
  const Scope* scope = qualifier.node != nullptr ? scope_behind(*qualifier.node) : nullptr;
  if (scope == nullptr) {
    if (qualifier.node != nullptr) {
      diagnostics_.error(name.where, std::string(ast::kind_name(qualifier.node->kind)) + " " +
                                         quoted(qualifier.name) + " holds no names");
      if (qualifier.where.begin.known()) {
        diagnostics_.note(qualifier.where, "it is declared here");
      }
    }
    return nullptr;
  }
  const auto found = look_up(*scope, name);
  if (!found.empty()) {
    return only(found, name);
  }
  if (const Entry* entry = predeclared(*scope, name.text)) {
    return entry;
  }
  if (!lookups_reported_) {
    diagnostics_.error(name.where, unknown(name, *scope, false, wanted));
  }
  return nullptr;
}

void Analyzer::wrong_kind(const parse::ScopedName& name, const ast::Declaration& d, std::string_view wanted) {
  diagnostics_.error(name.where, std::string(ast::kind_name(d.kind)) + " '" + to_string(name) + "' is not " +
                                     std::string(wanted));
  if (d.where.begin.known()) {
    diagnostics_.note(d.where, "it is declared here");
  }
}

ast::Declaration* Analyzer::resolve(const parse::ScopedName& name, Wanted wanted) {
  const Entry* entry = nullptr;
  for (std::size_t i = 0; i < name.parts.size(); ++i) {
    const bool last = i + 1 == name.parts.size();
    const Wanted here = last ? wanted : Wanted::Anything;
    if (i != 0) {
      entry = find_in(*entry, name.parts[i], here);
    } else if (name.absolute) {
      Scope& root = all_scopes_.front();
      const auto found = look_up(root, name.parts[0]);
      entry = found.empty() ? predeclared(root, name.parts[0].text) : only(found, name.parts[0]);
      if (found.empty() && entry == nullptr) {
        diagnostics_.error(name.parts[0].where, unknown(name.parts[0], root, false, here));
      }
    } else {
      entry = find_first(name.parts[0], here);
    }
    if (entry == nullptr) {
      return nullptr;
    }
  }
  return entry != nullptr ? entry->node : nullptr;
}

}  // namespace callis::idl::sema
