// SPDX-License-Identifier: Apache-2.0
// Alone, since caller.cpp is also linked without plan_heap.cpp and asks for nothing then.
#pragma once
#include <string>

namespace bench {

// "plans OPERATION=BYTES ...": what the plans that were built take of the heap.
[[gnu::weak]] std::string plan_heap();

}  // namespace bench
