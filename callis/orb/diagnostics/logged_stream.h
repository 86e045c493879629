// SPDX-License-Identifier: Apache-2.0
// LoggedStream: a connection whose opening, end and messages are logged (docs/guide/logging.md). Part of the feature
// call_log. If an ORB's log level is below info, its connections are not logged streams, so they cost nothing.
#pragma once
#include <callis/base/feature.h>
#include <callis/transport/stream.h>

CALLIS_FEATURE(logged_stream);

namespace callis::orb {

enum class Opened : unsigned char { Here, There };  // by this process, or by the peer

// If the log level is info or more: logs that the stream is open, and puts a LoggedStream around it.
CALLIS_OPTIONAL void log_stream(std::unique_ptr<transport::Stream>& stream, Opened by);

}  // namespace callis::orb
