// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/check.h>
#include <idl/backends/classic/header.h>

namespace callis::idl::backends::classic {

namespace {

class Checker {
 public:
  explicit Checker(source::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void declaration(const ast::Declaration& d) {
    if (const auto* t = ast::as<ast::Typedef>(&d)) type(*t->type, *t);
    if (const auto* s = ast::as<ast::Struct>(&d)) members(s->members);
    if (const auto* e = ast::as<ast::Exception>(&d)) members(e->members);
    if (const auto* a = ast::as<ast::Attribute>(&d)) type(*a->type, *a);
    if (const auto* o = ast::as<ast::Operation>(&d)) {
      type(*o->result, *o);
      for (const ast::Parameter* p : o->parameters) type(*p->type, *p);
    }
  }
  bool ok() const { return ok_; }

 private:
  void members(const std::vector<const ast::Member*>& list) {
    for (const ast::Member* m : list) type(*m->type, *m);
  }

  // Wide characters need the negotiated code set, which plans do not know.
  void type(const ast::Type& used, const ast::Declaration& where) {
    const ast::Type& t = ast::strip_aliases(used);
    switch (t.type_kind) {
      case ast::TypeKind::WChar:
      case ast::TypeKind::WString:
        diagnostics_.error(where.where, std::string(kind_name(where.kind)) + " '" + where.name + "' is of type " +
                                            ast::idl_name(t) + ", which the classic mapping does not support yet");
        ok_ = false;
        return;
      // Of named types only the spelling here is looked at: what they are made of is reported there, or belongs
      // to another file.
      case ast::TypeKind::Sequence: return type(*ast::as<ast::SequenceType>(&t)->element, where);
      case ast::TypeKind::Array: return type(*ast::as<ast::ArrayType>(&t)->element, where);
      default: return;
    }
  }

  source::Diagnostics& diagnostics_;
  bool ok_ = true;
};

}  // namespace

bool check(const ast::Unit& unit, source::Diagnostics& diagnostics) {
  Checker checker(diagnostics);
  for_each(unit.contents, [&checker](const ast::Declaration& d) { checker.declaration(d); });
  return checker.ok();
}

}  // namespace callis::idl::backends::classic
