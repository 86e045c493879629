// SPDX-License-Identifier: Apache-2.0
// Refuses what this mapping cannot express yet, where it stands in the IDL.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/backend.h>
#include <idl/source/diagnostics.h>

namespace callis::idl::backends::classic {

// False when something was reported.
bool check(const ast::Unit& unit, const Options& options, source::Diagnostics& diagnostics);

}  // namespace callis::idl::backends::classic
