// SPDX-License-Identifier: Apache-2.0
// How tests wait for what another thread or process does and nothing tells of: they look, let others run, and look
// again.
#pragma once
#include <callis/base/clock.h>
#include <sched.h>

namespace callis::testing {

// Whether it comes to hold: it is asked until it does. False: it did not within the time, far more than it takes.
template <class Holds>
[[nodiscard]] bool soon(Holds&& holds, Duration longest = Duration(20'000)) {
  for (const Deadline deadline = Deadline::in(longest); !holds(); ::sched_yield())
    if (deadline.passed()) return holds();
  return true;
}

}  // namespace callis::testing
