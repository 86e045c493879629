// SPDX-License-Identifier: Apache-2.0
// Where the programs take a reference from.
#pragma once
#include <string>

namespace callis::tools {

// The text of a reference: the argument itself, or the first line that looks like one of a file (FILE or @FILE) or of
// the standard input (-). False: there is none, and `problem` says why.
bool read_reference(const std::string& argument, std::string& text, std::string& problem);

}  // namespace callis::tools
