// SPDX-License-Identifier: Apache-2.0
// RT_Infos from a file of JSON (docs/guide/scheduling.md has the schema):
//
//   {"operations": [{"name": "Nav::Display::update", "wcet": "2ms", "period": "25ms",
//                    "calls": ["Nav::Map::lookup", {"name": "Log::write", "how": "oneway", "times": 2}]}, ...]}
#pragma once
#include <services/scheduling/model.h>
#include <string>

namespace callis::scheduling {

// Adds what the text has. Operations may call what stands behind them, or what the model had before. Throws Refused:
// "file:line:column: error: ..."; the model has then a part of it.
void add_json(Model& model, std::string_view text, const std::string& file);

}  // namespace callis::scheduling
