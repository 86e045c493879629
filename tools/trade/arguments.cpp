// SPDX-License-Identifier: Apache-2.0
// The first word is the command; options may stand anywhere behind it.
#include <tools/ior/tree.h>
#include <tools/trade/arguments.h>
#include <algorithm>

namespace callis::trade {

namespace {

struct Command {
  const char* name;
  std::size_t least, most;  // words behind it
  const char* options;      // of its own, with blanks around them; those with = have a value
};
constexpr std::size_t kAny = 10'000;
constexpr Command kCommands[] = {
    {"types", 0, kAny, " --interface= --super= --all "},
    {"offer", 2, kAny, " --proxy= --match-all "},
    {"modify", 1, kAny, " --delete= "},
    {"show", 1, 1, " "},
    {"ls", 0, 0, " --proxies "},
    {"query", 1, 2,
     " --prefer= --properties= --most= --exact --follow= --hops= --policy= --via= --references --json "},
    {"withdraw", 1, kAny, " --type= "},
    {"link", 0, 3, " --pass-on= --limit= "},
    {"settings", 0, kAny, " "},
};

}  // namespace

std::string Arguments::value(const std::string& option, const std::string& otherwise) const {
  const auto found = options.find(option);
  return found == options.end() ? otherwise : found->second.back();
}

std::vector<std::string> Arguments::values(const std::string& option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>() : found->second;
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
    } else if (word == "--trader" || own.find(" " + word + "= ") != std::string::npos) {
      out.options[word].push_back(value());
    } else if (own.find(" " + word + " ") != std::string::npos) {
      out.options[word].push_back("");
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
  return out;
}

}  // namespace callis::trade
