// SPDX-License-Identifier: Apache-2.0
// The server's side of an ORB's interceptors.
#pragma once
#include <callis/interceptors/orb_interceptors.h>
#include <callis/orb/context/server_request.h>

namespace callis::interceptors {

// What is to stand in front of an object adapter; both are to outlive it.
std::unique_ptr<orb::RequestHandler> make_handler(OrbInterceptors& all, orb::RequestHandler& adapter);

}  // namespace callis::interceptors
