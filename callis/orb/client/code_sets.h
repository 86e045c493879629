// SPDX-License-Identifier: Apache-2.0
// Code sets of references and sessions (CORBA 3.3 part 2, 7.10.2). In a program without this feature chars are ISO
// 8859-1, as on the wire without an agreement. References say nothing of code sets then, and wide characters are not
// sent.
#pragma once
#include <callis/ior/reference.h>
#include <callis/orb/base/orb_features.h>
#include <string>
#include <vector>

namespace callis::ior {
struct IiopProfile;
}

namespace callis::orb {

class OrbContext;
struct EndpointIdentity;
struct Options;
struct Path;

// Chooses the code sets for characters sent to a server with this profile (7.10.2.6). If the profile says nothing,
// chars are ISO 8859-1, and there are no wide characters.
CALLIS_OPTIONAL void choose_code_sets(const ior::Ior& ior, const ior::IiopProfile& p, const OrbContext& orb,
                                      Path& path);
// A connection keeps the code sets that its first request tells, so calls in other code sets use other connections.
// Puts the code sets of the path into the identity, except code sets that a server takes for granted.
CALLIS_OPTIONAL void tell_code_sets(const Path& path, EndpointIdentity& identity);
// Adds the component with our code sets to references made here.
CALLIS_OPTIONAL void offer_code_sets(const Options& options, std::vector<ior::TaggedComponent>& to);

}  // namespace callis::orb
