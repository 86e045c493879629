// SPDX-License-Identifier: Apache-2.0
// What the ORB's Interface Repository has of an object's interface: the answer to _interface. Part of the feature
// interfaces.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/orb.h>

CALLIS_FEATURE(interfaces);

namespace callis::poa {

// Asks the initial reference "InterfaceRepository" for the repository id, by the operation lookup_id. The caller owns
// the reference, which is not nil: INTF_REPOS, OMG minor 1, where the ORB has no such initial reference, or the
// repository does not answer; minor 2 where it has nothing of that id.
CALLIS_OPTIONAL CORBA::Object_ptr interface_in_repository(CORBA::ORB& orb, const char* repository_id);

}  // namespace callis::poa
