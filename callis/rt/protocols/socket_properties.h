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

// The descriptor is a TCP or a Unix-domain socket, as terms say. code_point: for packets that are sent from now on;
// none: as the system has it. Properties behind one that the system refuses are not set.
RefusedProperty set_socket_properties(int descriptor, const ProtocolTerms& terms,
                                      std::optional<CodePoint> code_point);

}  // namespace callis::rt
