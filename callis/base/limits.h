// SPDX-License-Identifier: Apache-2.0
// Limits: every bound on what a peer may make this process do. All are on by default.
// docs/guide/limits.md is made from this file: the comment of a limit is its description.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace callis {

struct Limits {
  using Duration = std::chrono::milliseconds;

  // Messages
  std::size_t max_message_bytes = 16u << 20;       // an inbound message, all its fragments together
  std::size_t initial_message_bytes = 64u << 10;   // memory taken for a message when only its header has come; it
                                                   // grows with the bytes received
  std::uint32_t max_fragments = 0;                 // fragments of one message. 0: one for each 512 bytes of
                                                   // max_message_bytes, but at least 4,096
  std::uint32_t max_reassemblies = 16;             // messages whose fragments are being collected on one connection
                                                   // at a time
  std::uint32_t max_depth = 64;                    // levels of nesting in a message: a sequence, union, any, TypeCode
                                                   // or encapsulation is one level each; so is a value, unless it is
                                                   // a member of the value around it
  std::size_t decode_budget_factor = 4;            // a message may take memory when it is decoded: this factor x its
                                                   // bytes ...
  std::size_t decode_budget_base_bytes = 1u << 20; // ... plus this ...
  std::size_t decode_budget_max_bytes = 64u << 20; // ... but never more than this
  std::uint32_t max_service_contexts = 64;         // service contexts in one message
  std::uint32_t max_profiles = 64;                 // profiles in one IOR; also components in one profile
  std::size_t max_context_bytes = 64u << 10;       // bytes of one service context, profile or component

  // Connections
  std::uint32_t max_connections = 8192;           // inbound connections, of all peers together
  std::uint32_t max_connections_per_peer = 256;   // inbound connections from one peer: an IPv4 address, an IPv6
                                                  // network of 64 bits, or a user of a Unix-domain socket
  std::uint32_t max_connection_threads = 256;     // connections that have a thread each; connections beyond share
                                                  // those of the pool
  std::uint32_t max_pool_threads = 128;           // threads of the pool
  Duration thread_idle_timeout{10'000};           // a connection without requests keeps its thread for this long
                                                  // while all threads for connections are in use
  Duration idle_timeout{120'000};                 // an inbound connection without a request in progress is closed
                                                  // after this
  Duration bidirectional_idle_timeout{3'600'000}; // an inbound bidirectional connection is closed after this
                                                  // without a call either way
  Duration message_timeout{10'000};               // a message is complete this long after its first byte ...
  Duration message_timeout_per_mib{1'000};        // ... and this much more for each MiB of it
  Duration send_timeout{30'000};                  // a peer takes in one reply within this
  std::size_t max_queued_output_bytes = 16u << 20; // replies that wait for one peer of the pool to take them in; then
                                                   // the server reads no more of its requests
  std::uint32_t max_dispatches_per_connection = 256;  // upcalls and queued requests of one connection; then the
                                                      // server reads no more of it
  std::uint32_t max_dispatches = 4096;                // upcalls that run at a time, of all connections together;
                                                      // others wait

  // Process (the ORB made last, of those that set it, decides)
  std::size_t max_memory_bytes = 0;  // memory held for all peers together: input, messages in pieces, decoded values
                                     // beyond 256 KiB a message, replies not taken in. Beyond it, whoever holds most
                                     // is cut off. 0: 128 MiB, or a quarter of the memory there is

  // Calls (0 = no deadline, which must be asked for)
  Duration connect_timeout{5'000};                // opening a connection to one endpoint takes no longer
  Duration call_timeout{30'000};                  // a call takes no longer, connecting included
  std::uint32_t max_forwards = 10;                // LOCATION_FORWARD replies that one call follows

  // Decoded memory allowed for a message of message_bytes.
  std::size_t decode_budget(std::size_t message_bytes) const {
    if (message_bytes >= decode_budget_max_bytes) return decode_budget_max_bytes;
    const std::uint64_t b = std::uint64_t{message_bytes} * decode_budget_factor + decode_budget_base_bytes;
    return b < decode_budget_max_bytes ? static_cast<std::size_t>(b) : decode_budget_max_bytes;
  }
};

}  // namespace callis
