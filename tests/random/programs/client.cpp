// SPDX-License-Identifier: Apache-2.0
// Calls every operation of a batch of random files: client IOR SEED ROUNDS [-ORB options]
#include "remote.h"
#include <cstdlib>

namespace {

std::string g_call;
int g_failures = 0;
CORBA::ULong g_calls = 0;
CORBA::ORB_var g_orb;
RandomControl::Control_var g_control;
remote::Objects g_objects;

void call(const host::Interface& interface, const host::Operation& operation, unsigned long long seed) {
  try {
    const CORBA::Object_var object = host::object(interface.name, 0);
    g_control->begin(seed, g_calls);
    ++g_calls;
    host::Random r(seed);
    operation.call(object.in(), r);
  } catch (const CORBA::Exception& e) {
    host::unexpected(e);
  }
}

void run(const host::File& file, unsigned long long seed, unsigned rounds) {
  for (unsigned i = 0; i < file.count; ++i) {
    const host::Interface& interface = file.interfaces[i];
    for (unsigned o = 0; o < interface.count; ++o) {
      for (unsigned round = 0; round < rounds; ++round) {
        g_call = std::string(file.name) + " " + interface.name + "." + interface.operations[o].name + " value seed " +
                 std::to_string(seed + round);
        call(interface, interface.operations[o], seed + round);
      }
    }
  }
}

int ask_the_server() {
  const CORBA::String_var failures = g_control->failures(g_calls);
  std::printf("%s", failures.in());
  std::printf("%u calls, %d failures\n", static_cast<unsigned>(g_calls), g_failures);
  return *failures.in() == '\0' && g_calls != 0 && g_failures == 0 ? 0 : 1;
}

int connect(int argc, char** argv) {
  remote::enlarge_buffers();
  g_orb = CORBA::ORB_init(argc, argv);
  remote::add_factories(g_orb.in());
  if (argc < 4) return 2;
  const CORBA::Object_var control = g_orb->string_to_object(argv[1]);
  g_control = RandomControl::Control::_narrow(control.in());
  for (unsigned f = 0; f < host::file_count; ++f)
    run(*host::files[f], std::strtoull(argv[2], nullptr, 10), static_cast<unsigned>(std::atoi(argv[3])));
  const int status = ask_the_server();
  g_control = RandomControl::Control::_nil();
  g_objects = {};
  g_orb->destroy();
  return status;
}

}  // namespace

namespace host {

Random upcall(const char*) { return Random(0); }
CORBA::Object_ptr object(const char* name, unsigned which) {
  return g_objects.get(name, which, [name, which] {
    const CORBA::String_var ior = g_control->reference(name, which);
    return g_orb->string_to_object(ior.in());
  });
}
void check(bool good, const char* what) {
  if (good) return;
  ++g_failures;
  std::printf("FAILED: %s: %s\n", g_call.c_str(), what);
  std::fflush(stdout);
}

}  // namespace host

int main(int argc, char** argv) {
  try {
    return connect(argc, argv);
  } catch (const CORBA::SystemException& e) {
    return remote::report("client", e);
  }
}
