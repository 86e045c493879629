// SPDX-License-Identifier: Apache-2.0
// Serves one accepted stream until it ends.
#pragma once
#include <callis/orb/session.h>
#include <callis/transport/stream.h>
#include <optional>

namespace callis::orb {

class Core;

// Never throws. Returns when the peer is gone, broke the protocol, was idle or slow for too long, or the server stops;
// or, with the conversation in `kept`, when the connection is idle and threads are short: the pool is to go on.
void serve_stream(Core& core, transport::Stream& stream, std::optional<Conversation>& kept);

}  // namespace callis::orb
