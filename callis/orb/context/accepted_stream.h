// SPDX-License-Identifier: Apache-2.0
// What an optional library does with connections that the ORB has accepted at its own addresses.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(accepted_stream);

namespace callis::transport {
class Stream;
}

namespace callis::orb {

class OrbContext;

// Called once for each, by the thread that accepts, before the connection is served.
CALLIS_OPTIONAL void accepted(OrbContext& orb, transport::Stream& stream);

}  // namespace callis::orb
