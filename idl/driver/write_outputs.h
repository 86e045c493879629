// SPDX-License-Identifier: Apache-2.0
// Writing generated files: all of them or none.
#pragma once
#include <idl/backends/backend.h>
#include <string>
#include <vector>

namespace callis::idl::driver {

// Writes each output into `directory`, which is made where it is missing. Every file is first
// written whole under a temporary name beside its place, then all are renamed; a reader never sees
// half a file, and a fault before the renames leaves the directory as it was. A file that has the
// same text already keeps its time stamp. Returns what went wrong, empty for success.
std::string write_outputs(const std::string& directory,
                          const std::vector<backends::Output>& outputs);

}  // namespace callis::idl::driver
