// SPDX-License-Identifier: Apache-2.0
// Straight-line code for a struct of fixed length: for the common phases one bounds check and one store or load
// for each member; falls through to member-by-member code for all other phases, and at the end of a message.
#pragma once
#include <idl/backends/classic/text.h>
#include <idl/backends/classic/wire.h>

namespace callis::idl::backends::classic {

// The beginning of the body of put_X(_e, _v) or get_X(_d, _v).
void print_fixed_struct(Text& to, const std::vector<Leaf>& leaves, bool encode);

}  // namespace callis::idl::backends::classic
