// SPDX-License-Identifier: Apache-2.0
// RTScheduling::ResourceManager: a lock whose holder inherits the urgency of those that wait for it. As
// RTCORBA::Mutex, but known to the scheduler. It is bound to the thread that locks it, inside or outside segments.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>

namespace callis::rt::scheduling {

// ceiling: its holder is that urgent at least; nullptr: none. The caller owns the result.
//
// lock(), try_lock(): BAD_INV_ORDER where the thread holds it already; THREAD_CANCELLED, then it is not held.
// try_lock(): waits for at most max_wait, in units of 100 ns; false: it is not held. unlock(): BAD_INV_ORDER where
// the thread does not hold it.
RTScheduling::ResourceManager_ptr make_resource_manager(std::shared_ptr<SchedulerState> state, std::string name,
                                                        ParameterPtr ceiling);

}  // namespace callis::rt::scheduling
