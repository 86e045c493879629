// SPDX-License-Identifier: Apache-2.0
// How IDL names are spelled in C++ (C++ mapping 1.3, 4.1 and 4.43).
#pragma once
#include <idl/ast/nodes.h>
#include <idl/ast/unit.h>
#include <string>
#include <string_view>

namespace callis::idl::backends::classic {

// In a module whose repository id begins with omg.org: one that other ORBs' libraries define, too.
bool is_of_the_omg(const ast::Declaration& d);
// What stands behind M, POA_M or OBV_M where that namespace is opened for d, M being d's outermost module:
// "::inline callis_orb" for modules of the OMG, "" for others. callis/base/generated_form.h has the reason. It stands
// nowhere else: a name that is used is found without it.
std::string inline_namespace(const ast::Declaration& d);

// An identifier; keywords of C++20 get the prefix _cxx_.
std::string identifier(std::string_view idl_name);
std::string name(const ast::Declaration& d);

// "A::b", for definitions outside of their scope, and "::A::b" everywhere else.
std::string scoped(const ast::Declaration& d);
std::string absolute(const ast::Declaration& d);
// The same for something that is named after d: absolute(d) + "_var".
std::string absolute(const ast::Declaration& d, std::string_view suffix);

// "POA_X" at the top, "POA_M::X" within modules; absolute with "::" in front.
std::string skeleton_scoped(const ast::Interface& i);
std::string skeleton_absolute(const ast::Interface& i);

// The skeleton's own name within its namespaces: "POA_X" or "X".
std::string skeleton_name(const ast::Interface& i);

// The orb::InterfaceLink of an interface, declared beside its class: "::M::callis_link_X".
std::string interface_link(const ast::Interface& i);
// "::M::", where callis_duplicate() of an interface is declared.
std::string counting_scope(const ast::Interface& i);

// A::b_c as one identifier that no other declaration of the unit yields, to be used behind a prefix: "A_b_0c".
// Of a name alone: "b_0c".
std::string flat(const ast::Declaration& d);
std::string flat(std::string_view idl_name);

// The namespace of what the generated files of one unit share; the same for the same IDL.
std::string unit_namespace(const ast::Unit& unit);

// A C string literal of these bytes.
std::string quoted(std::string_view bytes);

// "dir/bank.idl" -> "bank".
std::string stem_of_path(std::string_view path);

}  // namespace callis::idl::backends::classic
