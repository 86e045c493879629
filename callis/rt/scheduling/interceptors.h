// SPDX-License-Identifier: Apache-2.0
// The interceptors by which an ORB's calls and upcalls are those of distributable threads.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>

namespace callis::rt::scheduling {

// The caller owns the results.
PortableInterceptor::ClientRequestInterceptor_ptr make_client_interceptor(std::shared_ptr<SchedulerState> state);
PortableInterceptor::ServerRequestInterceptor_ptr make_server_interceptor(std::shared_ptr<SchedulerState> state);

}  // namespace callis::rt::scheduling
