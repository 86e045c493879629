// SPDX-License-Identifier: Apache-2.0
// Alone, since the programs of callis have errors of their own for what it throws.
#pragma once
#include <callis/corba.h>
#include <string>
#include <vector>

namespace callis::programs {

// Calls ORB_init with these options (-ORBoption value ..., and of clients --tls DIR), before threads start. The
// caller says why a failure happened: the ORB does not log the reason. Throws SiteFailed, too (site.h).
CORBA::ORB_var init_orb(std::vector<std::string> options, const char* id = "");

}  // namespace callis::programs
