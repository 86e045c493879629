// SPDX-License-Identifier: Apache-2.0
// Options and commands are found in the text of the usage itself, so that no program lists them twice.
#include <callis/base/text.h>
#include <services/programs/usage.h>
#include <algorithm>
#include <cstdio>
#include <vector>

namespace callis::programs {

namespace {

constexpr std::string_view kUnknownWord = "what is '", kUnknownCommand = "there is no command '";

bool is_of_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

std::string_view name_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return text.substr(0, end);
}

// "name", of every "--name" in the usage, and of those that every program has.
std::vector<std::string> options_in(std::string_view usage) {
  std::vector<std::string> out{"help", "version"};
  for (std::size_t at = 0; (at = usage.find("--", at)) != usage.npos;) {
    const std::string_view name = name_at(usage.substr(at + 2));
    if (!name.empty() && name.front() != '-' && (at == 0 || !is_of_name(usage[at - 1]))) out.emplace_back(name);
    at += 2 + name.size();
  }
  return out;
}

// Names behind the program's own, as "callis imr [serve]", "callis events push|pull", and those that begin a line of
// the table: "  ls [-r] NAME".
std::vector<std::string> commands_in(std::string_view usage, std::string_view command) {
  std::vector<std::string> out;
  const auto add = [&](std::size_t at) {
    for (bool more = true; more; ++at) {
      const std::string_view name = name_at(usage.substr(at));
      if (name.empty() || name.front() == '-') return;
      out.emplace_back(name);
      at += name.size();
      more = at < usage.size() && usage[at] == '|';
    }
  };
  for (std::size_t at = 0; (at = usage.find(command, at)) != usage.npos;) {
    at += command.size();
    if (usage.substr(at).starts_with(" [")) add(at + 2);
    else if (usage.substr(at).starts_with(" ")) add(at + 1);
  }
  for (std::size_t at = 0; (at = usage.find("\n  ", at)) != usage.npos;) add(at += 3);
  return out;
}

// Says what the word may mean: " did you mean --store?"; empty if nothing is near.
std::string suggestion(std::string_view command, std::string_view problem, std::string_view usage) {
  const std::string_view before = problem.starts_with(kUnknownWord) ? kUnknownWord : kUnknownCommand;
  if (!problem.starts_with(before)) return {};
  std::string_view word = problem.substr(before.size());
  word = word.substr(0, word.rfind('\''));
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  const std::string near = nearest(word.substr(dashes), dashes ? options_in(usage) : commands_in(usage, command));
  if (near.empty() || (dashes ? "--" : "") + near == word) return {};
  return std::string(problem.ends_with('?') ? "" : ";") + " did you mean " + (dashes ? "--" : "") + near + "?";
}

}  // namespace

std::string version() { return "callis " CALLIS_VERSION; }

bool answers(int argc, char** argv, std::string_view usage) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  if (word == "--version") std::puts(version().c_str());
  else if (word == "--help" || word == "-h") std::fwrite(usage.data(), 1, usage.size(), stdout);
  else return false;
  return true;
}

int wrong_usage(std::string_view command, std::string_view problem, std::string_view usage) {
  const bool of_orb = problem.find("-ORB") != problem.npos;
  const std::string says = std::string(command) + ": " + std::string(problem) + suggestion(command, problem, usage) +
                           "\n" + (of_orb ? "callis config" : std::string(command)) + " --help lists all" +
                           (of_orb ? " of the ORB" : "") + "\n";
  std::fputs(says.c_str(), stderr);
  return 2;
}

std::string unknown_word(std::string_view word) {
  const Printable shown(word, Printable::Backslashes::Escape);
  return std::string(kUnknownWord) + std::string(std::string_view(shown)) + "'?";
}

std::string nearest(std::string_view wrong, std::span<const std::string> names) {
  if (wrong.empty()) return {};
  const auto begins = [wrong](const std::string& name) { return name.starts_with(wrong); };
  const auto first = std::find_if(names.begin(), names.end(), begins);
  if (first != names.end() &&
      std::all_of(first, names.end(), [&](const std::string& n) { return n == *first || !begins(n); }))
    return *first;
  std::string best;
  std::size_t least = std::max<std::size_t>(wrong.size() / 2, 1) + 1;
  for (const std::string& name : names) {
    const std::size_t d = edit_distance(wrong, name);
    if (d < least && d < name.size()) {
      least = d;
      best = name;
    }
  }
  return best;
}

std::string escaped(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u < 0x7f && c != '\\') {
      out += c;
    } else {
      out.append("\\x") += kDigits[u >> 4];
      out += kDigits[u & 15];
    }
  }
  return out;
}

}  // namespace callis::programs
