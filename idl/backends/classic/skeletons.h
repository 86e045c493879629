// SPDX-License-Identifier: Apache-2.0
// Skeletons: POA_X in x_skel.h; thunks and tables in x_skel.cpp.
#pragma once
#include <idl/ast/unit.h>
#include <idl/ast/walk.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/source/diagnostics.h>
#include <functional>

namespace callis::idl::backends::classic {

std::string print_skeleton_header(const ast::Unit& unit);

// Prints an operation's function into the text and returns its name; interpreted skeletons have thunks.
using PrintServerFunction =
    std::function<std::string(Text&, const ast::Interface&, const ast::WireOperation&)>;
// Of an operation, the expression of its list of compiled exceptions; "nullptr" for none.
using RaisesExpression = std::function<std::string(const ast::WireOperation&)>;

struct SkeletonStyle {
  PrintServerFunction function;
  bool compiled = false;
  RaisesExpression raises;  // of a compiled style
  std::function<void(Text&)> declarations;  // of what the functions use from x.cpp; asked last
};
std::string print_skeleton_source(const ast::Unit& unit, Descriptors& descriptors, const SkeletonStyle& style,
                                  source::Diagnostics& diagnostics);

// The style of tables and thunks.
SkeletonStyle interpreted_style();

}  // namespace callis::idl::backends::classic
