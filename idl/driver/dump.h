// SPDX-License-Identifier: Apache-2.0
// The AST as text, for people and golden files: one line a declaration, indented, with repository
// ids, resolved types and constant values. Included declarations are left out.
#pragma once
#include <idl/ast/unit.h>
#include <string>

namespace callis::idl::driver {

std::string dump(const ast::Unit& unit);

// A constant's value as IDL would write it: 42, 0.5, TRUE, 'a', "text", ::M::red.
std::string to_text(const ast::Value& value);

}  // namespace callis::idl::driver
