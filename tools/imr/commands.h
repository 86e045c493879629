// SPDX-License-Identifier: Apache-2.0
// What operators do.
#pragma once
#include <callis/corba.h>
#include <tools/imr/arguments.h>

namespace callis::imr {

// Does what the command says, and prints. Throws Failure, or system exceptions.
void run_command(CORBA::ORB_ptr orb, const Arguments& arguments);

}  // namespace callis::imr
