// SPDX-License-Identifier: Apache-2.0
// Calls whose arguments and results have a fixed size and need no check: their messages are written and read without
// Encoder and Decoder. Programs without this feature make such calls like all others.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/client/call.h>

CALLIS_FEATURE(flat_calls);

namespace callis::orb {

// Like call(), for plans that are client_is_flat. frame is the client's frame, for which body stands, too.
CALLIS_OPTIONAL void call_flat(Reference& target, const CallOperation& operation, CallBody& body,
                               const marshal::OperationPlans& plans, void* frame);

}  // namespace callis::orb
