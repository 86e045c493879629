// SPDX-License-Identifier: Apache-2.0
// The dependencies of generated files, for make, ninja and CMake's DEPFILE.
#pragma once
#include <string>
#include <vector>

namespace callis::idl::driver {

// "targets: files" in the syntax of make. Blanks, `#` and `$` in names are escaped.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& files);

}  // namespace callis::idl::driver
