// SPDX-License-Identifier: Apache-2.0
// Interfaces on the client's side: the class in the header, its stubs in the source file.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/ast/walk.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

// `class X;` with X_ptr, X_var, X_out and what they need of an incomplete X. May be printed more than once.
void print_interface_forward(Text& to, const ast::Interface& i);
void print_interface_class(Text& to, const ast::Interface& i);

// In the public part of the class: its kin and the static functions that every interface has.
void print_interface_names(Text& to, const ast::Interface& i);
// Counting, _duplicate() and _repository_id().
void print_interface_counting(Text& to, const ast::Interface& i);

// The members that are the same for every interface, and the orb::InterfaceLink.
void print_interface_functions(Text& to, const ast::Interface& i);

// One parameter of an operation as it goes over the wire; the value of a setter is `_value`. An operation with a
// context clause has one more, `_ctx`: a sequence of strings, which is a CORBA::Context in signatures.
struct WireParameter {
  std::string name;      // as in the public signature
  const ast::Type* type;
  ast::Parameter::Mode mode;
  bool context = false;
  // Within generated bodies: cannot be the name of anything in IDL.
  std::string local() const { return context ? name : "_p_" + name; }
};
std::vector<WireParameter> wire_parameters(const ast::WireOperation& op);
const ast::Type& wire_result(const ast::WireOperation& op);
// The C++ function: that of the operation, or the attribute's.
std::string function_name(const ast::WireOperation& op);
// "(::CORBA::Long a, ...)"; local: with the names of generated bodies.
std::string signature(const ast::WireOperation& op, bool local);

// What a stub's body calls after it has filled its frame: "unit, 12" or "compiled_X_op".
struct StubTarget {
  std::string arguments;
};
// In a skeleton's function: makes the servant's argument, whose expression it returns, of the strings that came.
std::string print_received_context(Text& to, const std::string& strings);
void print_stub(Text& to, const ast::WireOperation& op, const StubTarget& target);
// The members of a client's frame, then the result's.
void print_client_frame(Text& to, const ast::WireOperation& op, const std::string& type_name);

}  // namespace callis::idl::backends::classic
