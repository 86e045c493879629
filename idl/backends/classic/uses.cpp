// SPDX-License-Identifier: Apache-2.0
// What of the runtime a generated header uses.
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/typecodes.h>
#include <idl/backends/classic/uses.h>

namespace callis::idl::backends::classic {

namespace {

using Visit = std::function<void(const ast::Type&)>;

void visit_spelled(const ast::Type& t, const Visit& visit) {
  visit(t);
  const auto* s = ast::as<ast::SequenceType>(&t);
  if (s && !s->key) visit_spelled(*s->element, visit);
  if (s && s->key) {
    visit_spelled(*s->key, visit);
    visit_spelled(*s->mapped, visit);
  }
  if (const auto* a = ast::as<ast::ArrayType>(&t)) visit_spelled(*a->element, visit);
}

template <class Nodes>
void all(const Nodes& nodes, const Visit& visit) {
  for (const auto* n : nodes) visit_spelled(*n->type, visit);
}

}  // namespace

void for_each_type(const ast::Declaration& d, const Visit& visit) {
  if (const auto* t = ast::as<ast::Typedef>(&d)) visit_spelled(*t->type, visit);
  if (const auto* b = ast::as<ast::ValueBox>(&d)) visit_spelled(*b->type, visit);
  if (const auto* c = ast::as<ast::Const>(&d)) visit_spelled(ast::strip_aliases(*c->type), visit);
  if (const auto* s = ast::as<ast::Struct>(&d)) all(s->members, visit);
  if (const auto* u = ast::as<ast::Union>(&d)) all(u->members, visit);
  if (const auto* e = ast::as<ast::Exception>(&d)) all(e->members, visit);
  if (const auto* a = ast::as<ast::Attribute>(&d)) visit_spelled(*a->type, visit);
  if (const auto* m = ast::as<ast::StateMember>(&d)) visit_spelled(*m->type, visit);
  if (const auto* i = ast::as<ast::Initializer>(&d)) all(i->parameters, visit);
  if (const auto* o = ast::as<ast::Operation>(&d)) {
    visit_spelled(*o->result, visit);
    all(o->parameters, visit);
  }
}

bool is_basic_sequence(const ast::Declaration& d) {
  const auto* t = ast::as<ast::Typedef>(&d);
  const auto* s = t ? ast::as<ast::SequenceType>(t->type) : nullptr;
  return d.built_in && s && !ast::declaration(*s->element) && ast::path(d).front() == "CORBA";
}

Uses::Uses(const ast::Unit& unit) {
  for_each(unit.contents, [this](const ast::Declaration& declared) { declaration(declared); });
}

void Uses::declaration(const ast::Declaration& declared) {
  const auto* f = ast::as<ast::Forward>(&declared);
  const ast::Declaration& d = f ? *f->target : declared;
  declares_type_ |= has_type_code(d);
  declarations_.set(static_cast<std::size_t>(d.kind));
  if (const auto* i = ast::as<ast::Interface>(&d)) {
    (i->flavor == ast::Interface::Flavor::Abstract ? abstract_interface_ : other_interface_) = true;
    for (const ast::Interface* base : i->bases) name(*base);
  }
  if (const auto* v = ast::as<ast::ValueType>(&d)) {
    if (v->base) name(*v->base);
    for (const ast::ValueType* base : v->abstract_bases) name(*base);
  }
  if (const auto* c = ast::as<ast::Const>(&d))
    if (const ast::Declaration* named = ast::declaration(*c->type)) name(*named);
  if (const auto* o = ast::as<ast::Operation>(&d)) {
    contexts_ |= !o->contexts.empty();
    for (const ast::Exception* e : o->raises) name(*e);
  }
  for_each_type(declared, [this](const ast::Type& t) {
    types_.set(static_cast<std::size_t>(t.type_kind));
    if (const ast::Declaration* named = ast::declaration(t)) name(*named);
  });
}

void Uses::name(const ast::Declaration& d) {
  if (!d.built_in || is_basic_sequence(d)) return;
  (ast::path(d).front() == "CORBA" ? standard_names_ : portable_server_) = true;
}

bool uses_any(const ast::Unit& unit) { return Uses(unit).any_or_type_code(); }

std::vector<std::string> runtime_headers(const Uses& uses, bool any) {
  using Declared = ast::DeclarationKind;
  using ast::TypeKind;
  const bool boxes = uses.declares(Declared::ValueBox);
  const bool values = boxes || uses.declares(Declared::Value) || uses.type(TypeKind::ValueBase);
  const bool abstract = uses.abstract_interface() || uses.type(TypeKind::AbstractBase);
  const bool links = uses.other_interface() || abstract || values || uses.declares(Declared::Exception);
  const bool objects = uses.other_interface() || abstract || values || uses.type(TypeKind::Object);
  const std::pair<bool, const char*> all[] = {
      {true, "callis/classic/classic.h"},
      {uses.type(TypeKind::Fixed), "callis/classic/fixed.h"},
      {uses.declares(Declared::Union), "callis/classic/union.h"},
      {uses.declares(Declared::Bitset), "callis/classic/bits.h"},
      {values, "callis/value/value.h"},
      {boxes, "callis/value/box.h"},
      {abstract, "callis/orb/base/abstract.h"},
      {uses.contexts(), "callis/orb/base/operation_context.h"},
      {objects, "callis/orb/base/object.h"},
      {links, "callis/orb/base/stub.h"},
      {uses.standard_names(), "callis/orb/core/standard_names.h"},
      {uses.portable_server(), "callis/portable_server.h"},
      {uses.any_or_type_code() || (any && uses.declares_type()), "callis/typecode/any.h"},
  };
  std::vector<std::string> lines;
  for (const auto& [used, header] : all)
    if (used) lines.push_back(std::string("#include <") + header + ">");
  return lines;
}

}  // namespace callis::idl::backends::classic
