// SPDX-License-Identifier: Apache-2.0
// The command lines of callis call, describe, bridge and browse.
#pragma once
#include <idl/source/preprocess.h>
#include <cstdint>
#include <string>
#include <vector>

namespace callis::tools {

enum class Command : unsigned char { Call, Describe, Bridge, Browse };

struct Arguments {
  std::string reference;
  std::vector<std::string> more_references;  // of bridge and browse
  std::string operation;                     // of call
  std::vector<std::string> arguments;  // the words behind the operation
  std::vector<std::string> idl;        // none: types come from an Interface Repository
  std::string ifr;                     // its reference; empty: the initial one, or what the object says
  idl::source::PreprocessOptions preprocess;
  std::string interface;
  std::vector<std::string> orb;  // -ORBoption value ...
  std::uint64_t timeout_ms = 0;  // 0: not said
  std::uint64_t repeat = 1;
  bool oneway = false;
  bool pretty = false;
  std::uint64_t references = 10'000;  // of bridge
  std::vector<std::string> only_interfaces;  // of bridge
  std::uint64_t port = 0;             // of browse; 0: the kernel chooses
  std::string problem;  // what is wrong; empty: nothing
};

Arguments read_arguments(int argc, char** argv, Command command);

}  // namespace callis::tools
