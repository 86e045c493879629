// SPDX-License-Identifier: Apache-2.0
// complete(): drives an Invocation whose caller waits.
#pragma once
#include <callis/orb/client/invocation.h>

namespace callis::orb {

// Drives the invocation on the calling thread until it is Completed or Failed. Throws the exception of a failed
// invocation.
void complete(Invocation& invocation);

}  // namespace callis::orb
