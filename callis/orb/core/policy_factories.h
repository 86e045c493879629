// SPDX-License-Identifier: Apache-2.0
// The factories that register_policy_factory() was given.
#pragma once
#include <callis/orb/base/policy_management.h>

namespace callis::orb {

// nullptr for types without a factory. Any thread may call.
PolicyFactory find_policy_factory(CORBA::PolicyType type);

}  // namespace callis::orb
