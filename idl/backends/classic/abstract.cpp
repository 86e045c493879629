// SPDX-License-Identifier: Apache-2.0
#include <idl/ast/walk.h>
#include <idl/backends/classic/abstract.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/names.h>
#include <algorithm>

namespace callis::idl::backends::classic {

bool is_abstract(const ast::Interface& i) { return i.flavor == ast::Interface::Flavor::Abstract; }

bool has_abstract_base(const ast::Interface& i) {
  const auto bases = ast::all_bases(i);
  return !is_abstract(i) &&
         std::any_of(bases.begin(), bases.end(), [](const ast::Interface* b) { return is_abstract(*b); });
}

void print_abstract_class(Text& to, const ast::Interface& i) {
  const std::string id = name(i);
  std::string bases;
  for (const ast::Interface* b : i.bases) bases += cat(bases.empty() ? "" : ", ", "public virtual ", absolute(*b));
  if (bases.empty()) bases = "public virtual ::CORBA::AbstractBase";
  to.open("class ", id, " : ", bases, " {");
  to.label("public:");
  const std::string ptr = absolute(i, "_ptr");  // not by its name alone: an operation may be called A_ptr
  to.line("typedef ", ptr, " _ptr_type;");
  to.line("typedef ", absolute(i, "_var"), " _var_type;");
  to.line("static ", ptr, " _duplicate(", ptr, " _p);");
  to.line("static ", ptr, " _narrow(::CORBA::AbstractBase_ptr _p);");
  to.line("static ", ptr, " _unchecked_narrow(::CORBA::AbstractBase_ptr _p);");
  to.line("static ", ptr, " _nil() { return nullptr; }");
  to.line("static const char* _repository_id();");
  for (const ast::Declaration* d : i.contents) print_type_declaration(to, *d, true);
  for (const ast::WireOperation& op : ast::own_operations(i))
    to.line("virtual ", result_type(wire_result(op)), " ", function_name(op), signature(op, false), ";");
  // For the ORB.
  to.line("static void* _callis_create(::callis::orb::Reference* _r);");
  to.line("static ::CORBA::AbstractBase* _callis_base(void* _p);");
  to.line("static void* _callis_from(::CORBA::AbstractBase* _p);");
  to.label("protected:");
  to.line(id, "() = default;");
  to.line(id, "(const ", id, "&) = default;");
  to.line("~", id, "() override;");
  to.close("};");
}

void print_abstract_functions(Text& to, const ast::Interface& i) {
  const std::string id = scoped(i), own = name(i), type = absolute(i), stub = "stub_" + flat(i);
  const std::string scope = i.parent ? scoped(*i.parent) + "::" : "";
  to.line(type, "* ", scope, "callis_duplicate(", type, "* _p) {");
  to.line("  ::CORBA::AbstractBase::_duplicate(_p);");
  to.line("  return _p;");
  to.line("}");
  to.line("void ", scope, "callis_release(", type,
          "* _p) { ::CORBA::release(static_cast<::CORBA::AbstractBase*>(_p)); }");
  to.line("const ::callis::orb::AbstractLink ", scope, "callis_link_", i.name, " = {", quoted(i.repository_id), ",");
  to.line("    &", type, "::_callis_create, &", type, "::_callis_base, &", type, "::_callis_from};");
  to.line("namespace {");
  to.open("class ", stub, " final : public virtual ", type, ", public virtual ::CORBA::Object {");
  to.label("public:");
  to.line("explicit ", stub, "(::callis::orb::Reference* _r) : ::CORBA::Object(_r) {}");
  to.line("::CORBA::Object* _callis_object() noexcept override { return this; }");
  to.close("};");
  to.line("}  // namespace");
  to.line(id, "::~", own, "() = default;");
  to.line("const char* ", id, "::_repository_id() { return ", quoted(i.repository_id), "; }");
  to.line("void* ", id, "::_callis_create(::callis::orb::Reference* _r) { return static_cast<", own, "*>(new ", stub,
          "(_r)); }");
  to.line("::CORBA::AbstractBase* ", id, "::_callis_base(void* _p) { return static_cast<", own, "*>(_p); }");
  to.line("void* ", id, "::_callis_from(::CORBA::AbstractBase* _p) { return dynamic_cast<", own, "*>(_p); }");
  to.line(type, "* ", id, "::_duplicate(", own, "* _p) { return ", counting_scope(i), "callis_duplicate(_p); }");
  for (const char* how : {"narrow", "unchecked_narrow"}) {
    to.open(type, "* ", id, "::_", how, "(::CORBA::AbstractBase* _p) {");
    to.line("return static_cast<", own, "*>(::callis::orb::", how, "(_p, ", interface_link(i), "));");
    to.close("}");
  }
}

void print_abstract_members(Text& to, const ast::Interface& i) {
  if (!has_abstract_base(i)) return;
  to.line("static ", absolute(i, "_ptr"), " _narrow(::CORBA::AbstractBase_ptr _p);");
  to.line("static ", absolute(i, "_ptr"), " _unchecked_narrow(::CORBA::AbstractBase_ptr _p);");
  to.line("::CORBA::Object* _callis_object() noexcept override;");
}

void print_abstract_member_functions(Text& to, const ast::Interface& i) {
  if (!has_abstract_base(i)) return;
  const std::string id = scoped(i), type = absolute(i);
  for (const char* how : {"narrow", "unchecked_narrow"})
    to.line(type, "* ", id, "::_", how, "(::CORBA::AbstractBase* _p) { return _", how,
            "(_p ? _p->_callis_object() : nullptr); }");
  to.line("::CORBA::Object* ", id, "::_callis_object() noexcept { return this; }");
}

}  // namespace callis::idl::backends::classic
