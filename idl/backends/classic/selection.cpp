// SPDX-License-Identifier: Apache-2.0
// Which operations are compiled, by style, annotation and profile.
#include <idl/backends/classic/selection.h>

namespace callis::idl::backends::classic {

namespace {

using ast::StubStyle;

// The types that a type is made of, directly.
std::vector<const ast::Type*> parts(const ast::Type& t) {
  if (const auto* alias = ast::as<ast::Typedef>(&t)) return {alias->type};
  if (const auto* s = ast::as<ast::SequenceType>(&t)) return {s->element};
  if (const auto* a = ast::as<ast::ArrayType>(&t)) return {a->element};
  std::vector<const ast::Type*> list;
  if (const auto* s = ast::as<ast::Struct>(&t))
    for (const ast::Member* m : s->members) list.push_back(m->type);
  if (const auto* u = ast::as<ast::Union>(&t))
    for (const ast::UnionMember* m : u->members) list.push_back(m->type);
  return list;
}

const ast::Declaration& declaration(const ast::WireOperation& op) {
  return op.operation ? static_cast<const ast::Declaration&>(*op.operation) : *op.attribute;
}

}  // namespace

StubStyle Selection::said(int source, const ast::Declaration& d) const {
  if (source == 1) return d.stubs;
  const Choices& choices = source == 0 ? options_.by_option : options_.by_profile;
  const auto found = choices.find(&d);
  return found == choices.end() ? StubStyle::Unsaid : found->second;
}

Selection::Wanted Selection::wanted(const ast::Declaration& d) const {
  Wanted all;
  for (int source = 0; source < kSources; ++source) {
    const StubStyle style = said(source, d);
    if (style == StubStyle::Interpreted) break;  // takes back what later ones say
    all[static_cast<std::size_t>(source)] = style == StubStyle::Compiled;
  }
  return all;
}

// Looks at each type once for all operations: types may lead to each other in circles and very far.
Selection::Wanted Selection::by_type(const ast::Type& t) const {
  std::unordered_map<const ast::Type*, std::vector<const ast::Type*>> holders;
  std::vector<const ast::Type*> open;
  const auto look = [&](const ast::Type& at) {
    const auto [known, is_new] = by_type_.try_emplace(&at);
    if (!is_new) return;
    // A reference to an interface is not a use of its operations.
    const ast::Declaration* d = ast::declaration(at);
    if (d && d->kind != ast::DeclarationKind::Interface) known->second = wanted(*d);
    open.push_back(&at);
  };
  look(t);
  while (!open.empty()) {
    const ast::Type* at = open.back();
    open.pop_back();
    for (const ast::Type* part : parts(*at)) {
      look(*part);
      holders[part].push_back(at);
    }
  }
  for (const auto& [part, list] : holders) open.push_back(part);
  while (!open.empty()) {
    const ast::Type* at = open.back();
    open.pop_back();
    const auto found = holders.find(at);
    if (found == holders.end()) continue;
    for (const ast::Type* holder : found->second) {
      Wanted& of_holder = by_type_[holder];
      const Wanted before = of_holder;
      of_holder |= by_type_[at];
      if (of_holder != before) open.push_back(holder);
    }
  }
  return by_type_[&t];
}

Selection::Wanted Selection::by_types(const ast::WireOperation& op) const {
  Wanted all;
  for (const ast::Exception* e : ast::raises(op)) {
    all |= wanted(*e);
    for (const ast::Member* m : e->members) all |= by_type(*m->type);
  }
  if (op.attribute) return all | by_type(*op.attribute->type);
  all |= by_type(*op.operation->result);
  for (const ast::Parameter* p : op.operation->parameters) all |= by_type(*p->type);
  return all;
}

bool Selection::decide(const ast::WireOperation& op) const {
  const Wanted of_types = by_types(op);
  for (int source = 0; source < kSources; ++source) {
    StubStyle style = said(source, declaration(op));
    if (style == StubStyle::Unsaid) style = said(source, *op.owner);
    if (style != StubStyle::Unsaid) return style == StubStyle::Compiled;
    if (of_types[static_cast<std::size_t>(source)]) return true;
  }
  return false;
}

bool Selection::compiled(const ast::WireOperation& op) const {
  if (options_.stubs != Stubs::Hybrid) return options_.stubs == Stubs::Compiled;
  const auto known = decided_.find(&declaration(op));
  if (known != decided_.end()) return known->second;
  return decided_[&declaration(op)] = decide(op);
}

}  // namespace callis::idl::backends::classic
