// SPDX-License-Identifier: Apache-2.0
// A function of an optional library for connections that the ORB has accepted at its own addresses.
#pragma once
#include <atomic>

namespace callis::transport {
class Stream;
}

namespace callis::orb {

class OrbContext;

// Called once for each connection, by the thread that accepts, before the connection is served.
using AcceptedStream = void (*)(OrbContext& orb, transport::Stream& stream);
// Set once, by the library; nullptr if there is none.
extern std::atomic<AcceptedStream> accepted_stream;

}  // namespace callis::orb
