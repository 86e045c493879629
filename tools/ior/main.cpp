// SPDX-License-Identifier: Apache-2.0
// callis ior: what is in an object reference, in words or as JSON, and whether its addresses answer.
// Exit status 0; 1 when the text is no reference or cannot be read; 2 for wrong usage; 3 when --ping reaches no
// object.
#include <callis/base/text.h>
#include <services/programs/reference_text.h>
#include <services/programs/site.h>
#include <tools/ior/report.h>
#include <services/programs/usage.h>
#include <cstdio>

namespace {

using namespace callis;
using namespace callis::tools;

constexpr char kUsage[] =
    "usage: callis ior [--json] [--ping [--timeout MILLISECONDS] [--tls DIR[/NAME]]] TEXT|FILE|-\n"
    "\n"
    "What is in an object reference: type, addresses, object key, components.\n"
    "\n"
    "  TEXT       IOR:..., corbaloc:... or corbaname:...\n"
    "  FILE, -    a file, or the standard input: its first line that is a reference\n"
    "  --json     for programs\n"
    "  --ping     connects to each address, asks it for the object (LocateRequest), and says what happened\n"
    "  --tls DIR[/NAME]   asks ports of TLS, too, by the certificate of the client, or NAME, in DIR (callis tls\n"
    "             init), and says how far the handshake came\n"
    "  --timeout  for a connection, and for an answer: 3000 unless said\n"
    "\n"
    "Exit status: 0; 1: no reference; 2: wrong usage; 3: with --ping, no address leads to the object.\n";

constexpr int kNoReference = 1, kWrongUsage = 2, kNotReached = 3;

struct Arguments {
  bool json = false, ping = false;
  std::uint64_t timeout_ms = 3000;
  const char* reference = nullptr;
  std::string tls, problem;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view a = argv[i];
    if (a == "--json") {
      out.json = true;
    } else if (a == "--ping") {
      out.ping = true;
    } else if (a == "--timeout") {
      if (++i == argc || !parse_decimal(argv[i], 3'600'000, out.timeout_ms) || out.timeout_ms == 0)
        out.problem = "--timeout takes milliseconds, from 1 to 3600000";
    } else if (a == "--tls") {
      if (++i == argc) out.problem = "--tls needs the name of a folder";
      else out.tls = argv[i];
    } else if (a.size() > 1 && a[0] == '-') {
      out.problem = programs::unknown_word(a);
    } else if (out.reference) {
      out.problem = "one reference at a time";
    } else {
      out.reference = argv[i];
    }
    if (!out.problem.empty()) return out;
  }
  if (!out.reference) out.problem = "a reference is missing";
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv);
  if (!arguments.problem.empty()) return programs::wrong_usage("callis ior", arguments.problem, kUsage);
  if (!arguments.tls.empty()) {
    try {
      programs::use_site(arguments.tls, programs::SiteRole::Client);
    } catch (const programs::SiteFailed& f) {
      std::fprintf(stderr, "callis ior: %s\n", f.what());
      return kNoReference;
    }
  }
  std::string text, problem;
  if (!programs::read_reference(arguments.reference, text, problem)) {
    std::fprintf(stderr, "callis ior: %s\n", problem.c_str());
    return kNoReference;
  }
  const ior::ParsedReference parsed = ior::parse_reference(text);
  if (const auto* error = std::get_if<ior::TextError>(&parsed)) {
    std::fprintf(stderr, "callis ior: %s", programs::error_text(text, *error).c_str());
    return kNoReference;
  }
  Ping asks;
  if (arguments.ping) {
    asks = [limit = Duration(arguments.timeout_ms)](const Place& place, giop::Version version, ByteView key) {
      return ping(place, version, key, limit);
    };
  }
  const Report what = report(parsed, asks);
  std::fputs(arguments.json ? to_json(what.tree).c_str() : to_lines(what.tree).c_str(), stdout);
  return arguments.ping && !what.reached ? kNotReached : 0;
}
