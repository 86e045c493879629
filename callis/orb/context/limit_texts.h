// SPDX-License-Identifier: Apache-2.0
// What is said about messages that a limit refuses: their size, the limit, and the option that sets it. Feature
// explanations: programs without it say LimitExceeded.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/log.h>
#include <callis/giop/connection.h>
#include <string>

CALLIS_FEATURE(limit_texts);

namespace callis::orb {

// "a message of 20971520 bytes, more than the limit of 16777216 (-ORBMaxMessageSize)".
CALLIS_OPTIONAL std::string text_of_excess(const giop::Connection::Excess& excess, const Limits& limits);

// A server's line about that.
CALLIS_OPTIONAL void log_excess(std::string_view peer, const giop::Connection::Excess& excess, const Limits& limits);

// Why a connection is not taken.
CALLIS_OPTIONAL const char* text_of_full(bool of_one_peer);

// How a server logs that a peer has met a limit: Warning, or Info where there was a warning about such a limit within
// the last minute.
enum class MetLimit : std::uint8_t { OfMessages, OfConnections };
CALLIS_OPTIONAL LogLevel level_of(MetLimit limit);

// How a connection to a peer has ended that a limit may have to do with.
struct MetEnd {
  bool message_error;                      // or a message beyond a limit of ours, where `excess` has its bytes
  const giop::Connection::Excess& excess;  // or neither: the peer has closed it
  const Limits& limits;
  const Buffer& sent;  // the request sent last
  const cdr::Gather& gathered;
};
// Behind the peer's name: " answered with MessageError to a message of 12 bytes".
CALLIS_OPTIONAL std::string text_of(const MetEnd& end);

}  // namespace callis::orb
