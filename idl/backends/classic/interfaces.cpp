// SPDX-License-Identifier: Apache-2.0
// Interfaces of the client's side: classes and stubs.
#include <idl/backends/classic/abstract.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/local_interfaces.h>
#include <idl/backends/classic/names.h>
#include <algorithm>

namespace callis::idl::backends::classic {

using Mode = ast::Parameter::Mode;

void print_interface_forward(Text& to, const ast::Interface& i) {
  const std::string id = name(i);
  to.line("class ", id, ";");
  to.line("typedef ", id, "* ", id, "_ptr;");
  to.line(id, "* callis_duplicate(", id, "* _p);");
  to.line("void callis_release(", id, "* _p);");
  to.line("extern const ::callis::orb::", is_abstract(i) ? "Abstract" : "Interface", "Link callis_link_", i.name,
          ";");
  to.line("typedef ::callis::classic::ReferenceVar<", id, "> ", id, "_var;");
  to.line("typedef ::callis::classic::ReferenceOut<", id, "> ", id, "_out;");
}

namespace {

// What a context is on the wire (CORBA 3.3 part 2, 9.3.5.4).
const ast::Type& context_type() {
  static const ast::StringType string(false);
  static const struct Strings {
    ast::SequenceType type;
    Strings() { type.element = &string; }
  } strings;
  return strings.type;
}

}  // namespace

std::vector<WireParameter> wire_parameters(const ast::WireOperation& op) {
  std::vector<WireParameter> list;
  if (op.operation) {
    list.reserve(op.operation->parameters.size() + 1);
    for (const ast::Parameter* p : op.operation->parameters) list.push_back({identifier(p->name), p->type, p->mode});
    if (!op.operation->contexts.empty()) list.push_back({"_ctx", &context_type(), Mode::In, true});
  } else if (op.is_setter) {
    list.push_back({"_value", op.attribute->type, Mode::In});
  }
  return list;
}

const ast::Type& wire_result(const ast::WireOperation& op) {
  if (op.operation) return *op.operation->result;
  return op.is_setter ? ast::basic(ast::TypeKind::Void) : *op.attribute->type;
}

std::string function_name(const ast::WireOperation& op) {
  return identifier(op.operation ? op.operation->name : op.attribute->name);
}

std::string signature(const ast::WireOperation& op, bool local) {
  std::string s = "(";
  for (const WireParameter& p : wire_parameters(op))
    append_all(s, text_of(s.size() == 1 ? "" : ", "),
               p.context ? "::CORBA::Context_ptr" : parameter_type(*p.type, p.mode), text_of(" "),
               local ? p.local() : p.name);
  return s += ')';
}

void print_interface_names(Text& to, const ast::Interface& i) {
  // Not by its name alone: an operation may be called A_ptr.
  const std::string ptr = absolute(i, "_ptr");
  for (const char* kin : {"_ptr", "_var", "_out"}) to.line("typedef ", absolute(i, kin), " ", kin, "_type;");
  to.line("static ", ptr, " _duplicate(", ptr, " _p);");
  to.line("static ", ptr, " _narrow(::CORBA::Object_ptr _p);");
  to.line("static ", ptr, " _unchecked_narrow(::CORBA::Object_ptr _p);");
  to.line("static ", ptr, " _nil() { return nullptr; }");
  to.line("static const char* _repository_id();");
}

void print_interface_counting(Text& to, const ast::Interface& i) {
  const std::string id = scoped(i), type = absolute(i);
  const std::string scope = i.parent ? scoped(*i.parent) + "::" : "";
  to.line(type, "* ", scope, "callis_duplicate(", type, "* _p) {");
  to.line("  ::CORBA::Object::_duplicate(_p);");
  to.line("  return _p;");
  to.line("}");
  to.line("void ", scope, "callis_release(", type, "* _p) { ::CORBA::release(_p); }");
  to.line("const char* ", id, "::_repository_id() { return ", quoted(i.repository_id), "; }");
  to.line(type, "* ", id, "::_duplicate(", name(i), "* _p) { return ", counting_scope(i), "callis_duplicate(_p); }");
}

void print_interface_class(Text& to, const ast::Interface& i) {
  if (is_local_interface(i)) return print_local_interface_class(to, i);
  if (is_abstract(i)) return print_abstract_class(to, i);
  const std::string id = name(i);
  std::string bases;
  for (const ast::Interface* b : i.bases) bases += cat(bases.empty() ? "" : ", ", "public virtual ", absolute(*b));
  if (std::all_of(i.bases.begin(), i.bases.end(), [](const ast::Interface* b) { return is_abstract(*b); }))
    bases += cat(bases.empty() ? "" : ", ", "public virtual ::CORBA::Object");
  // The runtime has classes of these names, without operations.
  const bool interface_def = absolute(i) == "::CORBA::InterfaceDef", idl_type = absolute(i) == "::CORBA::IDLType";
  if (interface_def || idl_type) {
    const char* macro = interface_def ? "CALLIS_INTERFACE_DEF" : "CALLIS_IDL_TYPE";
    to.line("#ifdef ", macro);
    to.line("#error This header must be included before callis/orb/core/interface_def.h");
    to.line("#endif");
    to.line("#define ", macro);
  }
  to.open("class ", id, " : ", bases, " {");
  to.label("public:");
  print_interface_names(to, i);
  for (const ast::Declaration* d : i.contents) print_type_declaration(to, *d, true);
  for (const ast::WireOperation& op : ast::own_operations(i))
    to.line("virtual ", result_type(wire_result(op)), " ", function_name(op), signature(op, false), ";");
  print_abstract_members(to, i);
  // For the ORB.
  to.line("static void* _callis_create(::callis::orb::Reference* _r);");
  to.line("static ::CORBA::Object* _callis_object(void* _p);");
  to.label("protected:");
  to.line(id, "() = default;  // of a local interface that inherits");
  to.line("explicit ", id, "(::callis::orb::Reference* _r);");
  to.line("~", id, "() override;");
  to.close("};");
}

void print_interface_functions(Text& to, const ast::Interface& i) {
  if (is_abstract(i)) return print_abstract_functions(to, i);
  const std::string id = scoped(i), own = name(i), type = absolute(i);
  const std::string scope = i.parent ? scoped(*i.parent) + "::" : "";
  std::string init = "::CORBA::Object(_r)";
  for (const ast::Interface* b : ast::all_bases(i))  // virtual bases: the most derived class initialises them all
    if (!is_abstract(*b)) init += cat(", ", absolute(*b), "(_r)");
  print_interface_counting(to, i);
  to.line("const ::callis::orb::InterfaceLink ", scope, "callis_link_", i.name, " = {", quoted(i.repository_id), ",");
  to.line("    &", type, "::_callis_create, &", type, "::_callis_object};");
  to.line(id, "::", own, "(::callis::orb::Reference* _r) : ", init, " {}");
  to.line(id, "::~", own, "() = default;");
  to.line("void* ", id, "::_callis_create(::callis::orb::Reference* _r) { return new ", own, "(_r); }");
  to.line("::CORBA::Object* ", id, "::_callis_object(void* _p) { return static_cast<", own, "*>(_p); }");
  print_abstract_member_functions(to, i);
  for (const char* how : {"narrow", "unchecked_narrow"}) {
    to.open(type, "* ", id, "::_", how, "(::CORBA::Object* _p) {");
    to.line("if (auto* _x = dynamic_cast<", own, "*>(_p)) return ", counting_scope(i), "callis_duplicate(_x);");
    to.line("return static_cast<", own, "*>(::callis::orb::", how, "(_p, ", interface_link(i), "));");
    to.close("}");
  }
}

namespace {

std::string result_expression(Shape s) {
  if (s == Shape::FixedStruct) return "_r";
  return "_f._result";
}

// Prints what a stub sends of its context, and returns its name.
std::string print_sent_context(Text& to, const ast::WireOperation& op, const std::string& context) {
  std::string patterns;
  for (const std::string& p : op.operation->contexts) patterns += cat(patterns.empty() ? "" : ", ", quoted(p));
  to.line("const auto _context = ::callis::orb::sent_context(", context, ", {", patterns, "});");
  return "_context";
}

}  // namespace

std::string print_received_context(Text& to, const std::string& strings) {
  to.line("const ::CORBA::Context_var _context(::callis::orb::received_context(", strings, "));");
  return "_context.in()";
}

void print_client_frame(Text& to, const ast::WireOperation& op, const std::string& type_name) {
  to.open("struct ", type_name, " {");
  for (const WireParameter& p : wire_parameters(op)) to.line(client_slot(*p.type, p.mode), " ", p.name, ";");
  if (shape(wire_result(op)) != Shape::Void) to.line(client_result_slot(wire_result(op)), " _result;");
  to.close("};");
}

void print_stub(Text& to, const ast::WireOperation& op, const StubTarget& target) {
  const ast::Type& result = wire_result(op);
  const Shape s = shape(result);
  to.open(result_type(result), " ", scoped(*op.owner), "::", function_name(op), signature(op, true), " {");
  const auto parameters = wire_parameters(op);
  std::string frame = "nullptr";
  if (!parameters.empty() || s != Shape::Void) {
    print_client_frame(to, op, "_frame");
    if (s == Shape::FixedStruct) to.line(value_type(result), " _r;");
    // Member by member: nothing is spent on padding, nor on a result of a primitive type.
    to.line("_frame _f;");
    for (const WireParameter& p : parameters) {
      const std::string value = p.context ? print_sent_context(to, op, p.local()) : p.local();
      const std::string argument = client_argument(*p.type, p.mode, value);
      if (!argument.empty()) to.line("_f.", p.name, " = ", argument, ";");
    }
    if (s == Shape::FixedStruct) to.line("_f._result = &_r;");
    else if (s != Shape::Void && !is_scalar(s)) to.line("_f._result = nullptr;");
    frame = "&_f";
  }
  to.line("::callis::orb::invoke(", op.owner && is_abstract(*op.owner) ? "_callis_object()" : "this", ", ",
          target.arguments, ", ", frame, ");");
  for (const WireParameter& p : parameters)
    if (p.mode != Mode::In && is_scalar(shape(*p.type))) to.line(p.local(), " = _f.", p.name, ";");
  if (s != Shape::Void) to.line("return ", result_expression(s), ";");
  to.close("}");
}

}  // namespace callis::idl::backends::classic
