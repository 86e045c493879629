// SPDX-License-Identifier: Apache-2.0
// The interceptors by which an ORB's calls and upcalls are those of distributable threads.
#pragma once
#include <callis/rt/scheduling/engine.h>

namespace callis::rt::scheduling {

// The caller owns the results.
PortableInterceptor::ClientRequestInterceptor_ptr make_client_interceptor(std::shared_ptr<Engine> engine);
PortableInterceptor::ServerRequestInterceptor_ptr make_server_interceptor(std::shared_ptr<Engine> engine);

}  // namespace callis::rt::scheduling
