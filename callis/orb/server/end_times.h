// SPDX-License-Identifier: Apache-2.0
// What servers do about the start and end times that clients tell (CORBA 3.0.3, 22.2.4): requests that come too late
// are not executed, and those that come too early are held. Programs without this feature execute both.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/feature.h>
#include <callis/classic/exception.h>
#include <memory>

CALLIS_FEATURE(end_times);

namespace callis::orb {

class OrbContext;
struct Options;

// Why a request with these INVOCATION_POLICIES is refused: its time has passed, or they cannot be read. nullptr: it
// is not.
CALLIS_OPTIONAL std::unique_ptr<CORBA::SystemException> refusal_of(const Options& options, ByteView policies);

// Waits on the calling thread until the RequestStartTime of these policies, if they have one, or until the ORB is
// shut down. False, without waiting: the start is later than a call may take; too many requests wait, as a client
// must not be able to hold all threads; or the thread may not wait, since it is the application's: a server's (not a
// caller's own), in the model single.
CALLIS_OPTIONAL bool hold(OrbContext& orb, ByteView policies, bool of_server);

}  // namespace callis::orb
