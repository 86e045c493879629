// SPDX-License-Identifier: Apache-2.0
// The words of each client, and what is wrong with them.
#include <callis/base/text.h>
#include <tools/events/arguments.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>
#include <algorithm>

namespace callis::events {

namespace {

struct Command {
  const char* name;
  const char* options;  // with blanks around them
};
constexpr Command kCommands[] = {{"push", " --json --interval --source --type --ttl "},
                                 {"pull", " --types --count --name "},
                                 {"watch", " --types --count --name --source --type "}, {"ls", " --json "},
                                 {"names", " "}, {"forget", " "}};

const Command* find(const std::string& name) {
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command& c) { return name == c.name; });
  return found == std::end(kCommands) ? nullptr : &*found;
}

}  // namespace

bool is_client_command(const std::string& word) { return find(word) != nullptr; }

const char* client_usage() {
  return "usage: callis events push [--json] [--interval MILLISECONDS] [--source N --type N] CHANNEL [EVENT...]\n"
         "       callis events pull|watch [--types] [--count N] [--name NAME] [--source N] [--type N] CHANNEL\n"
         "       callis events ls [--json] FACTORY\n"
         "       callis events names CHANNEL\n"
         "       callis events forget CHANNEL NAME...\n"
         "\n"
         "  push                   sends each EVENT as a string; without one each line of the standard input\n"
         "  watch                  prints events as JSON, a line each, as the channel pushes them\n"
         "  pull                   the same, but pulls them\n"
         "  ls                     the channels of a callis events: events received, proxies, events that wait and\n"
         "                         that were discarded\n"
         "  names                  the named consumers of a channel of callis events --durable\n"
         "  forget                 nothing is kept for these any more\n"
         "\n"
         "  CHANNEL, FACTORY       IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for\n"
         "                         the standard input); channels of any ORB\n"
         "  --json                 push: an EVENT is JSON, {\"type\": TYPE, \"value\": VALUE}; ls: prints JSON\n"
         "  --interval             between two events\n"
         "  --types                prints {\"type\": TYPE, \"value\": VALUE}\n"
         "  --count N              ends after N events\n"
         "  --name NAME            as that consumer of a channel of callis events --durable: what came while it was\n"
         "                         not connected comes first\n"
         "  --source N, --type N   of events of a real-time channel: those that watch prints, that push sends\n"
         "  --ttl N                to how many further real-time channels they may go; 1\n"
         "  --timeout MILLISECONDS of a call; 30000 unless said\n"
         "  --tls DIR[/NAME]       speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls\n"
         "                         init)\n"
         "  -ORBoption VALUE       an option of the ORB (callis config --help)\n"
         "\n"
         "Exit status: 0; 1: something cannot be read or understood, or there is no such command in this build;\n"
         "2: wrong usage; 3: the channel refuses it (Disconnected ...); 4: a system exception.\n";
}

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  out.command = argv[1];
  const std::string own = find(out.command)->options;
  for (int i = 2; i < argc && out.problem.empty(); ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i < argc) return argv[i];
      out.problem = word + " needs a value";
      return {};
    };
    const auto number = [&](std::uint64_t& to) {
      const std::string text = value();
      if (out.problem.empty() && !parse_decimal(text, 1'000'000'000, to)) out.problem = word + " takes a number";
    };
    const bool is_own = own.find(" " + word + " ") != std::string::npos;
    if (word.size() < 2 || word[0] != '-') {
      if (out.reference.empty()) out.reference = word;
      else out.words.push_back(word);
    } else if (programs::is_orb_option(word)) {
      out.orb.push_back(word);
      out.orb.push_back(value());
    } else if (word == "--timeout") {
      out.orb.push_back("-ORBCallTimeout");
      out.orb.push_back(value());
    } else if (is_own && word == "--json") {
      out.json = true;
    } else if (is_own && word == "--types") {
      out.types = true;
    } else if (is_own && word == "--count") {
      number(out.count);
    } else if (is_own && word == "--name") {
      out.name = value();
      if (out.problem.empty() && out.name.empty()) out.problem = "--name needs a name";
    } else if (is_own && word == "--source") {
      number(out.source);
    } else if (is_own && word == "--type") {
      number(out.type);
    } else if (is_own && word == "--ttl") {
      number(out.ttl);
    } else if (is_own && word == "--interval") {
      number(out.interval_ms);
    } else {
      out.problem = programs::unknown_word(word);
    }
  }
  if (!out.problem.empty()) return out;
  if (out.reference.empty()) out.problem = out.command == "ls" ? "a factory is missing" : "a channel is missing";
  else if (out.command == "forget" && out.words.empty()) out.problem = "a name is missing";
  else if (out.command != "push" && out.command != "forget" && !out.words.empty())
    out.problem = programs::unknown_word(out.words.front());
  return out;
}

}  // namespace callis::events
