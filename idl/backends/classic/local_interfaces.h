// SPDX-License-Identifier: Apache-2.0
// Local interfaces (CORBA 3.3 part 1, 7.8.9.1; C++ mapping 1.3, 4.44): an abstract class over CORBA::Object that
// the program implements itself. Without stub, skeleton or descriptor.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

bool is_local_interface(const ast::Interface& i);
// After print_interface_forward().
void print_local_interface_class(Text& to, const ast::Interface& i);
void print_local_interface_functions(Text& to, const ast::Interface& i);

}  // namespace callis::idl::backends::classic
