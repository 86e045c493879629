// SPDX-License-Identifier: Apache-2.0
// Serves one accepted stream until it ends.
#pragma once
#include <callis/transport/stream.h>

namespace callis::orb {

class Core;

// Never throws. Returns when the peer is gone, broke the protocol, was idle or slow for too long, or the server stops.
void serve_stream(Core& core, transport::Stream& stream);

}  // namespace callis::orb
