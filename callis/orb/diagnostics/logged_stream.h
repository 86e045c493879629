// SPDX-License-Identifier: Apache-2.0
// LoggedStream: a connection whose opening, end and messages are logged (docs/guide/logging.md). Feature call_log.
// Connections of ORBs whose log says less than info are none of these, so they cost nothing.
#pragma once
#include <callis/base/feature.h>
#include <callis/transport/stream.h>

CALLIS_FEATURE(logged_stream);

namespace callis::orb {

enum class Opened : unsigned char { Here, There };  // by this process, or by the peer

// Where the log says info or more: logs that the stream is open, and puts one around it.
CALLIS_OPTIONAL void log_stream(std::unique_ptr<transport::Stream>& stream, Opened by);

}  // namespace callis::orb
