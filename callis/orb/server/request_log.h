// SPDX-License-Identifier: Apache-2.0
// Lines of the log for requests and their replies, and for the addresses at which they may come
// (docs/guide/logging.md). Part of the feature call_log. If an ORB's log level is below debug, the way of its
// requests has no such code.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/context/server_request.h>
#include <callis/orb/options/transport.h>
#include <list>

CALLIS_FEATURE(request_log);

namespace callis::orb {

// Makes the handler that gets the requests in place of `handler`; returns `handler` itself if the log level is below
// debug. The ORB owns the result.
CALLIS_OPTIONAL RequestHandler* log_requests(OrbContext& orb, RequestHandler* handler);
// Logs the endpoints at which the ORB listens, and the addresses in its references. Without endpoints it listens at
// the usual one.
CALLIS_OPTIONAL void log_listening(std::span<const EndpointOption> endpoints,
                                   const std::list<EndpointAddress>& published);

}  // namespace callis::orb
