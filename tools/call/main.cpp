// SPDX-License-Identifier: Apache-2.0
// callis call: an operation of any object, called from the shell. Results go to the standard output as JSON,
// everything else to the standard error.
#include <tools/call/call.h>
#include <services/programs/usage.h>
#include <cstdio>

namespace {

using namespace callis::tools;

constexpr char kUsage[] =
    "usage: callis call REF OPERATION [JSON]... [--idl FILE | --ifr REF] [OPTION]...\n"
    "       callis call REF get ATTRIBUTE [--idl FILE | --ifr REF] [OPTION]...\n"
    "       callis call REF set ATTRIBUTE JSON [--idl FILE | --ifr REF] [OPTION]...\n"
    "\n"
    "Calls an operation of an object. Arguments and results are JSON; the mapping is in\n"
    CALLIS_GUIDE("call.md") ".\n"
    "\n"
    "  REF                  IOR:..., corbaloc:..., corbaname:..., or a file that has one (FILE, @FILE, - for the\n"
    "                       standard input)\n"
    "  JSON                 an argument for each in and inout parameter; - alone: the standard input has all of "
    "them,\n"
    "                       an array of all or an object by names\n"
    "  --idl FILE           the IDL of the interface; may be given several times\n"
    "  --ifr REF            an Interface Repository that has the interface; without --idl and --ifr the initial\n"
    "                       reference InterfaceRepository, else the one that the object's server names\n"
    "  -I DIR, -D NAME[=VALUE], -U NAME   as of callis idl\n"
    "  --interface NAME     the interface (A::B or IDL:A/B:1.0), where the reference does not say it\n"
    "  --timeout MS         for connecting, and for the call\n"
    "  --repeat N           calls N times, prints the last result, and how long the calls took\n"
    "  --oneway             does not wait for a reply\n"
    "  --pretty             results in several lines\n"
    "  --tls DIR[/NAME]     speaks TLS alone, by the certificate of the client, or NAME, in DIR (callis tls init)\n"
    "  -ORBoption VALUE     an option of the ORB (callis config --help)\n"
    "\n"
    "Exit status: 0; 1: the reference or the IDL cannot be read, or a result cannot be shown whole; 2: wrong usage "
    "or\n"
    "wrong JSON; 3: the operation raised a user exception, which is printed as JSON; 4: a system exception.\n";

int call(const Arguments& arguments) {
  Session session(arguments);
  std::size_t rest = 0;
  const auto operation = find_operation(session.interface(), arguments, rest);
  if (arguments.reference == "-" && arguments.arguments.size() == rest + 1 && arguments.arguments[rest] == "-")
    throw Failure{kWrongUsage, "the standard input cannot have both the reference and the arguments"};
  Call call(session.orb.in(), session.types, session.object.in(), operation);
  call.read({arguments.arguments.begin() + static_cast<std::ptrdiff_t>(rest), arguments.arguments.end()});
  std::vector<std::chrono::nanoseconds> times;
  Outcome outcome;
  for (std::uint64_t i = 0; i < arguments.repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call.make(arguments.oneway);
    times.push_back(std::chrono::steady_clock::now() - begin);
  }
  outcome = call.outcome();
  if (!outcome.silent) std::printf("%s\n", to_text(outcome.output, arguments.pretty).c_str());
  if (arguments.repeat > 1) std::fputs(latencies(std::move(times)).c_str(), stderr);
  for (const std::string& what : call.left_out()) std::fprintf(stderr, "callis call: %s\n", what.c_str());
  return outcome.status == 0 && !call.left_out().empty() ? kCannotRead : outcome.status;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const Arguments arguments = read_arguments(argc, argv, Command::Call);
  if (!arguments.problem.empty()) return callis::programs::wrong_usage("callis call", arguments.problem, kUsage);
  try {
    return call(arguments);
  } catch (const Failure& f) {
    std::fprintf(stderr, "callis call: %s\n", f.text.c_str());
    return f.status;
  } catch (const CannotShow& c) {
    std::fprintf(stderr, "callis call: the call was made, but its result cannot be shown: %s\n", c.text.c_str());
    return kCannotRead;
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "callis call: %s\n", explain(e, arguments).c_str());
    return kSystemException;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis call: %s\n", e.what());
    return kCannotRead;
  }
}
