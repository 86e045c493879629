// SPDX-License-Identifier: Apache-2.0
// Declarations: what the generated header says for each IDL declaration, in the order of the file.
// Constants are in constants.h, interfaces in interfaces.h.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

// in_class: within a class (an interface, a struct, an exception) rather than a namespace.
void print_enum(Text& to, const ast::Enum& e);
void print_struct(Text& to, const ast::Struct& s);
void print_exception(Text& to, const ast::Exception& e);
void print_typedef(Text& to, const ast::Typedef& t, bool in_class);
// Any of them, and constants.
void print_type_declaration(Text& to, const ast::Declaration& d, bool in_class);

// The member functions of an exception, for the source file.
void print_exception_functions(Text& to, const ast::Exception& e);
// Checks that a struct or exception has the layout that the marshaling engine takes for granted.
void print_layout_check(Text& to, const ast::Struct& s);
void print_layout_check(Text& to, const ast::Exception& e);

}  // namespace callis::idl::backends::classic
