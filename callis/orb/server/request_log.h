// SPDX-License-Identifier: Apache-2.0
// Lines of the log for requests and their replies, and for where they may come (docs/guide/logging.md). Feature
// call_log. ORBs whose log says less than debug have nothing of it on the way of a request.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/context/server_request.h>
#include <callis/orb/options/transport.h>
#include <list>

CALLIS_FEATURE(request_log);

namespace callis::orb {

// What is to get the requests in place of handler: handler itself where the log says less than debug. The ORB owns
// it.
CALLIS_OPTIONAL RequestHandler* log_requests(OrbContext& orb, RequestHandler* handler);
// What the ORB listens at, and what its references carry for that; no endpoints: the usual one.
CALLIS_OPTIONAL void log_listening(std::span<const EndpointOption> endpoints,
                                   const std::list<EndpointAddress>& published);

}  // namespace callis::orb
