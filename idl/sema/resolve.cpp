// SPDX-License-Identifier: Apache-2.0
// Name lookup (IDL 4.2, 7.5).
#include <idl/sema/analyzer.h>

namespace callis::idl::sema {

namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

bool is_type(ast::DeclarationKind kind) {
  return kind == ast::DeclarationKind::Struct || kind == ast::DeclarationKind::Enum ||
         kind == ast::DeclarationKind::Interface || kind == ast::DeclarationKind::Typedef;
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
                                                   : "unknown name ";
  text += quoted(name.text);
  if (!outwards && innermost.owner != nullptr) {
    text += " in " + quoted(ast::scoped_name(*innermost.owner));
  }
  if (wanted == Wanted::Type) {
    if (const auto hint = foreign_type_hint(name.text); !hint.empty()) {
      return text + "; " + std::string(hint);
    }
  }
  Suggestion suggestion(name.text);
  std::unordered_set<const Scope*> visited;
  const auto offer = [&](const Scope& s, const auto& self) -> void {
    if (!visited.insert(&s).second) {
      return;
    }
    for (const Entry& entry : s.entries()) {
      const bool fits = entry.node != nullptr &&
                        (wanted != Wanted::Type || is_type(entry.node->kind) ||
                         entry.node->kind == ast::DeclarationKind::Module);
      if (fits) {
        suggestion.offer(entry.name);
      }
    }
    for (const Scope* base : s.bases) {
      self(*base, self);
    }
  };
  for (const Scope* s = &innermost; s != nullptr; s = outwards ? s->parent : nullptr) {
    offer(*s, offer);
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
                                       std::to_string(found.size()) + " interfaces");
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

const Entry* Analyzer::find_first(const parse::Name& name, Wanted wanted) {
  for (Scope* s = scope_; s != nullptr; s = s->parent) {
    const auto found = s->find(name.text);
    if (found.empty()) {
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
  diagnostics_.error(name.where, unknown(name, *scope_, true, wanted));
  return nullptr;
}

const Entry* Analyzer::find_in(const Entry& qualifier, const parse::Name& name, Wanted wanted) {
  const Scope* scope = qualifier.node != nullptr ? scope_behind(*qualifier.node) : nullptr;
  if (scope == nullptr) {
    if (qualifier.node != nullptr) {
      diagnostics_.error(name.where, std::string(ast::kind_name(qualifier.node->kind)) + " " +
                                         quoted(qualifier.name) + " holds no names");
      diagnostics_.note(qualifier.where, "it is declared here");
    }
    return nullptr;
  }
  const auto found = scope->find(name.text);
  if (!found.empty()) {
    return only(found, name);
  }
  diagnostics_.error(name.where, unknown(name, *scope, false, wanted));
  return nullptr;
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
      const auto found = root.find(name.parts[0].text);
      if (found.empty()) {
        diagnostics_.error(name.parts[0].where, unknown(name.parts[0], root, false, here));
        return nullptr;
      }
      entry = only(found, name.parts[0]);
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
