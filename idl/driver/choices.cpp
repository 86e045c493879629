// SPDX-License-Identifier: Apache-2.0
// Names given on the command line and in profiles, found in the unit.
#include <idl/ast/walk.h>
#include <idl/driver/choices.h>
#include <idl/sema/suggest.h>
#include <algorithm>
#include <functional>

namespace callis::idl::driver {

namespace {

using Visit = std::function<void(const std::string& name, const ast::Declaration&)>;

// Every declaration of the unit and of its includes by its scoped name; operations also by the names of the
// interfaces that inherit them.
void walk(const ast::Declarations& list, const Visit& visit) {
  for (const ast::Declaration* d : list) {
    if (d->kind == ast::DeclarationKind::Forward) {
      continue;
    }
    visit(ast::scoped_name(*d), *d);
    if (const auto* m = ast::as<ast::Module>(d)) {
      walk(m->contents, visit);
    } else if (const auto* s = ast::as<ast::Struct>(d)) {
      walk(s->nested, visit);
    } else if (const auto* e = ast::as<ast::Exception>(d)) {
      walk(e->nested, visit);
    } else if (const auto* i = ast::as<ast::Interface>(d)) {
      walk(i->contents, visit);
      for (const ast::Interface* base : ast::all_bases(*i)) {
        for (const ast::Declaration* inherited : base->contents) {
          visit(ast::scoped_name(*i) + "::" + inherited->name, *inherited);
        }
      }
    }
  }
}

bool has_id(const ProfiledOperation& op, const std::string& id) {
  return std::find(op.ids.begin(), op.ids.end(), id) != op.ids.end();
}

}  // namespace

bool parse_stubs_for(const std::string& text, StubsFor& out) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) {
    return false;
  }
  const std::string style = text.substr(equals + 1);
  out.style = style == "compiled"      ? ast::StubStyle::Compiled
              : style == "interpreted" ? ast::StubStyle::Interpreted
                                       : ast::StubStyle::Unsaid;
  out.name = text.substr(text.starts_with("::") ? 2 : 0, equals - (text.starts_with("::") ? 2 : 0));
  return out.style != ast::StubStyle::Unsaid && !out.name.empty();
}

backends::Choices choose(const ast::Unit& unit, std::vector<StubsFor>& list, std::string& wrong) {
  backends::Choices out;
  std::map<std::string, const ast::Declaration*> found;
  walk(unit.contents, [&](const std::string& name, const ast::Declaration& d) { found.emplace(name, &d); });
  for (StubsFor& wanted : list) {
    const auto at = found.find(wanted.name);
    if (at == found.end()) {
      continue;
    }
    wanted.known = true;
    if (ast::takes_stubs(at->second->kind)) {
      out[at->second] = wanted.style;
    } else if (wrong.empty()) {
      wrong = "--stubs-for: " + std::string(ast::kind_name(at->second->kind)) + " '" + wanted.name +
              "' has no stubs; name a type, an interface or an operation";
    }
  }
  return out;
}

backends::Choices choose(const ast::Unit& unit, const std::vector<ProfiledOperation>& operations) {
  backends::Choices out;
  walk(unit.contents, [&](const std::string&, const ast::Declaration& d) {
    const auto* i = ast::as<ast::Interface>(&d);
    if (i == nullptr) {
      return;
    }
    for (const ast::WireOperation& op : ast::all_operations(*i)) {
      for (const ProfiledOperation& hot : operations) {
        if (hot.name == op.name && has_id(hot, i->repository_id)) {
          out[op.operation != nullptr ? static_cast<const ast::Declaration*>(op.operation) : op.attribute] =
              ast::StubStyle::Compiled;
        }
      }
    }
  });
  return out;
}

std::string nearest_name(const ast::Unit& unit, const std::string& name) {
  sema::Suggestion nearest(name);
  walk(unit.contents, [&](const std::string& known, const ast::Declaration& d) {
    if (ast::takes_stubs(d.kind)) {
      nearest.offer(known);
    }
  });
  return nearest.best().empty() ? "" : "; did you mean '" + nearest.best() + "'?";
}

}  // namespace callis::idl::driver
