// SPDX-License-Identifier: Apache-2.0
// How tests wait for what another thread or process does and nothing tells of: they look, let others run, and look
// again.
#pragma once
#include <callis/base/clock.h>
#include <sched.h>

namespace callis::testing {

// Asks holds() until that is true, and returns true then. False: the time, far more than it takes, is over.
template <class Holds>
[[nodiscard]] bool soon(Holds&& holds, Duration longest = Duration(20'000)) {
  for (const Deadline deadline = Deadline::in(longest); !holds(); ::sched_yield())
    if (deadline.passed()) return holds();
  return true;
}

}  // namespace callis::testing
