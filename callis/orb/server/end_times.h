// SPDX-License-Identifier: Apache-2.0
// What servers do about the start and end times that clients tell (CORBA 3.0.3, 22.2.4): requests that come too late
// are not executed, and those that come too early are held. Programs without this feature execute both.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/classic/exception.h>
#include <memory>

CALLIS_FEATURE(end_times);

namespace callis::orb {

class OrbContext;
struct Options;

struct RequestTimes {
  // Why the request is refused: its time has passed, or what is told cannot be read. nullptr: it is not.
  std::unique_ptr<CORBA::SystemException> refusal;
  // What the upcall waits for; zero: nothing.
  TimePoint start{};
};

// Of a request with these INVOCATION_POLICIES, which has come now.
CALLIS_OPTIONAL RequestTimes times_of(const Options& options, ByteView policies);

// Waits on the calling thread until the start of a request, or until the ORB is shut down. False, without waiting:
// the start is later than a call may take; too many requests wait, as a client must not be able to hold all threads;
// or the thread is the application's, and may not wait.
CALLIS_OPTIONAL bool hold(OrbContext& orb, TimePoint start, bool may_wait);

}  // namespace callis::orb
