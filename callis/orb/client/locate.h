// SPDX-License-Identifier: Apache-2.0
// locate(): asks a server for an object by LocateRequest (CORBA 3.3 part 2, 9.4.5), which calls no operation of it.
#pragma once
#include <callis/base/clock.h>
#include <callis/orb/client/reference.h>

namespace callis::orb {

enum class Located : unsigned char {
  Unknown,  // the server knows no such object
  Here,     // it does, at the reference's address or where that forwards to
};

// Connects if need be, like a call; follows forwards and remembers them in the reference. Throws system exceptions as
// call() does: TRANSIENT, COMM_FAILURE, TIMEOUT ..., and those that the server answers with.
Located locate(Reference& target, Deadline deadline);

}  // namespace callis::orb
