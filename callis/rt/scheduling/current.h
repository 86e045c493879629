// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Current of one scheduler and one ORB, and threads that are spawned.
#pragma once
#include <callis/rt.h>
#include <callis/rt/scheduling/scheduler_state.h>

namespace callis::rt::scheduling {

// The caller owns the result.
RTScheduling::Current_ptr make_current(std::shared_ptr<SchedulerState> state);
// Tells the current where the priorities of the ORB's threads are. Called before any thread may use the current.
// Nothing happens if make_current() has not made the current.
void set_priorities(RTScheduling::Current_ptr current, RTCORBA::Current_ptr of_the_orb);

}  // namespace callis::rt::scheduling
