// SPDX-License-Identifier: Apache-2.0
// The command line of programs with several commands, as callis log, trade: COMMAND [WORD]... [--option [VALUE]]...
// The first word is the command; options may stand anywhere behind it, and those of the ORB and --timeout anywhere. A
// -- ends the options.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace callis::tools {

struct Command {
  const char* name;
  std::size_t least, most;  // words behind it
  const char* options;      // of its own, with blanks around them; those with = have a value: " --most= --json "
};

struct CommandLine {
  std::string command;
  std::vector<std::string> words;                           // behind it
  std::map<std::string, std::vector<std::string>> options;  // with their values; "" where one has none
  std::vector<std::string> orb;                             // -ORBoption value ...; --timeout is one of them
  std::string problem;                                      // what is wrong, made printable; empty: nothing

  bool has(const std::string& option) const { return options.count(option) != 0; }
  // The last value.
  std::string value(const std::string& option, const std::string& otherwise = {}) const;
  std::vector<std::string> values(const std::string& option) const;
};

// everywhere: an option with a value that may stand before the command, too, as "--service".
CommandLine read_command_line(std::span<const Command> commands, std::string_view everywhere, int argc, char** argv);

}  // namespace callis::tools
