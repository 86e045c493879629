// SPDX-License-Identifier: Apache-2.0
// RTScheduling::ResourceManager: a lock whose holder inherits the urgency of the threads that wait. It works as
// RTCORBA::Mutex, but the scheduler knows of it. The lock belongs to the thread that has locked it, inside or outside
// segments.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>

namespace callis::rt::scheduling {

// ceiling: the holder is at least as urgent; nullptr: none. The caller owns the result.
//
// lock() and try_lock() raise BAD_INV_ORDER if the thread holds the lock already. After THREAD_CANCELLED the thread
// does not hold the lock. try_lock() waits for at most max_wait, in units of 100 ns, and then returns false. unlock()
// raises BAD_INV_ORDER if the thread does not hold the lock.
RTScheduling::ResourceManager_ptr make_resource_manager(std::shared_ptr<SchedulerState> state, std::string name,
                                                        ParameterPtr ceiling);

}  // namespace callis::rt::scheduling
