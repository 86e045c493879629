// SPDX-License-Identifier: Apache-2.0
// callis describe: the interface of an object as IDL.
#include <tools/call/idl_text.h>
#include <tools/call/session.h>
#include <services/programs/usage.h>
#include <cstdio>

namespace {

using namespace callis::tools;

constexpr char kUsage[] =
    "usage: callis describe REF [--idl FILE | --ifr REF] [OPTION]...\n"
    "\n"
    "Prints the interface of an object as IDL: all operations, inherited ones too, and the types that they use.\n"
    "\n"
    "  REF                  IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for the\n"
    "                       standard input)\n"
    "  --idl FILE           the IDL of the interface; may be given several times\n"
    "  --ifr REF            an Interface Repository that has the interface; without --idl and --ifr the initial\n"
    "                       reference InterfaceRepository, else the one that the object's server names\n"
    "  -I DIR, -D NAME[=VALUE], -U NAME   as of callis idl\n"
    "  --interface NAME     this interface (A::B or IDL:A/B:1.0), whatever the reference says\n"
    "  --timeout MS         for asking the object, where the reference does not say its type\n"
    "  --tls DIR[/NAME]     speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help)\n"
    "\n"
    "Exit status: 0; 1: the reference or the IDL cannot be read; 2: wrong usage; 4: the object was asked for its "
    "type and\n"
    "raised a system exception.\n";

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv, Command::Describe);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis describe", arguments.problem, kUsage);
  try {
    Session session(arguments);
    std::fputs(describe(session.interface()).c_str(), stdout);
    return 0;
  } catch (const Failure& f) {
    std::fprintf(stderr, "callis describe: %s\n", f.text.c_str());
    return f.status;
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "callis describe: %s\n", explain(e, arguments).c_str());
    return kSystemException;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis describe: %s\n", e.what());
    return kCannotRead;
  }
}
