// SPDX-License-Identifier: Apache-2.0
// The server's side of an ORB's interceptors.
#pragma once
#include <callis/interceptors/orb_interceptors.h>
#include <callis/orb/context/server_request.h>

namespace callis::interceptors {

// Returns a handler to stand in front of an object adapter. Interceptors and adapter must outlive the handler.
std::unique_ptr<orb::RequestHandler> make_handler(OrbInterceptors& all, orb::RequestHandler& adapter);

}  // namespace callis::interceptors
