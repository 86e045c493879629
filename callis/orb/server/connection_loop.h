// SPDX-License-Identifier: Apache-2.0
// Serves one accepted stream until it ends.
#pragma once
#include <callis/orb/server/session.h>
#include <callis/transport/stream.h>
#include <optional>

namespace callis::orb {

class OrbContext;

// What the pool needs to go on with a connection.
struct Left {
  Conversation conversation;
  Buffer rest;  // has come and not been served
};

// Never throws. Returns when the peer is gone, broke the protocol, was idle or slow for too long, or the server
// stops; or when the pool has gone on: an upcall has lasted, and stream is empty; or, with something in `left`, when
// the pool is to go on: the connection is idle and threads are short, or requests are to go both ways.
void serve_stream(OrbContext& orb, std::unique_ptr<transport::Stream>& stream, std::optional<Left>& left);

}  // namespace callis::orb
