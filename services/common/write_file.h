// SPDX-License-Identifier: Apache-2.0
// Small files that other programs read while they are written.
#pragma once
#include <string>

namespace callis::services {

// Replaces the file in one step: a reader sees the old text or the new one. Throws std::runtime_error with path and
// reason; then the file is as it was.
void write_file(const std::string& path, const std::string& text);

}  // namespace callis::services
