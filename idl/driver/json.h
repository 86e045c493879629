// SPDX-License-Identifier: Apache-2.0
// The checked AST as JSON (RFC 8259), for other tools; docs/guide/idl-json.md is its reference. Every declaration is
// there, those of included files too. Keys are only ever added.
#pragma once
#include <idl/ast/unit.h>
#include <idl/driver/json_writer.h>

namespace callis::idl::driver {

inline constexpr std::uint64_t kJsonVersion = 1;

// One object: an element of "units".
void write_json(JsonWriter& to, const ast::Unit& unit);

}  // namespace callis::idl::driver
