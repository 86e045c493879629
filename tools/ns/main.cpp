// SPDX-License-Identifier: Apache-2.0
// callis ns: what a name service has, and changes of it.
#include <services/programs/usage.h>
#include <tools/ns/commands.h>

namespace {

using namespace callis::ns;
namespace tools = callis::tools;

constexpr char kUsage[] =
    "usage: callis ns COMMAND [--name-service REF] [--timeout MILLISECONDS] [-ORBoption VALUE]...\n"
    "\n"
    "  ls [-r] [-l] [NAME]           what is bound in a context; -r: in those below, too; -l: with types\n"
    "  tree [-l] [NAME]              the same as a tree\n"
    "  resolve NAME                  the object's reference\n"
    "  bind [--context] NAME REF     binds an object, or a context; rebind: also in place of what was bound\n"
    "  rebind [--context] NAME REF\n"
    "  unbind NAME                   what was bound goes on existing\n"
    "  mkdir [-p] NAME               makes a context; -p: those on the way to it, too\n"
    "  rm [-r] NAME                  destroys a context and its binding; -r: with what is in it\n"
    "  export [NAME]                 all contexts and bindings as JSON\n"
    "  import FILE [--into NAME] [--replace]\n"
    "                                makes what an export, or a data file of omniNames, has; what is bound already\n"
    "                                stays, unless --replace is there; FILE may be -\n"
    "  watch [--interval MILLISECONDS] [--once] [NAME]\n"
    "                                prints what is bound, and then what changes: + bound, - gone, ~ another object\n"
    "  orphans [--remove [--with-bindings] [--older-than SECONDS]]\n"
    "                                contexts of a service of callis that no name leads to: how many bindings are\n"
    "                                in each, its age, its reference; --remove: destroys the empty ones, or with\n"
    "                                --with-bindings all, after unbinding what is in them\n"
    "\n"
    "  NAME               ID.KIND/ID.KIND...; a backslash stands before a '/', '.' or backslash of an id or a kind\n"
    "  REF                IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for the\n"
    "                     standard input)\n"
    "  --name-service REF  the name service, of any ORB; without it that of -ORBInitRef NameService=REF, or else\n"
    "                     corbaloc::localhost/NameService\n"
    "  --timeout          of a call; 30000 unless said\n"
    "  --tls DIR[/NAME]   speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE   an option of the ORB (callis config --help)\n"
    "\n"
    "Exit status: 0; 1: something cannot be read or understood; 2: wrong usage; 3: the name service refuses it\n"
    "(NotFound, AlreadyBound ...); 4: a system exception.\n";

struct Command {
  const char* name;
  void (*run)(const Session&, const Arguments&);
};
constexpr Command kCommands[] = {{"ls", list},          {"tree", tree},         {"bind", bind},
                                 {"rebind", bind},      {"unbind", unbind},     {"resolve", resolve},
                                 {"mkdir", make_context}, {"rm", remove},       {"export", write_graph},
                                 {"import", read_graph}, {"watch", watch},
                                 {"orphans", orphans}};

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
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis ns", arguments.problem, kUsage);
  return tools::run_client("callis ns", [&] { return run(arguments); });
}
