// SPDX-License-Identifier: Apache-2.0
// What callis events {push,pull,watch,ls,names,forget} do. Each returns the program's exit status.
#pragma once
#include <tools/events/arguments.h>

namespace callis::events {

int run_client(const Arguments& arguments);

}  // namespace callis::events
