// SPDX-License-Identifier: Apache-2.0
// Invocations whose caller waits.
#pragma once
#include <callis/orb/client/invocation.h>

namespace callis::orb {

// Drives it on the calling thread to its end. Throws how it has failed.
void complete(Invocation& invocation);

}  // namespace callis::orb
