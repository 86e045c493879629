// SPDX-License-Identifier: Apache-2.0
// The first word is the command; options may stand anywhere behind it.
#include <tools/ior/tree.h>
#include <tools/log/arguments.h>
#include <algorithm>
#include <charconv>

namespace callis::logs {

namespace {

struct Command {
  const char* name;
  std::size_t least, most;  // words behind it
  const char* options;      // of its own, with blanks around them; those with = have a value
};
constexpr Command kCommands[] = {
    {"ls", 0, 0, " --json "},
    {"tail", 0, 1, " --lines= --follow --level= --json "},
    {"query", 1, 2, " --most= --json "},
    {"export", 0, 2, " --most= "},
};

}  // namespace

std::string Arguments::value(const std::string& option, const std::string& otherwise) const {
  const auto found = options.find(option);
  return found == options.end() ? otherwise : found->second;
}

std::optional<std::uint64_t> number_of(const std::string& text, std::uint64_t most) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out > most) return {};
  return out;
}

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  const Command* command = nullptr;
  bool words_only = false;
  for (int i = 1; i < argc && out.problem.empty(); ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i < argc) return argv[i];
      out.problem = word + " needs a value";
      return {};
    };
    const std::string own = command ? command->options : " ";
    if (words_only || word.size() < 2 || word[0] != '-') {
      if (command) {
        out.words.push_back(word);
        continue;
      }
      command =
          std::find_if(std::begin(kCommands), std::end(kCommands), [&](const Command& c) { return word == c.name; });
      if (command == std::end(kCommands)) {
        out.problem = "there is no command '" + tools::escaped(word) + "'";
        return out;
      }
      out.command = word;
    } else if (word == "--") {
      words_only = true;
    } else if (word.starts_with("-ORB")) {
      out.orb.push_back(word);
      out.orb.push_back(value());
    } else if (word == "--timeout") {
      out.orb.push_back("-ORBCallTimeout");
      out.orb.push_back(value());
    } else if (word == "--service" || own.find(" " + word + "= ") != std::string::npos) {
      out.options[word] = value();
    } else if (own.find(" " + word + " ") != std::string::npos) {
      out.options[word] = "";
    } else {
      out.problem = "what is '" + tools::escaped(word) + "'?";
    }
  }
  if (!out.problem.empty()) return out;
  if (!command) {
    out.problem = "a command is missing";
  } else if (out.words.size() < command->least) {
    out.problem = out.command + " needs more words";
  } else if (out.words.size() > command->most) {
    out.problem = "what is '" + tools::escaped(out.words[command->most]) + "'?";
  }
  for (const char* const number : {"--lines", "--most", "--level"})
    if (out.problem.empty() && out.has(number) && !number_of(out.value(number), 8'000'000))
      out.problem =
          std::string(number) + " is a number up to 8000000, not '" + tools::escaped(out.value(number)) + "'";
  return out;
}

}  // namespace callis::logs
