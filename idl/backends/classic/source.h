// SPDX-License-Identifier: Apache-2.0
// The source file x.cpp: exceptions, stubs, and the unit's descriptors.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/classic/descriptors.h>

namespace callis::idl::backends::classic {

// The descriptors are filled first, by those who need them; this prints them.
std::string print_interpreted_source(const ast::Unit& unit, Descriptors& descriptors);

}  // namespace callis::idl::backends::classic
