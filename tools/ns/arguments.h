// SPDX-License-Identifier: Apache-2.0
// The command line of callis ns.
#pragma once
#include <tools/ior/client_program.h>
#include <cstdint>
#include <string>
#include <vector>

namespace callis::ns {

struct Arguments {
  std::string command;             // "ls", "tree", ...
  std::vector<std::string> words;  // behind it
  std::string name_service;        // empty: -ORBInitRef NameService, or localhost:2809
  std::string into;                // import
  bool recursive = false, details = false, context = false, parents = false, replace = false, once = false;
  bool remove = false, with_bindings = false;  // orphans
  std::uint64_t interval_ms = 1000;  // watch
  std::uint64_t older_than_s = 0;    // orphans
  std::vector<std::string> orb;      // -ORBoption value ...
  std::string problem;               // what is wrong; empty: nothing
};

Arguments read_arguments(int argc, char** argv);

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kUserException, tools::kSystemException;

}  // namespace callis::ns
