// SPDX-License-Identifier: Apache-2.0
// The client of the interoperation tests: client GROUP NAME=VALUE... [-ORB options]
//
// The values are the server's references and some facts (client=, server=, version=). Prints the failures,
// then `checks N upcalls M`; exit status 0 when there were none, on either side.
#include "session.h"
#include "values.h"
#include <cstring>

namespace {

using namespace interop;

struct Group {
  const char* name;
  void (*run)(Session&);
};

constexpr unsigned kMany = 20000;  // more than the buffers of both ORBs, and sockets, hold at once

const Group kGroups[] = {
    {"params", [](Session& s) { check_params(s, 100); }},
    {"bulk", [](Session& s) { check_bulk(s, 100); }},
    {"large_params", [](Session& s) { check_params(s, kMany); }},
    {"large_bulk", [](Session& s) { check_bulk(s, kMany); }},
    {"types", check_types},
    {"variants", check_variants},
    {"wide", check_wide},
    {"calls", check_calls},
    {"errors", check_errors},
    {"objects", check_objects},
    {"any", check_any},
    {"dyn_any", check_dyn_any},
    {"contexts", check_contexts},
    {"steady", check_steady},
    {"eight_bit", check_eight_bit},
};

bool run_group(Session& session, const char* name) {
  for (const Group& group : kGroups) {
    if (std::strcmp(group.name, name) != 0) continue;
    group.run(session);
    return true;
  }
  return false;
}

void ask_the_server(Session& session) {
  const Interop::Control_var control = session.reference<Interop::Control>("control");
  const Interop::Strings_var failures = control->failures();
  for (CORBA::ULong i = 0; i < failures->length(); ++i) session.add_failure(chars(failures.in()[i]));
  std::printf("checks %d upcalls %u\n", session.checks(), static_cast<unsigned>(control->upcalls()));
}

int run(int argc, char** argv) {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  int status = 1;
  {
    Session session(orb.in());
    for (int i = 2; i < argc; ++i) {
      const std::string argument = argv[i];
      const std::size_t equals = argument.find('=');
      if (equals != std::string::npos) session.set(argument.substr(0, equals), argument.substr(equals + 1));
    }
    if (argc < 2 || !run_group(session, argv[1])) {
      std::fprintf(stderr, "client: no such group\n");
      return 2;
    }
    // While others send rubbish, the server has much to complain of.
    if (std::strcmp(argv[1], "steady") != 0) ask_the_server(session);
    status = session.failures() == 0 && session.checks() > 0 ? 0 : 1;
  }
  orb->destroy();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CORBA::SystemException& e) {
    std::printf("FAILED: CORBA::%s minor 0x%lx completed %d\n", e._name(), static_cast<unsigned long>(e.minor()),
                int(e.completed()));
  } catch (const CORBA::Exception& e) {
    std::printf("FAILED: %s\n", e._name());
  }
  return 1;
}
