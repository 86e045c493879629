// SPDX-License-Identifier: Apache-2.0
// locate(): asks a server for an object by LocateRequest (CORBA 3.3 part 2, 9.4.5), which calls no operation of the
// object.
#pragma once
#include <callis/base/clock.h>
#include <callis/orb/client/reference.h>

namespace callis::orb {

enum class Located : unsigned char {
  Unknown,  // the server knows no such object
  Here,     // the server knows it, at the reference's address or at a forward's
};

// Connects if need be, like a call; follows forwards and remembers them in the reference. Throws system exceptions as
// call() does: TRANSIENT, COMM_FAILURE, TIMEOUT ..., and the server's exceptions.
Located locate(Reference& target, Deadline deadline);

}  // namespace callis::orb
