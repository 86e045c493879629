// SPDX-License-Identifier: Apache-2.0
// callis schedule: says before a system runs whether every deadline is met; and serves the Scheduling Service.
#include <services/programs/usage.h>
#include <tools/schedule/commands.h>
#include <cstdio>
#include <cstring>

namespace {

using namespace callis::scheduling;

constexpr char kUsage[] =
    "usage: callis schedule FILE... [options]\n"
    "       callis schedule serve [FILE...] [--ior-file FILE] [--publish HOST[:PORT]] [--log text|json]\n"
    "                       [--stats-every SECONDS] [-ORBoption VALUE]...\n"
    "       callis schedule serve --stats HOST:PORT|REF [--json]\n"
    "\n"
    "Gives operations priorities and lanes, and says whether every deadline is met. FILE is JSON, or IDL with\n"
    "@rt(period = \"25ms\", wcet = \"2ms\") before operations where its name ends in .idl.\n"
    "\n"
    "  --idl FILE           IDL, whatever its name\n"
    "  --measured FILE      execution times that were measured: they fill in those that are missing, and raise "
    "those\n"
    "                       that are too small\n"
    "  --margin PERCENT     added to what is taken from measurements (0)\n"
    "  --policy rm|dm       rate-monotonic (the default) or deadline-monotonic\n"
    "  --levels shared|each operations of one rate and importance share a level (the default), or each has its own\n"
    "  --lanes N            at most so many lanes (32); neighbouring levels share one when there are more\n"
    "  --priorities A:B     CORBA priorities of the lowest and the highest lane (0:89)\n"
    "\n"
    "  --table              what comes out, for people (the default)\n"
    "  --json               the same and more, for programs\n"
    "  --header             C++ constants of priorities and lanes\n"
    "  --namespace NAME     ... in this namespace (schedule)\n"
    "  --svg                a picture of the critical instant\n"
    "  --span TIME          ... of so much time (the longest period)\n"
    "  --config             what a real-time server makes its lanes of\n"
    "  -o, --output FILE    writes it there\n"
    "  -I DIR, -D NAME[=VALUE], -U NAME   of the preprocessor of IDL\n"
    "\n"
    "serve: the Scheduling Service (CallisScheduling.idl), with the operations of the files.\n"
    "  --ior-file FILE      writes the reference there; it is also the first line of the standard output\n"
    "  --publish HOST[:PORT]   what references carry in place of the endpoint's own address\n"
    "  --allow GROUP=WHO    who may call the operations of read and write: any, local, own, unix:USER, cert:WHICH;\n"
    "                       without it anybody who can connect\n"
    "  --allow-dry-run      refuses nothing, and logs what --allow would refuse\n"
    "  --tls DIR[/NAME]     speaks TLS, by the certificate of the server, or NAME, in DIR (callis tls init)\n"
    "  --log text|json      the form of the lines on the standard error (text)\n"
    "  --stats-every SECONDS   writes the counters to the standard error so often\n"
    "  --stats HOST:PORT|REF   asks a service that runs there for its counters and prints them; --json: as JSON\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help); with -ORBEndpoint tcp:HOST:PORT the service "
    "is\n"
    "                       corbaloc::HOST:PORT/SchedulingService\n"
    "\n"
    "Exit status: 0: schedulable; 1: not schedulable; 2: wrong usage; 3: a file cannot be read, or what it says "
    "cannot\n"
    "be; 4: a system exception.\n";

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv);
  if (arguments.serve) return serve(argc - 1, argv + 1, kUsage);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis schedule", arguments.problem, kUsage);
  try {
    return schedule(arguments);
  } catch (const Failure& f) {
    std::fprintf(stderr, "callis schedule: %s\n", f.text.c_str());
    return f.status;
  } catch (const Refused& r) {
    const bool placed = std::strstr(r.what(), ": error: ") != nullptr;  // FILE:LINE:COLUMN: error: ...
    std::fprintf(stderr, "%s%s\n", placed ? "" : "callis schedule: ", r.what());
    return kCannot;
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "callis schedule: %s\n", e.what());
    return kSystemException;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis schedule: %s\n", e.what());
    return kCannot;
  }
}
