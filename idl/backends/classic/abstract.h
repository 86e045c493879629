// SPDX-License-Identifier: Apache-2.0
// Abstract interfaces (C++ mapping 1.3, 4.3.13): a class whose functions call the object that it stands for; values
// that support the interface override them. Forward declarations are those of interfaces.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

bool is_abstract(const ast::Interface& i);
// Whether the interface, which is not abstract, derives from an abstract one.
bool has_abstract_base(const ast::Interface& i);

void print_abstract_class(Text& to, const ast::Interface& i);
void print_abstract_functions(Text& to, const ast::Interface& i);

// What interfaces that derive from abstract ones have more of: in the class, and in the source file.
void print_abstract_members(Text& to, const ast::Interface& i);
void print_abstract_member_functions(Text& to, const ast::Interface& i);

}  // namespace callis::idl::backends::classic
