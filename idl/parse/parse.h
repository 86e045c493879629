// SPDX-License-Identifier: Apache-2.0
// The parser: a preprocessed text to a syntax tree, by recursive descent over the grammar of IDL
// 4.2, 7.4 (the part CORBA uses). One token of lookahead.
//
// After a fault it goes on at the next `;` or `}` of the same level, so that one run reports the
// faults of a whole file; what it could not read is left out of the tree. Nesting and expression
// size are bounded. Syntax that is known but has no support yet is refused by its name.
#pragma once
#include <idl/parse/tree.h>
#include <idl/source/diagnostics.h>
#include <idl/source/preprocess.h>

namespace callis::idl::parse {

Body parse(const source::Preprocessed& text, source::Diagnostics& diagnostics);

}  // namespace callis::idl::parse
