// SPDX-License-Identifier: Apache-2.0
// What callis/imr.h calls.
#pragma once

namespace callis::imr {

// Lets ORBs that are made from now on know -ORBIMR and -ORBServerId. Returns true, always.
bool use();

}  // namespace callis::imr
