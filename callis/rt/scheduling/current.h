// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Current of one scheduler, and threads that are spawned.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>

namespace callis::rt::scheduling {

// The caller owns the result.
RTScheduling::Current_ptr make_current(std::shared_ptr<SchedulerState> state);

}  // namespace callis::rt::scheduling
