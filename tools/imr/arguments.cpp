// SPDX-License-Identifier: Apache-2.0
// What each word of callis imr add, ls, status, start, stop, rm and ior means.
#include <tools/imr/arguments.h>
#include <services/programs/local_service.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace callis::imr {

const char kUsage[] =
    "usage: callis imr [serve] [OPTION]...           (callis imr serve --help)\n"
    "       callis imr activator [OPTION]...         (callis imr activator --help)\n"
    "       callis imr add NAME [--replace] [OPTION]... [-- PROGRAM [ARGUMENT]...]\n"
    "       callis imr ls\n"
    "       callis imr status NAME\n"
    "       callis imr start | stop | rm NAME...\n"
    "       callis imr ior NAME KEY [--type ID]\n"
    "\n"
    "An Implementation Repository: starts servers when they are called. serve runs one; the others tell it what to\n"
    "do.\n"
    "\n"
    "  NAME                 of a server: letters, digits, '.', '-' and '_'\n"
    "  PROGRAM              an absolute path; no shell sees it or its arguments\n"
    "  KEY                  an object's key in the server, as in a corbaloc URL (%2f is a '/')\n"
    "  --imr REF            the repository; default: $CALLIS_IMR, or corbaloc::localhost:2812/ImplRepoService\n"
    "  --activation MODE    on-demand (by the first call; default), always (and again when it has ended), by-hand,\n"
    "                       per-client (a process for each client, by its first call)\n"
    "  --max-processes N    of a per-client server, at once; default 100\n"
    "  --linger SECONDS     how long a process of a per-client server lives that nobody is connected to; default\n"
    "                       30; 0: for ever\n"
    "  --env NAME=VALUE     a variable of its environment, which is empty otherwise; may be repeated\n"
    "  --directory DIR      where it runs; default: /\n"
    "  --activator NAME     who starts it, on another host (callis imr activator); default: the repository\n"
    "  --user USER          whose rights it has; only root can start servers of others\n"
    "  --start-limit N      failures in a row after which only start starts it; default 5; 0: none\n"
    "  --pause SECONDS      before it is started again after a failure, doubled after each other; default 1\n"
    "  --longest-pause SECONDS    default 60\n"
    "  --start-deadline SECONDS   until it has to be ready, or it is killed; default 60\n"
    "  --stop-deadline SECONDS    until it has to have ended, or it is killed; default 10\n"
    "  --endpoint HOST:PORT       where a server listens that does not tell when it is ready (omniORB's)\n"
    "  --key-prefix HEX     objects whose keys begin so are the server's; may be repeated\n"
    "  --replace            changes a server that is registered; what runs goes on\n"
    "  --type ID            the repository id in the reference; default: none\n"
    "  --tls DIR[/NAME]     speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help)\n"
    "\n"
    "Exit status: 0; 1: refused, unknown, or not ready in time; 2: wrong usage; 4: a system exception.\n";

namespace {

class Words {
 public:
  Words(int argc, char** argv) : all_(argv + 2, argv + argc) {}
  bool more() const { return at_ < all_.size(); }
  const std::string& next() { return all_[at_++]; }
  std::string value(const std::string& of) {
    if (!more()) throw Failure{kWrongUsage, of + " needs a value"};
    return all_[at_++];
  }
  std::vector<std::string> rest() {
    const std::size_t from = std::exchange(at_, all_.size());
    return {all_.begin() + static_cast<std::ptrdiff_t>(from), all_.end()};
  }

 private:
  std::vector<std::string> all_;
  std::size_t at_ = 0;
};

std::uint32_t milliseconds(const std::string& of, const std::string& text) {
  double seconds = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || at != text.data() + text.size() || !(seconds >= 0.001) || seconds > 86'400)
    throw Failure{kWrongUsage, of + " wants seconds, from 0.001 to 86400, not \"" + text + "\""};
  return static_cast<std::uint32_t>(seconds * 1000 + 0.5);
}

std::uint32_t lingering(const std::string& of, const std::string& text) {
  return text == "0" ? 0 : milliseconds(of, text);
}

std::uint32_t number(const std::string& of, const std::string& text) {
  std::uint32_t n = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || at != text.data() + text.size())
    throw Failure{kWrongUsage, of + " wants a number, not \"" + text + "\""};
  return n;
}

