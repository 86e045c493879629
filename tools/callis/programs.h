// SPDX-License-Identifier: Apache-2.0
// The programs behind `callis X`: executables named callis-X, beside the dispatcher or in PATH.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::tools {

// Directories to look in, in order: that of the running executable, then those of `path` (the form
// of PATH). Entries that are empty or relative are left out: they would mean the working directory.
std::vector<std::string> search_directories(const std::string& own_directory,
                                            std::string_view path);

// The file to run for `callis name`; nothing where there is none. `name` is letters, digits, `-`
// and `_`: nothing that leads out of a directory is looked for.
std::optional<std::string> find_program(const std::vector<std::string>& directories,
                                        std::string_view name);

// All X of callis-X, sorted, each once.
std::vector<std::string> list_programs(const std::vector<std::string>& directories);

}  // namespace callis::tools
