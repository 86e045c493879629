// SPDX-License-Identifier: Apache-2.0
// Words that begin with '-' are options, wherever they stand, but a minus in front of a digit, which is a number, and
// '-' alone. What follows '--' are no options.
#include <callis/base/text.h>
#include <tools/call/arguments.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>

namespace callis::tools {

namespace {

bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

}  // namespace

Arguments read_arguments(int argc, char** argv, Command command) {
  const bool calls = command == Command::Call;
  const bool several = command == Command::Bridge || command == Command::Browse;
  Arguments out;
  std::vector<std::string> words;
  bool options = true;
  for (int i = 1; i < argc && out.problem.empty(); ++i) {
    const std::string word = argv[i];
    const auto value = [&](const char* name) -> std::string {
      if (++i < argc) return argv[i];
      out.problem = std::string(name) + " needs a value";
      return {};
    };
    const auto number = [&](const char* name, std::uint64_t most, std::uint64_t& to) {
      const std::string text = value(name);
      if (out.problem.empty() && (!parse_decimal(text, most, to) || to == 0))
        out.problem = std::string(name) + " takes a number from 1 to " + std::to_string(most);
    };
    // -IDIR or -I DIR
    const auto attached = [&](const char* name) { return word.size() > 2 ? word.substr(2) : value(name); };
    if (!options || !is_option(word)) {
      words.push_back(word);
    } else if (word == "--") {
      options = false;
    } else if (word == "--idl") {
      out.idl.push_back(value("--idl"));
    } else if (word == "--ifr") {
      out.ifr = value("--ifr");
    } else if (programs::is_orb_option(word)) {
      out.orb.push_back(word);
      out.orb.push_back(value(word.c_str()));
    } else if (word.starts_with("-I")) {
      out.preprocess.include_dirs.push_back(attached("-I"));
    } else if (word.starts_with("-D")) {
      out.preprocess.defines.push_back(attached("-D"));
    } else if (word.starts_with("-U")) {
      out.preprocess.undefines.push_back(attached("-U"));
    } else if (word == "--interface") {
      out.interface = value("--interface");
    } else if (word == "--timeout") {
      number("--timeout", 3'600'000, out.timeout_ms);
    } else if (word == "--repeat" && calls) {
      number("--repeat", 100'000'000, out.repeat);
    } else if (word == "--oneway" && calls) {
      out.oneway = true;
    } else if (word == "--pretty" && calls) {
      out.pretty = true;
    } else if (word == "--references" && command == Command::Bridge) {
      number("--references", 10'000'000, out.references);
    } else if (word == "--only-interface" && command == Command::Bridge) {
      out.only_interfaces.push_back(value("--only-interface"));
    } else if (word == "--port" && command == Command::Browse) {
      number("--port", 65'535, out.port);
    } else {
      out.problem = programs::unknown_word(word);
    }
  }
  if (!out.problem.empty()) return out;
  if (words.empty() && command != Command::Browse) {
    out.problem = "a reference is missing";
  } else if (!out.idl.empty() && !out.ifr.empty()) {
    out.problem = "types come from --idl or from --ifr, not from both";
  } else if (command == Command::Describe && words.size() > 1) {
    out.problem = "one reference at a time";
  } else if (calls && words.size() < 2) {
    out.problem = "the operation is missing";
  }
  if (!out.problem.empty() || words.empty()) return out;
  out.reference = words[0];
  if (several) out.more_references.assign(words.begin() + 1, words.end());
  if (calls) out.operation = words[1];
  if (calls) out.arguments.assign(words.begin() + 2, words.end());
  return out;
}

}  // namespace callis::tools
