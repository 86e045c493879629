// SPDX-License-Identifier: Apache-2.0
// Calls to objects of the caller's own ORB, as calls in general know them; part of the feature collocation
// (collocated.h).
#pragma once
#include <callis/orb/base/features.h>
#include <callis/orb/client/call.h>

namespace callis::orb {

// Through the object adapter, without a message. False, with nothing done, when the call has to go the other way.
// Throws what call() throws.
CALLIS_OPTIONAL bool call_through_adapter(Reference& target, const Path& path, const CallOperation& operation,
                                          CallBody& body);

}  // namespace callis::orb
