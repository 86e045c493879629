// SPDX-License-Identifier: Apache-2.0
// Interfaces and types as the page needs them to make forms.
#pragma once
#include <idl/ast/walk.h>
#include <tools/call/texts.h>
#include <map>

namespace callis::tools {

// {"name": "Bank", "id": "IDL:Bank:1.0", "idl": TEXT, "operations": [...], "types": {ID: ...}}. An operation:
//   {"name": "_get_level", "words": ["get", "level"], "signature": TEXT, "oneway": false,
//    "parameters": [{"name": "a", "mode": "in", "type": T}, ...]}
// T:
//   {"is": "boolean" | "char" | "object" | "json"}
//   {"is": "integer", "least": "-128", "most": "127"}   {"is": "number"}
//   {"is": "string", "bound": 0}                        {"is": "enum", "members": ["red", ...]}
//   {"is": "bytes"}                                     {"is": "list", "element": T, "bound": 0, "length": 0}
//   {"is": "named", "id": ID}: types[ID], which is
//      {"is": "struct", "members": [{"name": "x", "type": T}]} or
//      {"is": "union", "discriminator": T, "cases": [{"labels": [JSON], "name": "x", "type": T}], "none": JSON}
//      ("none": selects no member; labels of a default member: one that no other has)
// each with its "idl" name. "json": shown as text only; "sample" is a value of it.
Json interface_json(const idl::ast::Interface& interface);

}  // namespace callis::tools
