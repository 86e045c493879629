// SPDX-License-Identifier: Apache-2.0
// Operations of --stubs=compiled: what x.cpp has in place of descriptors, and the skeletons' Serve functions.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/classic/compiled_types.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/skeletons.h>

namespace callis::idl::backends::classic {

// Print the skeletons first: both ask types and descriptors for what they need, and the source file has it all.
std::string print_compiled_source(const ast::Unit& unit, Descriptors& descriptors, CompiledTypes& types);
SkeletonStyle compiled_style(const ast::Unit& unit, CompiledTypes& types);

}  // namespace callis::idl::backends::classic
