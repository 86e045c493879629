// SPDX-License-Identifier: Apache-2.0
// callis log: a client of log services.
#include <services/programs/usage.h>
#include <tools/log/commands.h>

namespace {

using namespace callis::logs;
namespace tools = callis::tools;

constexpr const char* kUsage =
    "usage: callis log [--service REF] COMMAND ... [--timeout MILLISECONDS] [-ORBoption VALUE ...]\n"
    "\n"
    "Shows what the logs of a log service (OMG Telecom Log Service) of any ORB have.\n"
    "\n"
    "  ls [--json]                   lists logs: id, kind, records, size, states\n"
    "  tail [ID] [--lines NUMBER] [--level NUMBER] [--follow] [--json]\n"
    "                                prints the last records; 10 unless said; --level: only those of this level or\n"
    "                                more (0 trace, 1 debug, 2 info, 3 warning, 4 error); --follow: goes on with new "
    "ones\n"
    "  query [ID] CONSTRAINT [--most NUMBER] [--json]\n"
    "                                prints the records that match\n"
    "  export [ID [CONSTRAINT]] [--most NUMBER]\n"
    "                                the same as JSON, a line each; all records without a constraint\n"
    "\n"
    "  ID                 of a log; without it the one that has programs' own lines\n"
    "  CONSTRAINT         over id, time, info and attributes, as \"level >= 3 and 'pump' ~ info\":\n"
    "                     " CALLIS_GUIDE("log-service.md") "\n"
    "  REF                IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for the\n"
    "                     standard input)\n"
    "  --service REF      the service, a factory of logs, or a log; without it that of -ORBInitRef LogService=REF, "
    "or\n"
    "                     else corbaloc::localhost:2814/LogService\n"
    "  --timeout          of a call; 30000 unless said\n"
    "  --                 behind it words may begin with '-'\n"
    "  --tls DIR[/NAME]   speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE   an option of the ORB (callis config --help)\n"
    "\n"
    "Exit status: 0; 1: something cannot be read or found; 2: wrong usage; 3: the service refuses it\n"
    "(InvalidConstraint ...); 4: a system exception.\n";

struct Command {
  const char* name;
  void (*run)(const Session&, Showing&, const Arguments&);
};
constexpr Command kCommands[] = {{"ls", list}, {"tail", tail}, {"query", query}, {"export", export_records}};

int run(const Arguments& arguments) {
  const CORBA::ORB_var orb = tools::make_client_orb(arguments.orb);
  const Session session(orb.in(), arguments);
  Showing showing(orb.in());
  for (const Command& c : kCommands)
    if (arguments.command == c.name) c.run(session, showing, arguments);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis log", arguments.problem, kUsage);
  return tools::run_client("callis log", [&] { return run(arguments); });
}
