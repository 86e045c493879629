// SPDX-License-Identifier: Apache-2.0
// Texts about messages that a limit refuses: their size, the limit, and the option that sets the limit. Part of the
// feature explanations: other programs say LimitExceeded.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/log.h>
#include <callis/giop/connection.h>
#include <string>

CALLIS_FEATURE(limit_texts);

namespace callis::orb {

// "a message of 20971520 bytes, more than the limit of 16777216 (-ORBMaxMessageSize)".
CALLIS_OPTIONAL std::string text_of_excess(const giop::Connection::Excess& excess, const Limits& limits);

// A server's line in the log about a message that it refuses. rest: the bytes that have come and that GIOP has not
// used up, by which other protocols are told.
CALLIS_OPTIONAL void log_refused(std::string_view peer, Fault fault, const giop::Connection::Excess& excess,
                                 const Limits& limits, const ByteView& rest);

// The reason why a server refuses a connection.
CALLIS_OPTIONAL const char* text_of_full(bool of_one_peer);

// The log level for a peer that has met a limit: Warning, or Info if there was a warning about such a limit within
// the last minute.
enum class MetLimit : std::uint8_t { OfMessages, OfConnections };
CALLIS_OPTIONAL LogLevel level_of(MetLimit limit);

// The end of a connection, for which a limit may be the reason. The peer has answered with MessageError, or has sent
// a message beyond one of our limits, whose bytes are in `excess`. In all other cases the peer has closed the
// connection.
struct MetEnd {
  bool message_error;
  const giop::Connection::Excess& excess;
  const Limits& limits;
  const Buffer& sent;           // the last request,
  const cdr::Gather& gathered;  // and the parts of it that were not copied
};
// The words behind the peer's name: " answered with MessageError to a message of 12 bytes".
CALLIS_OPTIONAL std::string text_of(const MetEnd& end);

}  // namespace callis::orb
