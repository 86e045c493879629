// SPDX-License-Identifier: Apache-2.0
// Limits: every bound on what a peer may make this process do. All are on by default.
// docs/guide/limits.md is made from this file: one line a limit, the comment is its description.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace callis {

struct Limits {
  using Duration = std::chrono::milliseconds;

  // Messages
  std::size_t max_message_bytes = 16u << 20;       // one inbound message, counted over all its fragments
  std::size_t initial_message_bytes = 64u << 10;   // committed on a header alone; grows with bytes received
  std::uint32_t max_fragments = 4096;              // fragments of one message: the above in 4 KiB pieces
  std::uint32_t max_reassemblies = 16;             // messages being reassembled at once on a connection
  std::uint32_t max_depth = 64;                    // nesting: sequences, unions, anys, TypeCodes, encapsulations; values, but for members of values
  std::size_t decode_budget_factor = 4;            // decoded memory of a message: factor x its bytes ...
  std::size_t decode_budget_base_bytes = 1u << 20; // ... plus this ...
  std::size_t decode_budget_max_bytes = 64u << 20; // ... but never more than this
  std::uint32_t max_service_contexts = 64;         // in one message
  std::uint32_t max_profiles = 64;                 // in one IOR, and components in one profile
  std::size_t max_context_bytes = 64u << 10;       // one service context, profile or component

  // Connections
  std::uint32_t max_connections = 8192;           // inbound, over all peers
  std::uint32_t max_connections_per_peer = 256;   // inbound, from one address; IPv6: from one network of 64 bits; unix: from one user
  std::uint32_t max_connection_threads = 256;     // connections with a thread each; those beyond share the pool's
  std::uint32_t max_pool_threads = 128;           // threads of the pool
  Duration thread_idle_timeout{10'000};           // while these are used up: of a connection, then its thread ends
  Duration idle_timeout{120'000};                 // inbound, with no request in progress
  Duration bidirectional_idle_timeout{3'600'000}; // inbound, agreed to go both ways, with no call either way
  Duration message_timeout{10'000};               // to complete a message once its first byte is here ...
  Duration message_timeout_per_mib{1'000};        // ... and this much more for each MiB
  Duration send_timeout{30'000};                  // for a peer to take in one reply
  std::size_t max_queued_output_bytes = 16u << 20; // for one peer of the pool's to take in; then reading stops
  std::uint32_t max_dispatches_per_connection = 256;  // upcalls and queued requests; then reading stops
  std::uint32_t max_dispatches = 4096;                // over all connections

  // Process (the ORB made last, of those that set it, decides)
  std::size_t max_memory_bytes = 0;  // held for peers, over all connections: input, messages in pieces, decoded values beyond 256 KiB a message, replies not taken in; then who holds most is cut off. 0: 128 MiB, or a quarter of the memory there is

  // Calls (0 = no deadline, which must be asked for)
  Duration connect_timeout{5'000};                // to open a connection to one endpoint
  Duration call_timeout{30'000};                  // a whole call, connecting included
  std::uint32_t max_forwards = 10;                // LOCATION_FORWARD replies followed for one call

  // Decoded memory allowed for a message of message_bytes.
  std::size_t decode_budget(std::size_t message_bytes) const {
    if (message_bytes >= decode_budget_max_bytes) return decode_budget_max_bytes;
    std::size_t b = message_bytes * decode_budget_factor + decode_budget_base_bytes;
    return b < decode_budget_max_bytes ? b : decode_budget_max_bytes;
  }
};

}  // namespace callis
