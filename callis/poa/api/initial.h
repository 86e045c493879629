// SPDX-License-Identifier: Apache-2.0
// The initial references "RootPOA" and "POACurrent", and how an ORB gets its object adapter.
#pragma once
#include <callis/base/feature.h>
#include <callis/poa/adapter/adapter.h>

CALLIS_FEATURE(default_adapter);

namespace callis::orb {
class Core;
}

namespace callis::poa {

// The root adapter that _default_POA() of servants returns: that of the default ORB, which is made if need be; where
// there is none, that of the ORB whose root was asked for first among those that still live. A count for the caller;
// nullptr when there is none.
Adapter* default_root();

// Feature object_ids. That of orb::default_orb(), made if need be; nullptr where there is no such ORB, or where it is
// being shut down. Throws what resolve_initial_references() throws.
CALLIS_OPTIONAL Adapter* root_of_default_orb();

}  // namespace callis::poa
