// SPDX-License-Identifier: Apache-2.0
// Calls to objects of the caller's own ORB, for call.cpp. Part of the feature collocation (collocated.h).
#pragma once
#include <callis/orb/base/orb_features.h>
#include <callis/orb/client/call.h>

namespace callis::orb {

// Makes the call through the object adapter, without a message. Returns false, and has done nothing, if the call has
// to go as a message. Throws as call() does.
CALLIS_OPTIONAL bool call_through_adapter(Reference& target, const Path& path, const CallOperation& operation,
                                          CallBody& body);

}  // namespace callis::orb
