// SPDX-License-Identifier: Apache-2.0
// Valuetypes (C++ mapping 1.3, 4.17): class V and V_init in the header, OBV_V at its end, their functions and the
// value::ValueLink in the source file. Boxed values are in boxes.h.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/ast/unit.h>
#include <idl/ast/walk.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/text.h>
#include <string>

namespace callis::idl::backends::classic {

// `class V;` with V_var, V_out and what they need of an incomplete V; d is a ValueType or a ValueBox. May be printed
// more than once.
void print_value_forward(Text& to, const ast::Declaration& d);
void print_value_class(Text& to, const ast::ValueType& v);
void print_obv_class(Text& to, const ast::ValueType& v);

void print_value_functions(Text& to, const ast::ValueType& v);
// The word and the plan of the state, in unit_namespace(); the link follows in print_value_link().
void print_value_state(Text& to, const ast::Declaration& d, Descriptors& descriptors);
void print_value_link(Text& to, const ast::Declaration& d, const std::string& shared);

// "::M::callis_value_V", of a ValueType or ValueBox.
std::string value_link(const ast::Declaration& d);

// The accessors and modifiers of a member as the mapping wants them (4.17.1), for classes of values, boxes of structs
// and whatever holds a member: `expression` is where it lies. pure: declarations that end with " = 0".
struct Accessors {
  std::string name;       // of the functions
  std::string stem;       // of the typedefs of an anonymous type: "_<stem>_seq"
  const ast::Type* type;
};
void print_pure_accessors(Text& to, const Accessors& a);
void print_accessors(Text& to, const Accessors& a, const std::string& expression, bool override_them);

}  // namespace callis::idl::backends::classic
