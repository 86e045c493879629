// SPDX-License-Identifier: Apache-2.0
// Serves one accepted stream until it ends.
#pragma once
#include <callis/orb/server/session.h>
#include <callis/transport/stream.h>
#include <optional>

namespace callis::orb {

class OrbContext;

// What the pool needs to go on with a connection.
struct HandedOver {
  Conversation conversation;
  Buffer rest;  // bytes that have come and have not been served
};

// Never throws. Returns when the connection is over: the peer is gone, broke the protocol, or was idle or slow for
// too long; or the server stops. Also returns when the pool serves the connection from now on:
//   - during an upcall that lasts, or waits for a reply: the pool has the stream already, and `stream` is empty;
//   - between two messages: `handed_over` holds what the pool needs. The connection is idle while threads are short,
//     or a request says where its client listens, so that the connection becomes bidirectional.
void serve_stream(OrbContext& orb, std::unique_ptr<transport::Stream>& stream,
                  std::optional<HandedOver>& handed_over);

}  // namespace callis::orb
