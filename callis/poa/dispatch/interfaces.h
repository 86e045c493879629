// SPDX-License-Identifier: Apache-2.0
// The answer to _interface: the object's interface in the ORB's Interface Repository. Part of the feature interfaces.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/orb.h>

CALLIS_FEATURE(interfaces);

namespace callis::poa {

// Asks the initial reference "InterfaceRepository" for the repository id, by the operation lookup_id. The caller owns
// the reference, which is not nil. Throws INTF_REPOS, OMG minor 1, if the ORB has no such initial reference or the
// repository does not answer. Throws minor 2 if the repository has no such id.
CALLIS_OPTIONAL CORBA::Object_ptr interface_in_repository(CORBA::ORB& orb, const char* repository_id);

}  // namespace callis::poa
