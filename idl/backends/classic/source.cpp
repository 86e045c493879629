// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/boxes.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/local_interfaces.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/source.h>
#include <idl/backends/classic/typecodes.h>
#include <idl/backends/classic/unions.h>
#include <idl/backends/classic/values.h>
#include <optional>

namespace callis::idl::backends::classic {

std::string print_source(const ast::Unit& unit, const FileNames& files, Descriptors& descriptors,
                         const CompiledOperations& compiled, bool any) {
  const std::string shared = unit_namespace(unit);
  Text stubs;
  for_each<ast::Exception>(unit, [&](const ast::Exception& e) {
    print_exception_functions(stubs, e);
    stubs.blank();
  });
  for_each<ast::Union>(unit, [&](const ast::Union& u) {
    print_union_functions(stubs, u);
    stubs.blank();
  });
  Text states;
  for_each(unit.contents, [&](const ast::Declaration& d) {
    const auto* v = ast::as<ast::ValueType>(&d);
    const auto* b = ast::as<ast::ValueBox>(&d);
    if (!v && !b) return;
    print_value_state(states, d, descriptors);
    print_value_link(stubs, d, shared);
    if (v) print_value_functions(stubs, *v);
    else print_box_functions(stubs, *b);
    stubs.blank();
  });
  for_each<ast::Interface>(unit, [&](const ast::Interface& i) {
    if (!is_local_interface(i)) return;
    print_local_interface_functions(stubs, i);
    stubs.blank();
  });
  for_each_remote(unit, [&](const ast::Interface& i) {
    print_interface_functions(stubs, i);
    for (const ast::WireOperation& op : ast::own_operations(i)) {
      if (compiled.has(op)) {
        print_stub(stubs, op, StubTarget{cat(shared, "::", compiled.name(op))});
        continue;
      }
      const std::size_t entry = descriptors.operation(op, false);
      descriptors.called(entry);
      print_stub(stubs, op, StubTarget{cat(shared, "::unit, ", entry, "u")});
    }
    stubs.blank();
  });

  const std::optional<TypeCodes> types = any ? std::optional<TypeCodes>(unit) : std::nullopt;
  const bool type_codes = types && !types->empty();
  Text coders;
  compiled.print_coders(coders, descriptors);

  Text to;
  print_notice(to, unit);
  to.line(files.include_header());
  if (compiled.any()) {
    to.line("#include <callis/classic/coder.h>");
    // What it includes may bring in anys that only the coders name.
    if (uses_any(unit) || coders.str().find("::callis::typecode::") != std::string::npos)
      to.line("#include <callis/typecode/coder.h>");
    if (coders.str().find("::callis::value::") != std::string::npos) to.line("#include <callis/value/wire.h>");
  }
  to.line("#include <callis/classic/layout.h>");
  to.line("#include <callis/marshal/tables.h>");
  if (type_codes) to.line("#include <callis/typecode/table.h>");
  to.line("#include <type_traits>");
  to.blank();
  const bool described = !descriptors.empty() || !states.empty();
  if (described || type_codes) {
    to.line("namespace ", shared, " {");
    if (described) descriptors.print(to);
    if (type_codes) types->print(to);
    if (!states.empty()) {
      to.line("namespace {");
      to.raw(states.str());
      to.line("}  // namespace");
    }
    to.raw(std::move(coders));
    to.line("}  // namespace ", shared);
    to.blank();
  }
  if (type_codes) types->print_constants(to, shared);
  to.raw(std::move(stubs));
  for_each<ast::Struct>(unit, [&](const ast::Struct& s) { print_layout_check(to, s); });
  for_each<ast::Exception>(unit, [&](const ast::Exception& e) { print_layout_check(to, e); });
  return to.take();
}

}  // namespace callis::idl::backends::classic
