// SPDX-License-Identifier: Apache-2.0
// Unions (C++ mapping 1.3, 4.12): a class that holds the discriminator and, in a C++ union, the member that it
// selects.
//
// The representation is public under names that IDL cannot have, for marshaling code: _callis_d, and _callis_u with
// the members _m_x. callis/classic/union.h has the rest.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>
#include <optional>

namespace callis::idl::backends::classic {

void print_union(Text& to, const ast::Union& u);
// The member functions that are not inline, and a check of the layout; for the source file.
void print_union_functions(Text& to, const ast::Union& u);

// A label as the descriptor has it: the discriminator's value as 64-bit two's complement.
std::uint64_t label_bits(const ast::Value& label);

// "_callis_u._m_x"
std::string union_slot(const ast::UnionMember& m);

}  // namespace callis::idl::backends::classic
