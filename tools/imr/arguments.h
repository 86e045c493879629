// SPDX-License-Identifier: Apache-2.0
// The command line of callis imr, but for serve.
#pragma once
#include <services/imr/record.h>
#include <tools/ior/client_program.h>
#include <cstdint>
#include <string>
#include <vector>

namespace callis::imr {

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kSystemException;
inline constexpr std::uint16_t kPort = 2812;

struct Arguments {
  std::string command;            // add, ls, status, start, stop, rm, ior
  std::string repository;         // a reference; empty: the default one
  std::vector<std::string> names;
  std::vector<std::string> orb;   // -ORBoption value ...
  std::string type_id;            // of ior
  bool replace = false;           // of add
  Record record;                  // of add
};

extern const char kUsage[];

// $CALLIS_IMR, or the usual one of this host.
std::string default_repository();

// argv[1] is the command. Throws Failure{kWrongUsage}.
Arguments read_arguments(int argc, char** argv);

}  // namespace callis::imr
