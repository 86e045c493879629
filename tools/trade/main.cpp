// SPDX-License-Identifier: Apache-2.0
// callis trade: a client of traders.
#include <services/programs/usage.h>
#include <tools/trade/commands.h>

namespace {

using namespace callis::trade;
namespace tools = callis::tools;

constexpr const char* kUsage =
    "usage: callis trade [--trader REF] COMMAND ... [--timeout MILLISECONDS] [-ORBoption VALUE ...]\n"
    "\n"
    "Shows and changes what a trader (OMG Trading Object Service) of any ORB has.\n"
    "\n"
    "  types [--all] [NAME...]       lists service types; describes those that are named, or all\n"
    "  types add NAME [--interface ID] [--super NAME]... [PROPERTY...]\n"
    "                                PROPERTY: NAME:TYPE[:MODE], as Cost:long:mandatory; modes: normal, readonly,\n"
    "                                mandatory, mandatory-readonly; types: those of IDL that constraints can use,\n"
    "                                and sequences of them, as 'sequence<string>'\n"
    "  types rm|mask|unmask NAME...\n"
    "  offer TYPE REF [NAME=VALUE...]  exports an offer, and prints its id; values are of the types that the "
    "service\n"
    "                                type declares; those of a sequence have commas between them\n"
    "  offer TYPE REF --proxy RECIPE [--match-all] [NAME=VALUE...]\n"
    "                                a proxy offer: REF is another trader's Lookup\n"
    "  modify ID [--delete NAME]... [NAME=VALUE...]\n"
    "  show ID                       the type, reference and properties of an offer\n"
    "  ls [--proxies]                the ids of all offers, or proxy offers\n"
    "  query TYPE [CONSTRAINT] [--prefer PREFERENCE] [--properties all|none|NAME,NAME...] [--most NUMBER] [--exact]\n"
    "        [--follow RULE] [--hops NUMBER] [--via LINK]... [--policy NAME=VALUE]... [--references] [--json]\n"
    "                                prints the offers that match; --exact: not those of derived types; --via: asks\n"
    "                                the trader behind the link\n"
    "  withdraw ID...                withdraws offers\n"
    "  withdraw --type TYPE CONSTRAINT\n"
    "  link [NAME...]                lists links\n"
    "  link add NAME REF [--pass-on RULE] [--limit RULE]\n"
    "  link set NAME [--pass-on RULE] [--limit RULE]\n"
    "  link rm NAME\n"
    "  settings [NAME=VALUE...]      shows the settings of the trader, or changes some\n"
    "\n"
    "  CONSTRAINT         as \"Cost < 10 and 'red' in Inks\"; PREFERENCE as \"min Cost\":\n"
    "                     " CALLIS_GUIDE("trading.md") "\n"
    "  RULE               local_only, if_no_local, always\n"
    "  REF                IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for the\n"
    "                     standard input)\n"
    "  --trader REF       the trader's Lookup; without it that of -ORBInitRef TradingService=REF, or else\n"
    "                     corbaloc::localhost:2810/TradingService\n"
    "  --timeout          of a call; 30000 unless said\n"
    "  --                 behind it words may begin with '-'\n"
    "  --tls DIR[/NAME]   speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE   an option of the ORB (callis config --help)\n"
    "\n"
    "Exit status: 0; 1: something cannot be read or understood; 2: wrong usage; 3: the trader refuses it\n"
    "(UnknownServiceType, UnknownOfferId ...); 4: a system exception.\n";

struct Command {
  const char* name;
  void (*run)(const Session&, const Arguments&);
};
constexpr Command kCommands[] = {{"types", types},       {"offer", offer}, {"modify", modify},
                                 {"show", show},         {"ls", list},     {"query", query},
                                 {"withdraw", withdraw}, {"link", link},   {"settings", settings}};

int run(const Arguments& arguments) {
  const CORBA::ORB_var orb = tools::make_client_orb(arguments.orb);
  const Session session(orb.in(), arguments);
  for (const Command& c : kCommands)
    if (arguments.command == c.name) c.run(session, arguments);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis trade", arguments.problem, kUsage);
  return tools::run_client("callis trade", [&] { return run(arguments); });
}
