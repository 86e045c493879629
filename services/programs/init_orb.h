// SPDX-License-Identifier: Apache-2.0
// Alone, since the programs of callis have errors of their own for what it throws.
#pragma once
#include <callis/corba.h>
#include <string>
#include <vector>

namespace callis::programs {

// ORB_init with these options (-ORBoption value ...). Who calls it says why it has failed: the ORB does not log that.
// Before threads start.
CORBA::ORB_var init_orb(std::vector<std::string> options, const char* id = "");

}  // namespace callis::programs
