// SPDX-License-Identifier: Apache-2.0
// The command line of callis trade.
#pragma once
#include <tools/ior/client_program.h>
#include <map>
#include <string>
#include <vector>

namespace callis::trade {

struct Arguments {
  std::string command;                                      // "types", "offer", ...
  std::vector<std::string> words;                           // behind it
  std::map<std::string, std::vector<std::string>> options;  // with their values; "" where one has none
  std::vector<std::string> orb;                             // -ORBoption value ...
  std::string problem;                                      // what is wrong; empty: nothing

  bool has(const std::string& option) const { return options.count(option) != 0; }
  // The last value.
  std::string value(const std::string& option, const std::string& otherwise = {}) const;
  std::vector<std::string> values(const std::string& option) const;
};

Arguments read_arguments(int argc, char** argv);

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kUserException, tools::kSystemException;

}  // namespace callis::trade
