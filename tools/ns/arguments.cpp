// SPDX-License-Identifier: Apache-2.0
// The first word is the command; options may stand anywhere behind it.
#include <callis/base/text.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>
#include <tools/ns/arguments.h>
#include <algorithm>

namespace callis::ns {

namespace {

struct Command {
  const char* name;
  std::size_t least, most;  // words behind it
  const char* options;      // those of its own, with blanks around them
};
constexpr Command kCommands[] = {
    {"ls", 0, 1, " -r -l "},          {"tree", 0, 1, " -l "}, {"bind", 2, 2, " --context "},
    {"rebind", 2, 2, " --context "},  {"unbind", 1, 1, " "},  {"resolve", 1, 1, " "},
    {"mkdir", 1, 1, " -p "},          {"rm", 1, 1, " -r "},   {"export", 0, 1, " "},
    {"import", 1, 1, " --into --replace "}, {"watch", 0, 1, " --interval --once "},
    {"orphans", 0, 0, " --remove --with-bindings --older-than "},
};

const Command* find(const std::string& name) {
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command& c) { return name == c.name; });
  return found == std::end(kCommands) ? nullptr : &*found;
}

// The option without a value that the word is; nullptr: none.
bool* flag(Arguments& out, const std::string& word) {
  if (word == "-r") return &out.recursive;
  if (word == "-l") return &out.details;
  if (word == "-p") return &out.parents;
  if (word == "--context") return &out.context;
  if (word == "--replace") return &out.replace;
  if (word == "--once") return &out.once;
  if (word == "--remove") return &out.remove;
  if (word == "--with-bindings") return &out.with_bindings;
  return nullptr;
}

}  // namespace

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  const Command* command = nullptr;
  for (int i = 1; i < argc && out.problem.empty(); ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i < argc) return argv[i];
      out.problem = word + " needs a value";
      return {};
    };
    const bool own = command && std::string(command->options).find(" " + word + " ") != std::string::npos;
    if (word.size() < 2 || word[0] != '-') {
      if (command) {
        out.words.push_back(word);
      } else if ((command = find(word))) {
        out.command = word;
      } else {
        out.problem = "there is no command '" + programs::escaped(word) + "'";
      }
    } else if (programs::is_orb_option(word)) {
      out.orb.push_back(word);
      out.orb.push_back(value());
    } else if (word == "--name-service") {
      out.name_service = value();
    } else if (word == "--timeout") {
      out.orb.push_back("-ORBCallTimeout");
      out.orb.push_back(value());
    } else if (own && word == "--into") {
      out.into = value();
    } else if (own && word == "--interval") {
      if (!parse_decimal(value(), 3'600'000, out.interval_ms) || out.interval_ms == 0)
        out.problem = "--interval takes milliseconds, from 1 to 3600000";
    } else if (own && word == "--older-than") {
      if (!parse_decimal(value(), 1'000'000'000, out.older_than_s))
        out.problem = "--older-than takes seconds, up to 1000000000";
    } else if (bool* const given = own ? flag(out, word) : nullptr) {
      *given = true;
    } else {
      out.problem = programs::unknown_word(word);
    }
  }
  if (!out.problem.empty()) return out;
  if (!command) {
    out.problem = "a command is missing";
  } else if (!out.remove && (out.with_bindings || out.older_than_s != 0)) {
    out.problem = "--with-bindings and --older-than say what --remove removes";
  } else if (out.words.size() < command->least) {
    out.problem = out.command + (command->least == 2 ? " takes a name and a reference" : " needs a name, or a file");
  } else if (out.words.size() > command->most) {
    out.problem = programs::unknown_word(out.words[command->most]);
  }
  return out;
}

}  // namespace callis::ns
