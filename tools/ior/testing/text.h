// SPDX-License-Identifier: Apache-2.0
// Looks for parts of what the tools say.
#pragma once
#include <string>
#include <string_view>

namespace callis::tools::testing {

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace callis::tools::testing
