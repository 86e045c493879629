// SPDX-License-Identifier: Apache-2.0
// Bitmasks and bitsets (IDL 4.2, 7.4.13.4.3) in a header. The classic mapping has none; this is its manner of enums
// and unions: a bitmask is the unsigned integer that holds it, with a constant for each flag; a bitset has a pair of
// functions a field.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

void print_bitmask(Text& to, const ast::Bitmask& m);
void print_bitset(Text& to, const ast::Bitset& b);

}  // namespace callis::idl::backends::classic
