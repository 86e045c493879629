// SPDX-License-Identifier: Apache-2.0
// x.cpp: stubs; what both files share of descriptors and coders.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/classic/compiled_operations.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/file_names.h>
#include <string>

namespace callis::idl::backends::classic {

// Print the skeletons first: they ask descriptors and coders for what they need, and this file has it all.
std::string print_source(const ast::Unit& unit, const FileNames& files, Descriptors& descriptors,
                         const CompiledOperations& compiled, bool any);

}  // namespace callis::idl::backends::classic
