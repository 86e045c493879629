// SPDX-License-Identifier: Apache-2.0
// The dependencies of generated files, for make, ninja and CMake's DEPFILE.
#pragma once
#include <string>
#include <vector>

namespace callis::idl::driver {

// "targets: files" in the syntax of make. Blanks, `#` and `$` in names are escaped. With `phony`, each file but the
// first also has a rule without commands, so that make does not stop when one is gone.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& files,
                    bool phony = false);

}  // namespace callis::idl::driver
