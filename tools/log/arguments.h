// SPDX-License-Identifier: Apache-2.0
// The command line of callis log.
#pragma once
#include <tools/ior/client_program.h>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace callis::logs {

struct Arguments {
  std::string command;                         // "ls", "tail", "query", "export"
  std::vector<std::string> words;              // behind it
  std::map<std::string, std::string> options;  // with their values; "" where one has none
  std::vector<std::string> orb;                // -ORBoption value ...
  std::string problem;                         // what is wrong; empty: nothing

  bool has(const std::string& option) const { return options.count(option) != 0; }
  std::string value(const std::string& option, const std::string& otherwise = {}) const;
};

Arguments read_arguments(int argc, char** argv);

// Of digits alone, not more than `most`.
std::optional<std::uint64_t> number_of(const std::string& text, std::uint64_t most);

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kUserException, tools::kSystemException;

}  // namespace callis::logs
