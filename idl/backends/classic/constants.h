// SPDX-License-Identifier: Apache-2.0
// Constants (C++ mapping 1.3, 4.4).
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

// The definition, in a namespace or in a class.
void print_constant(Text& to, const ast::Const& c, bool in_class);
// The expression of a value of that type.
std::string literal(const ast::Value& value, const ast::Type& type);

}  // namespace callis::idl::backends::classic
