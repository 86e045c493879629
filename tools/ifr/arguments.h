// SPDX-License-Identifier: Apache-2.0
// The command lines of callis ifr feed, ls and show; that of serve is the frame's (services/common/program.h).
#pragma once
#include <idl/source/preprocess.h>
#include <string>
#include <vector>

namespace callis::ifr {

struct Arguments {
  enum class Command { Serve, Feed, List, Show };
  Command command = Command::Serve;  // and nothing else is read of it
  std::string reference;
  std::vector<std::string> words;  // behind it
  idl::source::PreprocessOptions preprocess;
  std::vector<std::string> orb;  // -ORBoption value ...
  std::string problem;           // what is wrong; empty: nothing
};

Arguments read_arguments(int argc, char** argv);

}  // namespace callis::ifr
