// SPDX-License-Identifier: Apache-2.0
// The operations that every object has: _is_a, _non_existent and their kin (CORBA 3.3 part 1, 8.3; part 2, 9.4.2).
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/orb.h>
#include <callis/orb/context/server_request.h>
#include <callis/poa/servant/skeleton.h>
#include <string_view>

CALLIS_FEATURE(interfaces);

namespace callis::poa {

// Their names.
inline constexpr std::string_view kPseudoOperations[] = {"_is_a", "_non_existent", "_not_existent", "_interface",
                                                         "_component", "_repository_id", "_domain_managers"};

// Returns false if the operation is none of these; otherwise the request has been answered. Lets the servant's
// exceptions through.
bool serve_pseudo_operation(const Target& object, orb::ServerRequest& request);

// Answers _interface. Programs with the feature interfaces have another definition, which asks the Interface
// Repository.
void answer_interface(const Target& object, orb::ServerRequest& request);

// Asks the initial reference "InterfaceRepository" for the repository id, by the operation lookup_id. The caller owns
// the reference, which is not nil. Throws INTF_REPOS, OMG minor 1, if the ORB has no such initial reference or the
// repository does not answer. Throws minor 2 if the repository has no such id. Part of the feature interfaces.
CALLIS_OPTIONAL CORBA::Object_ptr interface_in_repository(CORBA::ORB& orb, const char* repository_id);

// Gets every request whose operation the servant's skeleton does not have. If the program has callis/dynamic, whose
// servants have no skeleton, one thread sets a function for dynamic servants before there are requests.
using ServeUnknown = bool (*)(const Target& object, orb::ServerRequest& request);
extern ServeUnknown serve_unknown_operation;

}  // namespace callis::poa
