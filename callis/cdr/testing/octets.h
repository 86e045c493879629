// SPDX-License-Identifier: Apache-2.0
// Octets written by hand, and the orders of bytes.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <vector>

namespace callis::cdr::testing {

using Octets = std::vector<Byte>;

inline constexpr ByteOrder kOrders[] = {ByteOrder::Big, ByteOrder::Little};

}  // namespace callis::cdr::testing
