// SPDX-License-Identifier: Apache-2.0
// Start and end times that clients tell to servers (CORBA 3.0.3, 22.2.4). Late requests are not executed, and early
// requests are held. Programs without this feature execute both.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/feature.h>
#include <callis/classic/exception.h>
#include <memory>

CALLIS_FEATURE(end_times);

namespace callis::orb {

class OrbContext;
struct Options;

// The reason for refusing a request with these INVOCATION_POLICIES: its time has passed, or they cannot be read.
// nullptr if the request is not refused.
CALLIS_OPTIONAL std::unique_ptr<CORBA::SystemException> refusal_of(const Options& options, ByteView policies);

// Waits on the calling thread until the RequestStartTime of these policies, if they have one, or until the ORB is
// shut down. Returns false, without waiting, if the start is later than a call may take. Returns false also if too
// many requests wait, as a client must not be able to hold all threads. The same holds for an application's thread
// that serves in the model single (of_server): it may not wait.
CALLIS_OPTIONAL bool hold(OrbContext& orb, ByteView policies, bool of_server);

}  // namespace callis::orb
