// SPDX-License-Identifier: Apache-2.0
// What has come of each IDL file, and what build tools want to know of it.
#pragma once
#include <idl/backends/backend.h>
#include <idl/driver/arguments.h>
#include <string>
#include <vector>

namespace callis::idl::driver {

// Of one IDL file.
struct Result {
  std::string file;
  std::vector<std::string> inputs;  // files read, itself first; not those that are built in
  std::vector<backends::Output> outputs;
};

// The outputs with their directory.
std::vector<std::string> output_paths(const Arguments& arguments, const Result& result);

// What -MD and -MF ask for: names and texts of depfiles.
std::vector<backends::Output> depfiles(const Arguments& arguments, const std::vector<Result>& results);

// For --emit deps; docs/guide/idl-json.md is its reference.
std::string dependencies(const Arguments& arguments, const std::vector<Result>& results);

}  // namespace callis::idl::driver
