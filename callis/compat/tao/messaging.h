// SPDX-License-Identifier: Apache-2.0
// Policies of calls: the OMG's, and TAO's own name for the time to connect.
#pragma once
#include <callis/messaging.h>
#include <tao/callis.h>

namespace TAO::inline callis_compat {

using Callis::CONNECTION_TIMEOUT_POLICY_TYPE;
using ConnectionTimeoutPolicy = Callis::ConnectionTimeoutPolicy;
using ConnectionTimeoutPolicy_ptr = Callis::ConnectionTimeoutPolicy_ptr;
using ConnectionTimeoutPolicy_var = Callis::ConnectionTimeoutPolicy_var;

}  // namespace TAO::inline callis_compat
