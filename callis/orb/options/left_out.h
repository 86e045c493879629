// SPDX-License-Identifier: Apache-2.0
// Transports that a program has been linked without.
#pragma once
#include <string_view>

namespace callis::orb {

// The feature that the program lacks for this endpoint of an option; nullptr if it lacks none.
const char* feature_for(std::string_view endpoint) noexcept;

}  // namespace callis::orb
