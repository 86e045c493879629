// SPDX-License-Identifier: Apache-2.0
// ORBs and fork(). A child has its parent's memory and descriptors, and none of its threads.
//
// In the child the connections of its parent are not used: calls open new ones, and nothing is said or shut down on
// the old ones. What had its threads in the parent is gone: an ORB that listens cannot serve in the child, and says
// so (BAD_INV_ORDER, minor kForked). It can call, and be destroyed, which leaves the parent alone. An ORB that does
// not listen yet is as good in the child as in the parent.
//
// Feature forks: a program without it does not fork, or calls exec in its children.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(fork_handlers);

namespace callis::orb {

class Core;

// From now on, until forget_forks(). Throws std::bad_alloc.
CALLIS_OPTIONAL void follow_forks(Core& core);
CALLIS_OPTIONAL void forget_forks(Core& core) noexcept;

}  // namespace callis::orb
