// SPDX-License-Identifier: Apache-2.0
// callis browse: serves a page, at this machine only, until it is told to end. The page's address goes to the
// standard output.
#include <signal.h>
#include <tools/browse/api.h>
#include <tools/browse/page.h>
#include <tools/browse/roots.h>
#include <services/programs/usage.h>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>

namespace {

using namespace callis::tools;

constexpr char kUsage[] =
    "usage: callis browse [REF]... [--idl FILE]... [OPTION]...\n"
    "\n"
    "Serves a page for a web browser on this machine: objects and naming contexts as a tree, their operations, a "
    "form\n"
    "for the arguments, results. Prints the page's address, which has a secret in it: who knows it can make calls "
    "as\n"
    "you. Ends on SIGINT and SIGTERM.\n"
    "\n"
    "  REF                  IOR:..., corbaloc:..., corbaname:..., or a file that has some (FILE, @FILE): a line "
    "each,\n"
    "                       its name behind it; without REF the initial reference NameService\n"
    "  --idl FILE           the IDL of the interfaces; may be given several times\n"
    "  --ifr REF            the Interface Repository that has them; without both the initial reference\n"
    "                       InterfaceRepository, or what the object's server names\n"
    "  -I DIR, -D NAME[=VALUE], -U NAME   as of callis idl\n"
    "  --interface NAME     the interface (A::B or IDL:A/B:1.0) of all objects, whatever they say\n"
    "  --timeout MS         for connecting, and for a call: 10000 unless said\n"
    "  --port PORT          at 127.0.0.1; unless said, one that is free\n"
    "  --tls DIR[/NAME]     speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help), as -ORBInitRef "
    "NameService=corbaloc::HOST/NameService\n"
    "\n"
    "Exit status: 0; 1: a reference or the IDL cannot be read, or the port is in use; 2: wrong usage.\n";

std::vector<Root> all_roots(const Arguments& arguments, CORBA::ORB_ptr orb) {
  std::vector<Root> roots;
  std::vector<std::string> words = arguments.more_references;
  if (!arguments.reference.empty()) words.insert(words.begin(), arguments.reference);
  for (const std::string& word : words) {
    std::string problem;
    if (!read_roots(word, roots, problem)) throw Failure{kCannotRead, problem};
  }
  if (!words.empty()) return roots;
  try {
    const CORBA::Object_var names = orb->resolve_initial_references("NameService");
    const CORBA::String_var text = orb->object_to_string(names.in());
    roots.push_back({"NameService", text.in()});
  } catch (const CORBA::ORB::InvalidName&) {  // references may be opened in the page
  }
  return roots;
}

// Signals are blocked in all threads but taken here.
void wait_for_end(const sigset_t& ends) {
  int number = 0;
  (void)sigwait(&ends, &number);
}

HttpAnswer file(const std::string& name) {
  const PageFile* const found = find_page_file(name);
  if (!found) return {404, "text/plain", "404: there is no such file\n"};
  return {200, found->type, std::string(found->content)};
}

int browse(Arguments& arguments) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  if (arguments.timeout_ms == 0) arguments.timeout_ms = 10'000;
  Types types;
  load_idl(types, arguments);
  const CORBA::ORB_var orb = make_orb(arguments, true);
  {
    Api api(arguments, orb.in(), types, all_roots(arguments, orb.in()));
    const HttpServer server(
        static_cast<unsigned>(arguments.port), Gate::new_token(),
        [&](const HttpRequest& request) { return request.posts ? api.answer(request) : file(request.path); });
    std::printf("%s\n", server.address().c_str());
    std::fflush(stdout);
    wait_for_end(ends);
  }
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  Arguments arguments = read_arguments(argc, argv, Command::Browse);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis browse", arguments.problem, kUsage);
  try {
    return browse(arguments);
  } catch (const Failure& f) {
    std::fprintf(stderr, "callis browse: %s\n", f.text.c_str());
    return f.status;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis browse: %s\n", e.what());
    return kCannotRead;
  }
}
