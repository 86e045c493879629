// SPDX-License-Identifier: Apache-2.0
// The initial references "RootPOA" and "POACurrent", and how an ORB gets its object adapter.
#pragma once
#include <callis/poa/adapter/adapter.h>

namespace callis::orb {
class Core;
}

namespace callis::poa {

// The root adapter that _default_POA() of servants returns: that of the ORB whose root was asked for first
// among those that still live. A count for the caller; nullptr when there is none.
Adapter* default_root();

}  // namespace callis::poa
