// SPDX-License-Identifier: Apache-2.0
// Transports that a program has been linked without.
#pragma once
#include <string_view>

namespace callis::orb {

// The feature that the program lacks for this endpoint, as an option has it; nullptr for none.
const char* feature_for(std::string_view endpoint) noexcept;

}  // namespace callis::orb
