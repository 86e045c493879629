// SPDX-License-Identifier: Apache-2.0
// Direct calls: collocated ones that go from the stub's frame to the servant's thunk (orb/core/collocated.h).
// Part of the feature collocation.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/context/server_request.h>

CALLIS_FEATURE(direct);

namespace callis::poa {

class Dispatcher;

// Dispatcher::call_directly().
CALLIS_OPTIONAL bool call_directly(Dispatcher& dispatcher, const orb::DirectCall& call);

}  // namespace callis::poa
