// SPDX-License-Identifier: Apache-2.0
// The operations that every object has: _is_a, _non_existent and their kin (CORBA 3.3 part 1, 8.3; part 2, 9.4.2).
#pragma once
#include <callis/orb/context/server_request.h>
#include <callis/poa/dispatch/target.h>
#include <string_view>

namespace callis::poa {

// Their names.
inline constexpr std::string_view kPseudoOperations[] = {"_is_a", "_non_existent", "_not_existent", "_interface",
                                                         "_component", "_repository_id", "_domain_managers"};

// Returns false if the operation is none of these; otherwise the request has been answered. Lets the servant's
// exceptions through.
bool serve_pseudo_operation(const Target& object, orb::ServerRequest& request);

// Answers _interface. Programs with the feature interfaces have another definition, which asks the Interface
// Repository (interfaces.h).
void answer_interface(const Target& object, orb::ServerRequest& request);

// Gets every request whose operation the servant's skeleton does not have. If the program has callis/dynamic, whose
// servants have no skeleton, one thread sets a function for dynamic servants before there are requests.
using ServeUnknown = bool (*)(const Target& object, orb::ServerRequest& request);
extern ServeUnknown serve_unknown_operation;

}  // namespace callis::poa
