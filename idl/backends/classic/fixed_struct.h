// SPDX-License-Identifier: Apache-2.0
// Straight-line code for a struct of fixed length. For phase 0 and for the phase of a sequence's elements there is
// a class with the places of all members: one bounds check, then one store or load each (coder.h says how they are
// used). All other phases, and the end of a message, fall through to member-by-member code.
#pragma once
#include <idl/backends/classic/text.h>
#include <idl/backends/classic/wire.h>

namespace callis::idl::backends::classic {

// The classes layout_<suffix>_<phase> of a struct.
void print_layouts(Text& to, const std::vector<Leaf>& leaves, const std::string& type, const std::string& suffix);
// The beginning of the body of write_<suffix>(_e, _v) or read_<suffix>(_d, _v).
void print_fixed_struct(Text& to, const std::vector<Leaf>& leaves, const std::string& suffix, bool encode);
// The class layout_<suffix>_0 alone, for what a message begins with, and its name.
void print_start_layout(Text& to, const std::vector<Leaf>& leaves, const std::string& type,
                        const std::string& suffix);
std::string start_layout(const std::string& suffix);
// The class for the elements of sequences.
std::string steady_layout(const std::vector<Leaf>& leaves, const std::string& suffix);

}  // namespace callis::idl::backends::classic
