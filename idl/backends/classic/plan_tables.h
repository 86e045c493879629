// SPDX-License-Identifier: Apache-2.0
// Prints plans (callis/marshal/tables.h): for each ABI class the tables that the engine's own builder makes, and what
// joins them with names, links and cells.
#pragma once
#include <callis/marshal/descriptor.h>
#include <idl/backends/classic/text.h>
#include <string>
#include <vector>

namespace callis::idl::backends::classic {

struct PlanTables {
  const std::vector<marshal::Word>& words;     // the unit's
  const std::vector<std::string>& links;       // expressions
  const std::vector<std::size_t>& operations;  // indices in words, by cell
  bool extended;                               // the unit needs marshal::kExtension
  bool has_links;
};

// The plans of one side, and its cells. The tables' names begin with `side`, which is "client" or "server". unit: the
// name of the Unit that has the cells. Operations that are not in `chosen` have empty cells.
void print_plans(Text& to, const PlanTables& tables, const std::vector<std::size_t>& chosen, const std::string& side,
                 const std::string& unit, const std::string& cells);

}  // namespace callis::idl::backends::classic
