// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/local_interfaces.h>
#include <idl/backends/classic/names.h>
#include <algorithm>

namespace callis::idl::backends::classic {

bool is_local_interface(const ast::Interface& i) { return i.flavor == ast::Interface::Flavor::Local; }

void print_local_interface_class(Text& to, const ast::Interface& i) {
  const std::string id = name(i);
  std::string bases;
  const auto add = [&bases](const std::string& b) { bases += cat(bases.empty() ? "" : ", ", "public virtual ", b); };
  for (const ast::Interface* b : i.bases) add(absolute(*b));
  if (std::none_of(i.bases.begin(), i.bases.end(), [](const ast::Interface* b) { return is_local_interface(*b); }))
    add("::CORBA::Object");
  to.open("class ", id, " : ", bases, " {");
  to.label("public:");
  print_interface_names(to, i);
  for (const ast::Declaration* d : i.contents) print_type_declaration(to, *d, true);
  // What a base that is not local would send to a server is the program's to implement here, too.
  for (const ast::WireOperation& op : ast::all_operations(i)) {
    const std::string function = cat(result_type(wire_result(op)), " ", function_name(op), signature(op, false));
    if (op.owner == &i) to.line("virtual ", function, " = 0;");
    else if (!is_local_interface(*op.owner)) to.line(function, " override = 0;");
  }
  to.label("protected:");
  to.line(id, "() = default;");
  to.line("~", id, "() override;");
  to.close("};");
}

void print_local_interface_functions(Text& to, const ast::Interface& i) {
  const std::string id = scoped(i), own = name(i), type = absolute(i);
  print_interface_counting(to, i);
  // For Anys; nothing makes one of a reference.
  const std::string scope = i.parent ? scoped(*i.parent) + "::" : "";
  to.line("const ::callis::orb::InterfaceLink ", scope, "callis_link_", i.name, " = {", quoted(i.repository_id),
          ", nullptr,");
  to.line("    [](void* _p) -> ::CORBA::Object* { return static_cast<", type, "*>(_p); }};");
  to.line(id, "::~", own, "() = default;");
  for (const char* how : {"narrow", "unchecked_narrow"})
    to.line(type, "* ", id, "::_", how, "(::CORBA::Object* _p) { return ", counting_scope(i),
            "callis_duplicate(dynamic_cast<", own, "*>(_p)); }");
}

}  // namespace callis::idl::backends::classic
