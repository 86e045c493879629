// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/selection.h>

namespace callis::idl::backends::classic {

namespace {

using ast::StubStyle;

// Every declared type that a value is made of.
class TypesOf {
 public:
  void add(const ast::Type& t) {
    if (const ast::Declaration* d = ast::declaration(t); d && !seen_.insert(d).second) return;
    if (const auto* alias = ast::as<ast::Typedef>(&t)) return add(*alias->type);
    if (const auto* s = ast::as<ast::SequenceType>(&t)) return add(*s->element);
    if (const auto* a = ast::as<ast::ArrayType>(&t)) return add(*a->element);
    if (const auto* s = ast::as<ast::Struct>(&t))
      for (const ast::Member* m : s->members) add(*m->type);
    if (const auto* u = ast::as<ast::Union>(&t))
      for (const ast::UnionMember* m : u->members) add(*m->type);
  }
  void add(const ast::Exception& e) {
    seen_.insert(&e);
    for (const ast::Member* m : e.members) add(*m->type);
  }
  const std::set<const ast::Declaration*>& all() const { return seen_; }

 private:
  std::set<const ast::Declaration*> seen_;
};

TypesOf types_of(const ast::WireOperation& op) {
  TypesOf types;
  for (const ast::Exception* e : ast::raises(op)) types.add(*e);
  if (op.attribute) {
    types.add(*op.attribute->type);
    return types;
  }
  types.add(*op.operation->result);
  for (const ast::Parameter* p : op.operation->parameters) types.add(*p->type);
  return types;
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

bool Selection::by_types(int source, const ast::WireOperation& op) const {
  const TypesOf types = types_of(op);
  for (const ast::Declaration* d : types.all()) {
    // A reference to an interface is not a use of its operations.
    if (d->kind == ast::DeclarationKind::Interface || said(source, *d) != StubStyle::Compiled) continue;
    bool taken_back = false;
    for (int earlier = 0; earlier < source; ++earlier) taken_back |= said(earlier, *d) == StubStyle::Interpreted;
    if (!taken_back) return true;
  }
  return false;
}

bool Selection::decide(const ast::WireOperation& op) const {
  for (int source = 0; source < kSources; ++source) {
    StubStyle style = said(source, declaration(op));
    if (style == StubStyle::Unsaid) style = said(source, *op.owner);
    if (style != StubStyle::Unsaid) return style == StubStyle::Compiled;
    if (by_types(source, op)) return true;
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
