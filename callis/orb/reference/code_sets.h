// SPDX-License-Identifier: Apache-2.0
// What references and sessions do about code sets (CORBA 3.3 part 2, 7.10.2). In a program without this feature chars are
// ISO 8859-1 as the wire has them where nothing is agreed, references say nothing of code sets, and wide characters are not sent.
#pragma once
#include <callis/base/feature.h>
#include <callis/ior/reference.h>
#include <string>
#include <vector>

namespace callis::ior {
struct IiopProfile;
}

CALLIS_FEATURE(code_sets);

namespace callis::orb {

class OrbContext;
struct Options;
struct Path;

// 7.10.2.6: what we would send characters in to a server whose profile says this. Where it says nothing they are ISO
// 8859-1, and there are no wide ones.
CALLIS_OPTIONAL void choose_code_sets(const ior::Ior& ior, const ior::IiopProfile& p, const OrbContext& orb, Path& path);
// Connections keep the code sets that their first request tells: those of other ones are others. Empty for those that
// a server takes for granted.
CALLIS_OPTIONAL std::string connection_suffix(const Path& path);
// What references made here say.
CALLIS_OPTIONAL void offer_code_sets(const Options& options, std::vector<ior::TaggedComponent>& to);

}  // namespace callis::orb
