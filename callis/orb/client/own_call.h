// SPDX-License-Identifier: Apache-2.0
// What call.cpp needs of calls to objects of the caller's own ORB. Part of the feature collocation (collocated.h).
#pragma once
#include <callis/orb/base/features.h>
#include <callis/orb/client/call.h>

namespace callis::orb {

// Makes the call through the object adapter, without a message. Returns false, and has done nothing, when the call
// has to go as a message. Throws what call() throws.
CALLIS_OPTIONAL bool call_through_adapter(Reference& target, const Path& path, const CallOperation& operation,
                                          CallBody& body);

}  // namespace callis::orb
