// SPDX-License-Identifier: Apache-2.0
// The classes of boxed values.
#include <idl/backends/classic/boxes.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/member_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/unions.h>
#include <idl/backends/classic/values.h>

namespace callis::idl::backends::classic {

namespace {

// The C++ type in the box. An anonymous array has a name of the box's, as an anonymous member has.
std::string content_type(const ast::ValueBox& b) {
  return b.type->type_kind == ast::TypeKind::Array ? absolute(b, "_array") : value_type(*b.type);
}

struct Base {
  std::string name;       // "ScalarBox"
  std::string arguments;  // behind X
};

Base base_of(const ast::ValueBox& b) {
  const Shape s = shape(*b.type);
  const std::string type = content_type(b);
  switch (s) {
    case Shape::Primitive:
    case Shape::Enum: return {"ScalarBox", type};
    case Shape::Reference: return {"ReferenceBox", interface_type(*b.type)};
    case Shape::String: return {"StringBox", "char, ::CORBA::String_member, ::CORBA::String_var"};
    case Shape::WString: return {"StringBox", "::CORBA::WChar, ::CORBA::WString_member, ::CORBA::WString_var"};
    case Shape::Sequence: return {"SequenceBox", type};
    case Shape::FixedArray: return {"ArrayBox", type + ", false"};
    case Shape::VariableArray: return {"ArrayBox", type + ", true"};
    case Shape::FixedStruct: return {"FixedBox", type};
    default: return {"VariableBox", type};
  }
}

// The members of a struct or union as if they were the box's (4.17.7.4, 4.17.7.5).
void print_member_functions(Text& to, const ast::ValueBox& b) {
  const ast::Type& t = ast::strip_aliases(*b.type);
  if (const auto* s = ast::as<ast::Struct>(&t)) {
    const MemberStems stems(b, s->members, {});
    for (const ast::Member* m : s->members) {
      const std::string& stem = stems.of(m->name);
      print_member_typedefs(to, stem, *m->type);
      print_accessors(to, {name(*m), stem, m->type}, "this->_value()." + name(*m), false);
    }
  }
  const auto* u = ast::as<ast::Union>(&t);
  if (!u) return;
  const std::string d = value_type(*u->discriminator);
  to.line(d, " _d() const { return this->_value()._d(); }");
  to.line("void _d(", d, " _callis_v) { this->_value()._d(_callis_v); }");
  for (const ast::UnionMember* m : u->members) {
    const std::string id = name(*m);
    to.line("decltype(auto) ", id, "() const { return this->_value().", id, "(); }");
    if (is_class(shape(*m->type))) to.line("decltype(auto) ", id, "() { return this->_value().", id, "(); }");
    to.line("template <class _callis_T>");
    to.line("void ", id, "(_callis_T&& _callis_v) { this->_value().", id,
            "(::std::forward<_callis_T>(_callis_v)); }");
  }
}

}  // namespace

void print_box_class(Text& to, const ast::ValueBox& b) {
  const std::string id = name(b);
  // A boxed value has no scope: what its type declares stands beside it.
  for (const ast::Declaration* d : b.nested) print_type_declaration(to, *d, false);
  if (const auto* a = ast::as<ast::ArrayType>(b.type))
    to.line("typedef ", member_type(*a->element), " ", id, "_array", dimensions(*a), ";");
  const Base base = base_of(b);
  to.open("class ", id, " final : public ::callis::value::", base.name, "<", id, ", ", base.arguments, "> {");
  to.label("public:");
  to.line("typedef ", id, "* _ptr_type;");
  to.line("typedef ", absolute(b, "_var"), " _var_type;");
  // By a name that no box can have.
  to.line("typedef ::callis::value::", base.name, "<", id, ", ", base.arguments, "> _callis_base;");
  to.line("using _callis_base::_callis_base;");
  to.line("using _callis_base::operator=;");
  to.line(id, "() = default;");
  to.line(id, "(const ", id, "&) = default;");
  to.line("static ", id, "* _downcast(::CORBA::ValueBase* _callis_v) { return dynamic_cast<", id, "*>(_callis_v); }");
  to.line("::CORBA::ValueBase* _copy_value() override { return new ", id, "(*this); }");
  print_member_functions(to, b);
  // For the ORB.
  to.line("const ::callis::value::ValueLink* _callis_link() const noexcept override;");
  to.line("void* _callis_state(const ::callis::value::ValueLink& _callis_l) noexcept override;");
  to.label("protected:");
  to.line("~", id, "() override;");
  to.close("};");
}

void print_box_functions(Text& to, const ast::ValueBox& b) {
  const std::string id = scoped(b), type = absolute(b), scope = b.parent ? scoped(*b.parent) + "::" : "";
  to.line(type, "* ", scope, "callis_duplicate(", type, "* _p) {");
  to.line("  ::CORBA::add_ref(_p);");
  to.line("  return _p;");
  to.line("}");
  to.line("void ", scope, "callis_release(", type, "* _p) { ::CORBA::remove_ref(_p); }");
  to.line(id, "::~", name(b), "() = default;");
  to.line("const ::callis::value::ValueLink* ", id, "::_callis_link() const noexcept { return &", value_link(b),
          "; }");
  to.open("void* ", id, "::_callis_state(const ::callis::value::ValueLink& _callis_l) noexcept {");
  to.line("return &_callis_l == &", value_link(b), " ? _callis_base::callis_content() : nullptr;");
  to.close("}");
}

}  // namespace callis::idl::backends::classic
