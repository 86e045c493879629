// SPDX-License-Identifier: Apache-2.0
// What the mapping cannot express, found before anything is written.
#include <callis/base/generated_form.h>
#include <idl/ast/walk.h>
#include <idl/backends/classic/check.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/text.h>
#include <map>
#include <set>
#include <vector>

namespace callis::idl::backends::classic {

namespace {

class Checker {
 public:
  Checker(const Options& options, source::Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

  // All declarations, those of included files too: names meet in C++ as well.
  void remember(const ast::Declarations& contents);
  void names() {
    for (const ast::Declaration* d : all_) names(*d);
  }
  bool ok() const { return ok_; }

 private:
  void names(const ast::Declaration& declared);
  void error(const ast::Declaration& where, const std::string& text) {
    diagnostics_.error(where.where, text);
    ok_ = false;
  }
  void needs(const ast::Declaration& d, const std::string& name, std::string_view remedy = {});
  void needs(const ast::Declaration& d, const ast::Declaration& other, std::string_view remedy = {});
  void class_names(const ast::Interface& i);
  void class_names(const ast::ValueType& v);
  void boxed_names(const ast::ValueBox& b);
  void obv_names(const ast::Declaration& d);
  void runtime_names(const ast::Declaration& d);

  const Options& options_;
  source::Diagnostics& diagnostics_;
  std::map<std::string, const ast::Declaration*> known_;  // by scoped name
  std::vector<const ast::Declaration*> all_;
  std::set<const ast::Declaration*> reported_;
  bool ok_ = true;
};

bool is_defined(const ast::Declaration& d) {
  if (const auto* i = ast::as<ast::Interface>(&d)) return i->defined;
  const auto* v = ast::as<ast::ValueType>(&d);
  return !v || v->defined;
}

void Checker::remember(const ast::Declarations& contents) {
  for (const ast::Declaration* d : contents) {
    all_.push_back(d);
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

void Checker::needs(const ast::Declaration& d, const std::string& name, std::string_view remedy) {
  if (const auto other = known_.find(name); other != known_.end()) needs(d, *other->second, remedy);
}

void Checker::needs(const ast::Declaration& d, const ast::Declaration& o, std::string_view remedy) {
  if (!d.from_main_file && !o.from_main_file) return;  // said where one of them was compiled
  if (d.built_in || !reported_.insert(&o).second) return;
  error(o.from_main_file ? o : d,
        cat("the C++ mapping of ", kind_name(d.kind), " '", d.name, "' needs the name '", o.name, "' for itself"));
  const ast::Declaration& other = o.from_main_file ? d : o;
  diagnostics_.note(
      other.where, cat(kind_name(other.kind), " '", other.name, "' is declared here; rename one of the two", remedy));
}

// No member of a class can be called as the class is: POA_A, V_init, OBV_V; in a module those of bases alone could
// be, POA_M::B being a B.
void Checker::class_names(const ast::Interface& i) {
  if (options_.skeletons == Skeletons::None || i.flavor == ast::Interface::Flavor::Local) return;
  const std::string skeleton = i.parent ? i.name : "POA_" + i.name;
  for (const ast::WireOperation& op : ast::all_operations(i)) {
    const ast::Declaration* called = op.operation;
    if (!called) called = op.attribute;
    if (called->name == skeleton) needs(i, *called, ", or do without skeletons (--no-skeletons)");
  }
}

void Checker::class_names(const ast::ValueType& v) {
  const std::string class_name = v.parent ? v.name : "OBV_" + v.name;
  for (const ast::Declaration* d : v.contents)
    if (d->name == (d->kind == ast::DeclarationKind::Initializer ? v.name + "_init" : class_name)) needs(v, *d);
  for (const ast::ValueType* base = v.base; base; base = base->base)
    for (const ast::Declaration* d : base->contents)
      if (d->kind == ast::DeclarationKind::StateMember && (d->name == v.name || d->name == class_name)) needs(v, *d);
}

// The box has the members of what is in it (4.17.7.4, 4.17.7.5), and is a class.
void Checker::boxed_names(const ast::ValueBox& b) {
  const ast::Type& t = ast::strip_aliases(*b.type);
  const auto look = [&](const auto& members) {
    for (const auto* m : members)
      if (m->name == b.name) needs(b, *m);
  };
  if (const auto* s = ast::as<ast::Struct>(&t)) look(s->members);
  if (const auto* u = ast::as<ast::Union>(&t)) look(u->members);
}

// Namespaces of the runtime, which IDL may add to, as modules of that name.
void Checker::runtime_names(const ast::Declaration& d) {
  if (d.parent || !d.from_main_file || d.kind == ast::DeclarationKind::Module) return;
  if (d.name != "CORBA" && d.name != "PortableServer" && d.name != "callis" && d.name != "std") return;
  error(d, cat(kind_name(d.kind), " '", d.name,
               "' has the name of a C++ namespace that the generated code uses; rename it, "
               "or declare it in a module"));
}

// OBV_M::V, the class of M::V: no other OBV_M than a module, and in that no other V.
void Checker::obv_names(const ast::Declaration& d) {
  const std::string obv = "OBV_" + ast::scoped_name(d);
  const auto space = known_.find(obv.substr(0, obv.find(':')));
  if (space == known_.end()) return;
  if (space->second->kind != ast::DeclarationKind::Module) needs(d, *space->second);
  else needs(d, obv);
}

// What the mapping declares beside d (C++ mapping 1.3, 4.3, 4.8, 4.9, 4.14, 4.33).
void Checker::names(const ast::Declaration& declared) {
  const auto* forward = ast::as<ast::Forward>(&declared);
  if (forward && is_defined(*forward->target)) return;
  const ast::Declaration& d = forward ? *forward->target : declared;
  const std::string self = ast::scoped_name(d), scope = d.parent ? ast::scoped_name(*d.parent) + "::" : "";
  const auto suffixes = [&](std::initializer_list<const char*> list) {
    for (const char* suffix : list) needs(d, self + suffix);
  };
  runtime_names(d);
  switch (d.kind) {
    case ast::DeclarationKind::Module:
      if (d.parent || ast::as<ast::Module>(&d)->first != &d) return;
      needs(d, "POA_" + d.name);
      if (is_of_the_omg(d)) needs(d, cat(d.name, "::", kInlineNamespace));
      return;
    case ast::DeclarationKind::Interface:
      if (!d.parent) needs(d, "POA_" + d.name);
      class_names(*ast::as<ast::Interface>(&d));
      needs(d, scope + "callis_link_" + d.name);
      return suffixes({"_ptr", "_var", "_out"});
    case ast::DeclarationKind::Value:
      if (!d.parent) needs(d, "OBV_" + d.name);
      else if (!ast::as<ast::ValueType>(&d)->is_abstract) obv_names(d);
      class_names(*ast::as<ast::ValueType>(&d));
      needs(d, scope + "callis_value_" + d.name);
      return suffixes({"_ptr", "_var", "_out", "_init"});
    case ast::DeclarationKind::ValueBox:
      boxed_names(*ast::as<ast::ValueBox>(&d));
      needs(d, scope + "callis_value_" + d.name);
      return suffixes({"_ptr", "_var", "_out"});
    case ast::DeclarationKind::Bitset:
    case ast::DeclarationKind::Union:
    case ast::DeclarationKind::Struct: return suffixes({"_var", "_out"});
    case ast::DeclarationKind::Bitmask: return suffixes({"_out", "Bits"});
    case ast::DeclarationKind::Native:
    case ast::DeclarationKind::Enum: return suffixes({"_out"});
    case ast::DeclarationKind::Typedef: {
      const Shape s = shape(*ast::as<ast::Typedef>(&d)->type);
      suffixes({"_out"});
      if (s != Shape::Primitive && s != Shape::Enum) suffixes({"_var"});
      if (s == Shape::Reference) suffixes({"_ptr"});
      if (is_array(s)) suffixes({"_slice", "_alloc", "_dup", "_copy", "_free"});
      if (is_array(s) && options_.any) needs(d, self + "_forany", ", or do without Any (--no-any)");
      return;
    }
    default: return;
  }
}

}  // namespace

bool check(const ast::Unit& unit, const Options& options, source::Diagnostics& diagnostics) {
  Checker checker(options, diagnostics);
  checker.remember(unit.contents);
  checker.names();
  return checker.ok();
}

}  // namespace callis::idl::backends::classic
