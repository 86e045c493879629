// SPDX-License-Identifier: Apache-2.0
// Skeletons: POA_X in x_skel.h; thunks and tables in x_skel.cpp; or all of it in the files of the stubs.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/classic/compiled_operations.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/file_names.h>
#include <idl/source/diagnostics.h>
#include <string>

namespace callis::idl::backends::classic {

// ties: with a POA_X_tie for each interface. With joined files, what is to follow the text of x.h and x.cpp.
std::string print_skeleton_header(const ast::Unit& unit, const FileNames& files, bool ties);

// A skeleton's source but for the plans. These are made last, when all words are known.
struct SkeletonSource {
  std::string head, body;
  std::string shared;        // the namespace
  std::string declarations;  // in it
  // The whole, after the stubs' source has been printed.
  std::string with_plans(const Descriptors& descriptors) const;
};

// Interpreted operations have thunks; compiled ones, functions that `compiled` prints.
SkeletonSource print_skeleton_source(const ast::Unit& unit, const FileNames& files, Descriptors& descriptors,
                                  const CompiledOperations& compiled, source::Diagnostics& diagnostics);

}  // namespace callis::idl::backends::classic
