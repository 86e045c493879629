// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace callis::services {

// With the quotes around it. What is not UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

}  // namespace callis::services
