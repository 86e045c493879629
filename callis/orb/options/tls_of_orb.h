// SPDX-License-Identifier: Apache-2.0
// The parts of TLS that few sources of the ORB ask for. Alone, so that only these are compiled again when it changes.
// In programs without TLS (callis/tls) the functions are missing.
#pragma once
#include <callis/base/feature.h>

namespace callis::ior {
struct Ior;
}

namespace callis::orb {

class Core;
class OrbContext;

// Returns words about the ORB's options of TLS, by which the reference has no address; nullptr if they are not the
// reason.
CALLIS_OPTIONAL const char* tls_refusal(const ior::Ior& ior, const OrbContext* orb);

// Gives an ORB that ORB_init has not made the options of TLS of another one. of: nullptr stands for any ORB that has
// some. Called before the ORB calls anybody.
CALLIS_OPTIONAL void share_tls(const OrbContext* of, Core& with);

}  // namespace callis::orb
