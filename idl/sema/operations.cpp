// SPDX-License-Identifier: Apache-2.0
// Operations and attributes (IDL 4.2, 7.4.3.4.3.3, 7.4.4 and 7.4.6).
#include <idl/sema/analyzer.h>
#include <algorithm>

namespace callis::idl::sema {

// The result and the exceptions are names of the interface, the parameters of the operation.
void Analyzer::operation(const parse::OperationItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Operation>(item.name);
  node.oneway = item.oneway;
  node.result = type(item.result, TypeUse::Parameter, nullptr);
  passes(node.result, item.result.where);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  parameters(item.parameters, node, node.parameters);
  raises(item.raises, node.raises);
  contexts(item, node);
  annotate(node, item.annotations);
  check_oneway(item, node);
  if (node.result != nullptr) {
    contents.push_back(&node);
  }
}

// An operation of an unconstrained or abstract interface passes a value of `type`; whether that is possible is
// known once all types are complete.
void Analyzer::passes(const ast::Type* type, const source::Range& where, const ast::Exception* exception) {
  const ast::Declaration* holder = owner_;
  while (holder != nullptr && (holder->kind == ast::DeclarationKind::Operation)) {
    holder = holder->parent;
  }
  const auto* i = ast::as<ast::Interface>(holder);
  if (type != nullptr && i != nullptr && i->flavor != ast::Interface::Flavor::Local && !basic_types_.contains(i)) {
    passed_.push_back({type, where, exception});
  }
}

void Analyzer::parameters(const std::vector<parse::ParameterSpec>& specs, ast::Declaration& owner,
                          std::vector<const ast::Parameter*>& out) {
  Scope& scope = all_scopes_.emplace_back(ScopeKind::Operation, scope_, &owner, lookups_);
  enter(scope, &owner);
  for (const parse::ParameterSpec& spec : specs) {
    auto& parameter = make<ast::Parameter>(spec.name);
    parameter.mode = spec.mode == parse::ParameterSpec::Mode::In      ? ast::Parameter::Mode::In
                     : spec.mode == parse::ParameterSpec::Mode::InOut ? ast::Parameter::Mode::InOut
                                                                      : ast::Parameter::Mode::Out;
    parameter.type = type(spec.type, TypeUse::Parameter, nullptr);
    passes(parameter.type, spec.type.where);
    annotate(parameter, spec.annotations);
    if (declare(scope, spec.name, &parameter) && parameter.type != nullptr) {
      out.push_back(&parameter);
    }
  }
  leave();
}

void Analyzer::raises(const std::vector<parse::ScopedName>& names, std::vector<const ast::Exception*>& out) {
  std::unordered_set<const ast::Exception*> known;
  for (const parse::ScopedName& name : names) {
    const ast::Declaration* d = resolve(name, Wanted::Exception);
    if (d == nullptr) {
      continue;
    }
    const auto* exception = ast::as<ast::Exception>(d);
    if (const auto* native = ast::as<ast::Native>(d)) {
      passes(native, name.where);  // 7.4.1.4.4.6: what it is in C++ the program defines; no message holds it
    } else if (exception == nullptr) {
      wrong_kind(name, *d, "an exception");
    } else if (is_system_exception(*exception)) {
      // Never listed, as any operation may raise them.
      diagnostics_.warning(name.where, "'" + to_string(name) + "' is a system exception, which needs no mention");
    } else if (!known.insert(exception).second) {
      diagnostics_.warning(name.where, "exception '" + to_string(name) + "' is listed twice");
    } else {
      out.push_back(exception);
      for (const ast::Member* member : exception->members) {
        passes(member->type, name.where, exception);
      }
    }
  }
}

// 7.4.6.4.6: names that are not empty; a `*` only as the last of several characters.
void Analyzer::contexts(const parse::OperationItem& item, ast::Operation& node) {
  std::unordered_set<std::string_view> known;
  for (const auto& [text, where] : item.contexts) {
    const auto star = text.find('*');
    if (text.empty()) {
      diagnostics_.error(where, "the name of a context property cannot be empty");
    } else if (star != std::string::npos && (star == 0 || star + 1 != text.size())) {
      diagnostics_.error(where, "'*' can only be the last of several characters of a context property's name");
    } else if (!known.insert(text).second) {
      diagnostics_.warning(where, "context property \"" + text + "\" is listed twice");
    } else {
      node.contexts.push_back(text);
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
  passes(t, item.type.where);
  std::vector<const ast::Exception*> get_raises;
  std::vector<const ast::Exception*> set_raises;
  raises(item.get_raises, get_raises);
  raises(item.set_raises, set_raises);
  for (const parse::Name& name : item.names) {
    auto& node = make<ast::Attribute>(name);
    node.type = t;
    node.readonly = item.readonly;
    node.get_raises = get_raises;
    node.set_raises = set_raises;
    declare(*scope_, name, &node);
    ids_.assign(node);
    annotate(node, item.annotations);
    if (t != nullptr) {
      contents.push_back(&node);
    }
  }
}

}  // namespace callis::idl::sema
