// SPDX-License-Identifier: Apache-2.0
// Lines of the log for calls and their answers (docs/guide/logging.md). Feature call_log. Calls of ORBs whose log
// says less than debug know nothing of it: those of others are not plain, and have an InvocationObserver.
#pragma once
#include <callis/orb/base/features.h>
#include <callis/orb/client/client_interception.h>

namespace callis::orb {

// Logs calls, and lets inner, which may be nullptr, hear of them. Never destroyed, as calls may outlast their ORB's
// parts.
CALLIS_OPTIONAL ClientInterception* log_calls(ClientInterception* inner);

}  // namespace callis::orb
