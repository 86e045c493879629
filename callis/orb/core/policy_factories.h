// SPDX-License-Identifier: Apache-2.0
// How policies of a type are made, as register_policy_factory() was told.
#pragma once
#include <callis/orb/base/policy_management.h>

namespace callis::orb {

// nullptr for types that nothing makes. Any thread.
PolicyFactory find_policy_factory(CORBA::PolicyType type);

}  // namespace callis::orb
