// SPDX-License-Identifier: Apache-2.0
// The command line of callis ifr.
#pragma once
#include <idl/source/preprocess.h>
#include <string>
#include <vector>

namespace callis::ifr {

struct Arguments {
  enum class Command { Serve, Feed, List, Show };
  Command command = Command::Serve;
  std::string store, ior_file;     // of serve; empty: none
  std::string reference;           // of the others
  std::vector<std::string> words;  // behind it
  idl::source::PreprocessOptions preprocess;
  std::vector<std::string> orb;  // -ORBoption value ...
  std::string problem;           // what is wrong; empty: nothing
};

Arguments read_arguments(int argc, char** argv);

}  // namespace callis::ifr
