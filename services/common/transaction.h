// SPDX-License-Identifier: Apache-2.0
// What all back ends ask of a transaction before they look at it.
#pragma once
#include <services/common/store.h>

namespace callis::services {

// Throws StoreFailed::TooLarge beyond the bounds in store.h, and std::invalid_argument where a key is put or erased
// more than once, or is empty.
void check(const Transaction& transaction);

// Keys and values, in bytes.
std::size_t size_of(const Transaction& transaction);

}  // namespace callis::services
