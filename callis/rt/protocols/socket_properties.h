// SPDX-License-Identifier: Apache-2.0
// The properties of a protocol, set at a socket (RT-CORBA 1.2, 2.12).
#pragma once
#include <callis/rt/priorities/network_mappings.h>
#include <callis/rt/protocols/protocol_terms.h>

namespace callis::rt {

struct RefusedProperty {
  const char* name = nullptr;  // as the IDL names it; nullptr: the system took all of them
  int error = 0;               // errno
};

// terms: of TCP or of Unix-domain sockets, which the descriptor is one of. code_point: of what is sent from now on;
// none: as the system has it. What stands behind a property that the system refuses is not set.
RefusedProperty set_socket_properties(int descriptor, const ProtocolTerms& terms,
                                      std::optional<CodePoint> code_point);

}  // namespace callis::rt
