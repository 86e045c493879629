// SPDX-License-Identifier: Apache-2.0
// Small files that other programs read while they are written.
#pragma once
#include <string>

namespace callis::services {

// Replaces the file in one step: a reader sees the old text or the new one. All may read it (mode 0644). The text is
// first in a new file beside it, whose name nobody can know before, so that no link is followed and nothing is waited
// for. A name that is there and is no plain file (a folder, a FIFO, a device) is refused; a symbolic link is
// replaced. Throws std::runtime_error with path and reason; then the file is as it was. Any thread.
void write_file(const std::string& path, const std::string& text);

}  // namespace callis::services
