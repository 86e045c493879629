// SPDX-License-Identifier: Apache-2.0
// Operators that insert into an Any and extract from it (C++ mapping 1.3, 4.20.2 - 4.20.5): inline, one call each.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

// Those of a declaration at namespace scope and of all types inside it.
void print_any_operators(Text& to, const ast::Declaration& d);

}  // namespace callis::idl::backends::classic
