// SPDX-License-Identifier: Apache-2.0
// The back end of the OMG classic C++ mapping 1.3: from bank.idl
//
//   bank.h        types, interfaces                    header, declarations, constants, interfaces
//   bank.cpp      stubs, and the unit's descriptors    source, interfaces, descriptors
//   bank_skel.h   POA_X                                skeletons
//   bank_skel.cpp thunks, tables, perfect hashes       skeletons
//
//   check ─→ header
//        └─→ skeletons ─┐ both ask Descriptors for the words of types and operations ...
//        └─→ stubs ─────┴─→ source, which prints them
//
// names and cxx_types say how things are spelled. selection tells which operations are compiled: for those,
// compiled_operations and compiled_types (with fixed_struct and wire) put straight-line code in place of the words.
// All styles have the same headers. The generated text depends on the IDL and the choice of stubs alone.
//
// x.cpp and x_skel.cpp share what they need in a namespace of their own, unit_namespace(). Identifiers of IDL cannot
// begin with an underscore: those of generated bodies do, so that the two never meet.
#pragma once
#include <idl/backends/backend.h>
#include <memory>

namespace callis::idl::backends {

std::unique_ptr<Backend> make_classic_backend();

}  // namespace callis::idl::backends
