// SPDX-License-Identifier: Apache-2.0
// Why an ORB with TLS has no address for a reference. Alone, so that only its users are compiled again.
#pragma once
#include <callis/base/feature.h>

namespace callis::ior {
struct Ior;
}

namespace callis::orb {

class OrbContext;

// Words about the ORB's options of TLS, by which the reference has no address; nullptr if they are not the reason.
// Missing in programs without TLS (callis/tls).
CALLIS_OPTIONAL const char* tls_refusal(const ior::Ior& ior, const OrbContext* orb);

}  // namespace callis::orb
