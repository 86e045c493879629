// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace callis::typecode {

// Stands where a TypeCode's kind would. An offset follows, to where the same TypeCode stands already in the message
// (CORBA 3.3 part 2, 9.3.5).
inline constexpr std::uint32_t kIndirection = 0xffffffff;

}  // namespace callis::typecode
