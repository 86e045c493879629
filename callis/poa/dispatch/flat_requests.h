// SPDX-License-Identifier: Apache-2.0
// Requests whose arguments and results have a fixed size and need no check. They are only moved from the message to
// the servant's frame, and from the frame to the reply. They need neither Decoder nor Encoder, nor a ServerRequest.
// Programs without this feature serve such requests like all others.
#pragma once
#include <callis/base/feature.h>
#include <callis/poa/adapter/registry.h>
#include <callis/poa/servant/skeleton.h>

CALLIS_FEATURE(flat_requests);

namespace callis::poa {

// The plans of the operation, if its requests can be served so: for ServerRequest::Memo::flat.
CALLIS_OPTIONAL const marshal::OperationPlans* flat_plans(const Slot& slot, const SkeletonOperation& op) noexcept;

// Implements RequestHandler::handle_flat(), for a memo of this registry's adapters.
CALLIS_OPTIONAL bool serve_flat(Registry& registry, orb::FlatRequest& request) noexcept;

}  // namespace callis::poa
