// SPDX-License-Identifier: Apache-2.0
// callis ifr: an Interface Repository, and its clients.
#include <services/ifr/reading.h>
#include <tools/ifr/commands.h>
#include <services/programs/usage.h>
#include <cstring>

namespace {

using namespace callis::ifr;
namespace tools = callis::tools;

constexpr char kUsage[] =
    "usage: callis ifr [serve] [--store FILE] [--max-disk SIZE] [--ior-file FILE] [--publish HOST[:PORT]]\n"
    "                  [--allow GROUP=WHO[,...]] [--allow-dry-run] [--tls DIR[/NAME]] [--max-memory SIZE]\n"
    "                  [--max-memory-each SIZE] [--log text|json]\n"
    "                  [--change-time MILLISECONDS] [--stats-every SECONDS] [-ORBoption VALUE]...\n"
    "       callis ifr --stats HOST:PORT|REF [--json]\n"
    "       callis ifr feed REF FILE.idl... [-I DIR] [-D NAME[=VALUE]] [-U NAME] [-ORBoption VALUE]...\n"
    "       callis ifr ls REF [NAME] [-ORBoption VALUE]...\n"
    "       callis ifr show REF [NAME]... [-ORBoption VALUE]...\n"
    "\n"
    "An Interface Repository: serves one, adds IDL files to it, lists what it has, shows it as IDL.\n"
    "\n"
    "  --store FILE         keeps all in this file, a database of SQLite; without it, in memory alone\n"
    "  --max-disk SIZE      FILE and its log take no more of the disk, as 512M or 20G; beyond it changes are\n"
    "                       refused: NO_RESOURCES (a quarter of the file system, at least 64M)\n"
    "  --change-time MILLISECONDS   what one change, as feeding a file, may take; then NO_RESOURCES (20000)\n"
    "  --allow GROUP=WHO    who may call the operations of read and admin: any, local, own, unix:USER, cert:WHICH;\n"
    "                       without it everybody reads, and users of this machine change, over a Unix-domain\n"
    "                       socket\n"
    "  --allow-dry-run      refuses nothing, and logs what --allow would refuse\n"
    "  --tls DIR[/NAME]     speaks TLS, by the certificate of the server (clients: client), or NAME, in DIR (callis\n"
    "                       tls init)\n"
    "  --max-memory SIZE    what it keeps for all clients; beyond it NO_RESOURCES (a quarter of the memory)\n"
    "  --max-memory-each SIZE   the same for one client (128M)\n"
    "  --ior-file FILE      writes the reference there; it is also the first line of the standard output\n"
    "  --publish HOST[:PORT]   what references carry in place of the endpoint's own address\n"
    "  --log text|json      the form of the lines on the standard error (text)\n"
    "  --stats-every SECONDS   writes the counters to the standard error so often\n"
    "  --stats HOST:PORT|REF   asks a repository that runs there for its counters and prints them; --json: as JSON\n"
    "  REF                  the repository: IOR:..., corbaloc:..., or a file that has one (FILE, @FILE, - for the\n"
    "                       standard input)\n"
    "  NAME                 A::B, or a repository id\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help); with -ORBEndpoint tcp:HOST:PORT the\n"
    "                       repository is corbaloc::HOST:PORT/InterfaceRepository\n"
    "\n"
    "Exit status: 0; 1: something cannot be read, stored, or found; 2: wrong usage; 4: a system exception.\n";

int run(const Arguments& arguments) {
  const CORBA::ORB_var orb = tools::make_client_orb(arguments.orb);
  switch (arguments.command) {
    case Arguments::Command::Serve: break;  // not here
    case Arguments::Command::Feed: return feed_files(orb.in(), arguments);
    case Arguments::Command::List: return list(orb.in(), arguments);
    case Arguments::Command::Show: return show(orb.in(), arguments);
  }
  return kWrongUsage;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv);
  if (arguments.command == Arguments::Command::Serve) {
    const bool said = argc > 1 && !std::strcmp(argv[1], "serve");
    return serve(argc - said, argv + said, kUsage);
  }
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis ifr", arguments.problem, kUsage);
  return tools::run_client("callis ifr", [&] {
    try {
      return run(arguments);
    } catch (const Unreadable& u) {
      throw Failure{kCannot, u.why};
    }
  });
}
