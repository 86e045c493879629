// SPDX-License-Identifier: Apache-2.0
// Every back end checks a transaction by these before it looks at the transaction.
#pragma once
#include <services/common/store.h>

namespace callis::services {

// Throws StoreFailed::TooLarge beyond the bounds in store.h, and std::invalid_argument if a key is put or erased more
// than once, or is empty.
void check(const Transaction& transaction);

// Returns the bytes of keys and values.
std::size_t size_of(const Transaction& transaction);

}  // namespace callis::services
