// SPDX-License-Identifier: Apache-2.0
// Criteria (Life Cycle Service 1.2, 2.3.3): what factories are asked for beside the kind of the object.
#pragma once
#include <callis/corba.h>
#include <string>
#include "CosLifeCycle.h"

namespace callis::life_cycle {

// The value of "initialization"; of tk_null where there is none. "filter", "logical location" and "preferences" are
// criteria that no home here meets: CannotMeetCriteria with them. Others: InvalidCriteria with them.
CORBA::Any initialization_in(const CosLifeCycle::Criteria& criteria);
// The same, where an object that is there brings its own state: "initialization" cannot be met.
void check_for_move(const CosLifeCycle::Criteria& criteria);

// For an object, or a transfer: differs from all others. NO_RESOURCES where the system has no random numbers.
std::string new_identity();
inline constexpr std::size_t kIdentityBytes = 32;

}  // namespace callis::life_cycle
