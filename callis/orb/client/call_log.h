// SPDX-License-Identifier: Apache-2.0
// Lines of the log for calls and their answers (docs/guide/logging.md). Part of the feature call_log. If an ORB's log
// level is debug or more, its calls are not plain and have an InvocationObserver. Calls of other ORBs are not
// affected.
#pragma once
#include <callis/orb/base/orb_features.h>
#include <callis/orb/client/client_interception.h>

namespace callis::orb {

// Logs calls, and passes each step on to inner, which may be nullptr. The result is never destroyed, as calls may
// outlast their ORB's parts.
CALLIS_OPTIONAL ClientInterception* log_calls(ClientInterception* inner);

}  // namespace callis::orb
