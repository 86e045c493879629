// SPDX-License-Identifier: Apache-2.0
// Skeletons: POA_X in x_skel.h; thunks and tables in x_skel.cpp.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/classic/compiled_operations.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/source/diagnostics.h>
#include <string>

namespace callis::idl::backends::classic {

std::string print_skeleton_header(const ast::Unit& unit);

// Interpreted operations have thunks; compiled ones, functions that `compiled` prints.
std::string print_skeleton_source(const ast::Unit& unit, Descriptors& descriptors, const CompiledOperations& compiled,
                                  source::Diagnostics& diagnostics);

}  // namespace callis::idl::backends::classic
