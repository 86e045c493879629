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

// The root adapter that _default_POA() of servants returns. It belongs to the default ORB, and is made if need be. If
// there is no default ORB, the root belongs to the living ORB whose root was asked for first. The caller owns a
// count; nullptr if there is no ORB.
Adapter* default_root();

// The root adapter of orb::default_orb(), made if need be. nullptr if there is no such ORB, or if the ORB is being
// shut down. Throws the exceptions of resolve_initial_references(). Part of the feature object_ids.
CALLIS_OPTIONAL Adapter* root_of_default_orb();

}  // namespace callis::poa
