// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/check.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/text.h>
#include <map>

namespace callis::idl::backends::classic {

namespace {

class Checker {
 public:
  explicit Checker(source::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void declaration(const ast::Declaration& d) {
    support(d);
    if (const auto* t = ast::as<ast::Typedef>(&d)) type(*t->type, *t);
    if (const auto* s = ast::as<ast::Struct>(&d)) members(s->members);
    if (const auto* u = ast::as<ast::Union>(&d))
      for (const ast::UnionMember* m : u->members) type(*m->type, *m);
    if (const auto* e = ast::as<ast::Exception>(&d)) members(e->members);
    if (const auto* a = ast::as<ast::Attribute>(&d)) type(*a->type, *a);
    if (const auto* m = ast::as<ast::StateMember>(&d)) type(*m->type, *m);
    if (const auto* b = ast::as<ast::ValueBox>(&d)) type(*b->type, *b);
    if (const auto* f = ast::as<ast::Initializer>(&d))
      for (const ast::Parameter* p : f->parameters) type(*p->type, *p);
    if (const auto* o = ast::as<ast::Operation>(&d)) {
      type(*o->result, *o);
      for (const ast::Parameter* p : o->parameters) type(*p->type, *p);
    }
  }
  // All declarations, those of included files too: names meet in C++ as well.
  void remember(const ast::Declarations& contents);
  void names(const ast::Declaration& d);
  bool ok() const { return ok_; }

 private:
  void error(const ast::Declaration& where, const std::string& text) {
    diagnostics_.error(where.where, text);
    ok_ = false;
  }
  void members(const std::vector<const ast::Member*>& list) {
    for (const ast::Member* m : list) type(*m->type, *m);
  }
  void support(const ast::Declaration& d);
  void type(const ast::Type& used, const ast::Declaration& where);
  void needs(const ast::Declaration& d, const std::string& name);

  source::Diagnostics& diagnostics_;
  std::map<std::string, const ast::Declaration*> known_;  // by scoped name
  bool ok_ = true;
};

// What other languages' mappings may have and this one has not, or not yet.
void Checker::support(const ast::Declaration& d) {
  const auto refuse = [&](std::string_view why) { error(d, cat(kind_name(d.kind), " '", d.name, "' ", why)); };
  switch (d.kind) {
    case ast::DeclarationKind::Bitset:
    case ast::DeclarationKind::Bitmask: return refuse("cannot be generated: no GIOP encoding exists");
    default: return;
  }
}

void Checker::type(const ast::Type& used, const ast::Declaration& where) {
  const ast::Type& t = ast::strip_aliases(used);
  switch (t.type_kind) {
    // Of named types only the spelling here is looked at: what they are made of is reported there, or belongs
    // to another file.
    case ast::TypeKind::Map:
      return error(where, cat(kind_name(where.kind), " '", where.name, "' is of type ", ast::idl_name(t),
                              ", which cannot be generated: no GIOP encoding exists"));
    case ast::TypeKind::Sequence: return type(*ast::as<ast::SequenceType>(&t)->element, where);
    case ast::TypeKind::Array: return type(*ast::as<ast::ArrayType>(&t)->element, where);
    default: return;
  }
}

void Checker::remember(const ast::Declarations& contents) {
  for (const ast::Declaration* d : contents) {
    if (d->kind != ast::DeclarationKind::Forward) known_.emplace(ast::scoped_name(*d), d);
    if (const auto* m = ast::as<ast::Module>(d)) remember(m->contents);
    if (const auto* i = ast::as<ast::Interface>(d)) remember(i->contents);
    if (const auto* v = ast::as<ast::ValueType>(d)) remember(v->contents);
    if (const auto* b = ast::as<ast::ValueBox>(d)) remember(b->nested);
    if (const auto* s = ast::as<ast::Struct>(d)) {
      remember(s->nested);
      for (const ast::Member* x : s->members) known_.emplace(ast::scoped_name(*x), x);
    }
    if (const auto* u = ast::as<ast::Union>(d)) {
      remember(u->nested);
      for (const ast::UnionMember* x : u->members) known_.emplace(ast::scoped_name(*x), x);
    }
    if (const auto* e = ast::as<ast::Exception>(d)) {
      remember(e->nested);
      for (const ast::Member* x : e->members) known_.emplace(ast::scoped_name(*x), x);
    }
    if (const auto* e = ast::as<ast::Enum>(d))
      for (const ast::Enumerator* x : e->enumerators) known_.emplace(ast::scoped_name(*x), x);
  }
}

void Checker::needs(const ast::Declaration& d, const std::string& name) {
  const auto other = known_.find(name);
  if (other == known_.end()) return;
  const ast::Declaration& o = *other->second;
  error(o.from_main_file ? o : d,
        cat("the C++ mapping of ", kind_name(d.kind), " '", d.name, "' needs the name '", o.name, "' for itself"));
}

// What the mapping declares beside d (C++ mapping 1.3, 4.3, 4.8, 4.9, 4.14, 4.33).
void Checker::names(const ast::Declaration& d) {
  const std::string self = ast::scoped_name(d);
  const auto suffixes = [&](std::initializer_list<const char*> list) {
    for (const char* suffix : list) needs(d, self + suffix);
  };
  switch (d.kind) {
    case ast::DeclarationKind::Module:
      if (!d.parent && ast::as<ast::Module>(&d)->first == &d) needs(d, "POA_" + d.name);
      return;
    case ast::DeclarationKind::Interface:
      if (!d.parent) needs(d, "POA_" + d.name);
      return suffixes({"_ptr", "_var", "_out"});
    case ast::DeclarationKind::Value:
      if (!d.parent) needs(d, "OBV_" + d.name);
      return suffixes({"_ptr", "_var", "_out", "_init"});
    case ast::DeclarationKind::ValueBox: return suffixes({"_ptr", "_var", "_out"});
    case ast::DeclarationKind::Union:
    case ast::DeclarationKind::Struct: return suffixes({"_var", "_out"});
    case ast::DeclarationKind::Native:
    case ast::DeclarationKind::Enum: return suffixes({"_out"});
    case ast::DeclarationKind::Typedef: {
      const Shape s = shape(*ast::as<ast::Typedef>(&d)->type);
      suffixes({"_out"});
      if (s != Shape::Primitive && s != Shape::Enum) suffixes({"_var"});
      if (s == Shape::Reference) suffixes({"_ptr"});
      if (is_array(s)) suffixes({"_slice", "_alloc", "_dup", "_copy", "_free"});
      return;
    }
    default: return;
  }
}

}  // namespace

bool check(const ast::Unit& unit, source::Diagnostics& diagnostics) {
  Checker checker(diagnostics);
  checker.remember(unit.contents);
  for_each(unit.contents, [&checker](const ast::Declaration& d) {
    checker.declaration(d);
    checker.names(d);
  });
  return checker.ok();
}

}  // namespace callis::idl::backends::classic
