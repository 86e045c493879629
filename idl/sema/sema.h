// SPDX-License-Identifier: Apache-2.0
// Sema: gives a syntax tree its meaning. Looks up every name, checks every rule of the language
// (IDL 4.2, 7.4 and 7.5), evaluates constants, assigns repository ids, and returns the AST.
//
//   analyzer.h      the walk over the tree, one function for each kind of definition
//   scope.h         what is declared where, and lookup (7.5)
//   evaluate.h      constant expressions (7.4.1.4.3); fixed.h, numbers.h, convert.cpp belong to it
//   standard_annotations.h  the annotations of IDL 4.2, 8.3
//   repository_ids.h  the ids and their pragmas (CORBA 3.3 part 1, 14.7)
//   suggest.h       "did you mean"
#pragma once
#include <idl/ast/unit.h>
#include <idl/parse/tree.h>
#include <idl/source/diagnostics.h>
#include <idl/source/preprocess.h>
#include <memory>

namespace callis::idl::sema {

// Never null. With errors reported the unit is incomplete and not fit for a back end.
std::unique_ptr<ast::Unit> analyze(const parse::Body& tree,
                                   std::shared_ptr<const source::Files> files,
                                   source::FileId main_file,
                                   const std::vector<source::IncludeDirective>& includes,
                                   source::Diagnostics& diagnostics);

}  // namespace callis::idl::sema
