// SPDX-License-Identifier: Apache-2.0
// callis bridge: serves objects that stand for others. References go to the standard output, everything else to the
// standard error.
#include <callis/signals.h>
#include <tools/bridge/bridge.h>
#include <tools/call/session.h>
#include <services/programs/usage.h>
#include <cstdio>

namespace {

using namespace callis::tools;

constexpr char kUsage[] =
    "usage: callis bridge REF... [--idl FILE]... [OPTION]...\n"
    "\n"
    "Stands between clients and objects: prints a reference for each REF, serves it, and forwards each request, "
    "without\n"
    "code that was made for the types. References in arguments, results and exceptions lead through the bridge, "
    "too.\n"
    "Ends on SIGINT and SIGTERM.\n"
    "\n"
    "  REF                  IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for the\n"
    "                       standard input)\n"
    "  --idl FILE           the IDL of all that passes; may be given several times\n"
    "  --ifr REF            the Interface Repository that has it; without both the initial reference\n"
    "                       InterfaceRepository, or what the object's server names\n"
    "  -I DIR, -D NAME[=VALUE], -U NAME   as of callis idl\n"
    "  --interface NAME     the interface (A::B or IDL:A/B:1.0) of each REF, where the reference does not say it\n"
    "  --only-interface ID  a repository id: objects in arguments and results are called by that interface; may be "
    "given\n"
    "                       several times; without it by any. Those that administer something are never called\n"
    "  --timeout MS         for connecting to a target, and for a call of it\n"
    "  --references N       how many references from arguments and results it stands for at a time, 10000 unless "
    "said;\n"
    "                       the one that has not been used for the longest time is forgotten\n"
    "  --tls DIR/NAME       speaks TLS alone on both sides, by that certificate, one for servers (callis tls issue)\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help), as -ORBEndpoint tcp:HOST:PORT\n"
    "\n"
    "Exit status: 0; 1: a reference or the IDL cannot be read; 2: wrong usage; 4: an object was asked for its type "
    "and\n"
    "raised a system exception.\n";

// Adds the object's interface, and all that it needs, to the types.
std::string read(Types& types, CORBA::ORB_ptr orb, CORBA::Object_ptr object, const Arguments& arguments,
                 const std::string& name) {
  const std::string id = read_from_repository(types, orb, object, arguments, name);
  const std::lock_guard guard(types.mutex);
  if (!types.find_interface(id)) throw Failure{kCannotRead, "what the Interface Repository has is no interface"};
  return id;
}

int bridge(const Arguments& arguments) {
  Types types;
  load_idl(types, arguments);
  const CORBA::ORB_var orb = make_orb(arguments, true);
  callis::shutdown_on_signals(orb.in());
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  {
    const bool by_files = !arguments.idl.empty();
    Bridge::Reader reader;
    if (!by_files) reader = [&](CORBA::Object_ptr o) { return read(types, orb.in(), o, arguments, {}); };
    Bridge bridge(orb.in(), poa.in(), types, arguments.references, reader,
                  {arguments.only_interfaces.begin(), arguments.only_interfaces.end()});
    std::vector<std::string> words{arguments.reference};
    words.insert(words.end(), arguments.more_references.begin(), arguments.more_references.end());
    for (const std::string& word : words) {
      const CORBA::Object_var target = read_object(orb.in(), word);
      const auto& interface =
          by_files ? find_interface(types, target.in(), arguments.interface)
                   : *types.find_interface(read(types, orb.in(), target.in(), arguments, arguments.interface));
      object = bridge.add(target.in(), interface);
      const CORBA::String_var text = orb->object_to_string(object.in());
      std::printf("%s\n", text.in());
    }
    std::fflush(stdout);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    orb->run();
    orb->destroy();  // calls have ended then
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv, Command::Bridge);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis bridge", arguments.problem, kUsage);
  try {
    return bridge(arguments);
  } catch (const Failure& f) {
    std::fprintf(stderr, "callis bridge: %s\n", f.text.c_str());
    return f.status;
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "callis bridge: %s\n", explain(e, arguments).c_str());
    return kSystemException;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis bridge: %s\n", e.what());
    return kCannotRead;
  }
}
