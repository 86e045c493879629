// SPDX-License-Identifier: Apache-2.0
// The command line of callis trade.
#pragma once
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

inline constexpr int kCannot = 1, kWrongUsage = 2, kUserException = 3, kSystemException = 4;

// Ends the program.
struct Failure {
  int status;
  std::string text;
};

}  // namespace callis::trade
