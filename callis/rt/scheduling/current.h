// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Current of one scheduler, and threads that are spawned.
#pragma once
#include <callis/rt/scheduling/engine.h>

namespace callis::rt::scheduling {

// The caller owns the result.
RTScheduling::Current_ptr make_current(std::shared_ptr<Engine> engine);

}  // namespace callis::rt::scheduling