Activation activation_of(const std::string& text) {
  for (const Activation a : {Activation::OnDemand, Activation::Always, Activation::ByHand, Activation::PerClient})
    if (text == word(a)) return a;
  throw Failure{kWrongUsage, "--activation wants on-demand, always, by-hand or per-client, not \"" + text + "\""};
}

std::pair<std::string, std::string> variable_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) throw Failure{kWrongUsage, "--env wants NAME=VALUE, not \"" + text + "\""};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string prefix_of(const std::string& text) {
  auto bytes = bytes_of_hex(text);
  if (!bytes || bytes->empty())
    throw Failure{kWrongUsage, "--key-prefix wants bytes in hexadecimal, not \"" + text + "\""};
  return std::move(*bytes);
}

// Of `add`. False for other words.
bool take_own(Record& r, const std::string& word, Words& words) {
  if (word == "--activation") r.activation = activation_of(words.value(word));
  else if (word == "--env") r.variables.push_back(variable_of(words.value(word)));
  else if (word == "--directory") r.directory = words.value(word);
  else if (word == "--activator") r.activator = words.value(word);
  else if (word == "--user") r.user = words.value(word);
  else if (word == "--start-limit") r.start_limit = number(word, words.value(word));
  else if (word == "--pause") r.first_pause_ms = milliseconds(word, words.value(word));
  else if (word == "--longest-pause") r.longest_pause_ms = milliseconds(word, words.value(word));
  else if (word == "--start-deadline") r.start_deadline_ms = milliseconds(word, words.value(word));
  else if (word == "--stop-deadline") r.stop_deadline_ms = milliseconds(word, words.value(word));
  else if (word == "--max-processes") r.max_processes = number(word, words.value(word));
  else if (word == "--linger") r.linger_ms = lingering(word, words.value(word));
  else if (word == "--endpoint") r.endpoint = words.value(word);
  else if (word == "--key-prefix") r.key_prefixes.push_back(prefix_of(words.value(word)));
  else if (word == "--") r.command = words.rest();
  else return false;
  return true;
}

void take_option(Arguments& out, const std::string& word, Words& words) {
  if (programs::is_orb_option(word)) {
    out.orb.push_back(word);
    out.orb.push_back(words.value(word));
    return;
  }
  const bool adds = out.command == "add";
  if (word == "--imr") out.repository = words.value(word);
  else if (word == "--type" && out.command == "ior") out.type_id = words.value(word);
  else if (word == "--replace" && adds) out.replace = true;
  else if (!adds || !take_own(out.record, word, words))
    throw Failure{kWrongUsage, programs::unknown_word(word)};
}

void check_names(const Arguments& a) {
  const std::size_t n = a.names.size();
  const bool several = a.command == "start" || a.command == "stop" || a.command == "rm";
  const std::size_t wants = a.command == "ls" ? 0 : a.command == "ior" ? 2 : 1;
  if (several ? n != 0 : n == wants) return;
  if (a.command == "ior") throw Failure{kWrongUsage, "ior wants the name of a server and an object's key"};
  if (a.command == "ls") throw Failure{kWrongUsage, "ls wants no name; status NAME tells of one server"};
  throw Failure{kWrongUsage, a.command + (several ? " wants names of servers" : " wants the name of one server")};
}

}  // namespace

std::string default_repository() {
  const char* const known = std::getenv("CALLIS_IMR");
  return known && *known ? known : programs::local_service("imr", kPort, "ImplRepoService");
}

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  out.command = argv[1];
  Words words(argc, argv);
  while (words.more()) {
    const std::string word = words.next();
    if (word.size() < 2 || word[0] != '-') out.names.push_back(word);
    else take_option(out, word, words);
  }
  Record& r = out.record;
  if (r.first_pause_ms > r.longest_pause_ms) r.longest_pause_ms = r.first_pause_ms;
  check_names(out);
  out.record.name = out.command == "add" ? out.names[0] : "";
  return out;
}

}  // namespace callis::imr
