// SPDX-License-Identifier: Apache-2.0
// What references and sessions do about code sets (CORBA 3.3 part 2, 7.10.2). In a program without this feature chars
// are ISO 8859-1 as the wire has them where nothing is agreed, references say nothing of code sets, and wide
// characters are not sent.
#pragma once
#include <callis/ior/reference.h>
#include <callis/orb/base/features.h>
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

// 7.10.2.6: what we would send characters in to a server whose profile says this. Where it says nothing they are ISO
// 8859-1, and there are no wide ones.
CALLIS_OPTIONAL void choose_code_sets(const ior::Ior& ior, const ior::IiopProfile& p, const OrbContext& orb,
                                      Path& path);
// Connections keep the code sets that their first request tells: those of other ones are others. Puts those of the
// path into the identity, but for those that a server takes for granted.
CALLIS_OPTIONAL void tell_code_sets(const Path& path, EndpointIdentity& identity);
// What references made here say.
CALLIS_OPTIONAL void offer_code_sets(const Options& options, std::vector<ior::TaggedComponent>& to);

}  // namespace callis::orb
