// SPDX-License-Identifier: Apache-2.0
// ORBs and fork(). A child has its parent's memory and descriptors, and none of its threads.
//
// The child does not use the connections of its parent: calls open new connections, and nothing is sent or shut down
// on the old ones. Threads of the parent are gone in the child. So an ORB that listens cannot serve in the child, and
// says so (BAD_INV_ORDER, minor kForked). Such an ORB can call, and can be destroyed, which does not disturb the
// parent. An ORB that does not listen yet works in the child as in the parent.
//
// Part of the feature forks. A program without this feature does not fork, or calls exec in its children.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(fork_handlers);

namespace callis::orb {

class Core;

// The ORB follows forks from now on, until forget_forks(). Throws std::bad_alloc.
CALLIS_OPTIONAL void follow_forks(Core& core);
CALLIS_OPTIONAL void forget_forks(Core& core) noexcept;

}  // namespace callis::orb
