// SPDX-License-Identifier: Apache-2.0
// Boxed values (C++ mapping 1.3, 4.17.7): classes over the templates of callis/value/box.h. Forward declarations, the
// state and the link are printed as those of valuetypes, by values.h.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

void print_box_class(Text& to, const ast::ValueBox& b);
void print_box_functions(Text& to, const ast::ValueBox& b);

}  // namespace callis::idl::backends::classic
