// SPDX-License-Identifier: Apache-2.0
// The first word is the command, if it is one; options may stand anywhere.
#include <tools/ifr/arguments.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>

namespace callis::ifr {

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  std::vector<std::string> words;
  const std::string word_one = argc > 1 ? argv[1] : "";
  if (word_one == "feed" || word_one == "ls" || word_one == "show" || word_one == "serve") {
    out.command = word_one == "feed"   ? Arguments::Command::Feed
                  : word_one == "ls"   ? Arguments::Command::List
                  : word_one == "show" ? Arguments::Command::Show
                                       : Arguments::Command::Serve;
  }
  if (out.command == Arguments::Command::Serve) return out;
  for (int i = 2; i < argc && out.problem.empty(); ++i) {
    const std::string word = argv[i];
    const auto value = [&](const char* name) -> std::string {
      if (++i < argc) return argv[i];
      out.problem = std::string(name) + " needs a value";
      return {};
    };
    // -IDIR or -I DIR
    const auto attached = [&](const char* name) { return word.size() > 2 ? word.substr(2) : value(name); };
    if (word.size() < 2 || word[0] != '-') {
      words.push_back(word);
    } else if (programs::is_orb_option(word)) {
      out.orb.push_back(word);
      out.orb.push_back(value(word.c_str()));
    } else if (word.starts_with("-I") && out.command == Arguments::Command::Feed) {
      out.preprocess.include_dirs.push_back(attached("-I"));
    } else if (word.starts_with("-D") && out.command == Arguments::Command::Feed) {
      out.preprocess.defines.push_back(attached("-D"));
    } else if (word.starts_with("-U") && out.command == Arguments::Command::Feed) {
      out.preprocess.undefines.push_back(attached("-U"));
    } else {
      out.problem = programs::unknown_word(word);
    }
  }
  if (!out.problem.empty()) return out;
  if (words.empty()) {
    out.problem = "the reference of the repository is missing";
    return out;
  }
  out.reference = words[0];
  out.words.assign(words.begin() + 1, words.end());
  if (out.command == Arguments::Command::Feed && out.words.empty()) out.problem = "an IDL file is missing";
  if (out.command == Arguments::Command::List && out.words.size() > 1) out.problem = "one name at a time";
  return out;
}

}  // namespace callis::ifr
