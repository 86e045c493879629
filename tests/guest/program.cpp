// SPDX-License-Identifier: Apache-2.0
// guest_program serve FILE            writes its reference to the file, and serves
// guest_program daemon FILE WHERE     the same as a daemon: WHERE is before ORB_init (first), behind it (orb), or
//                                     behind the first reference (late); what it throws goes to FILE.error
// guest_program call FILE LOG         calls, prints to its descriptors 0 to 2 in between, and writes to LOG what came
//                                     of the calls
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include "guest.h"
#include "guest_skel.h"

namespace {

class Host final : public POA_guest::Host {
  char* echo(const char* text) override { return CORBA::string_dup(text); }
  void refuse(CORBA::Long number) override { throw guest::Refused(number, "as asked"); }
};

void become_daemon(const std::string& where, const char* here) {
  if (where == here && ::daemon(1, 0) != 0) std::perror("daemon");
}

int serve(int argc, char** argv) {
  const std::string file = argv[2], where = argc > 3 ? argv[3] : "";
  try {
    become_daemon(where, "first");
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    become_daemon(where, "orb");
    callis::shutdown_on_signals(orb.in());
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
    const PortableServer::ServantBase_var servant = new Host;
    const PortableServer::ObjectId_var id = root->activate_object(servant.in());
    object = root->id_to_reference(id.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    become_daemon(where, "late");
    const CORBA::String_var ior = orb->object_to_string(object.in());
    std::ofstream(file + ".new") << ior.in() << ' ' << ::getpid() << '\n';
    std::rename((file + ".new").c_str(), file.c_str());
    orb->run();
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::ofstream(file + ".error.new") << e.what() << '\n';
    std::rename((file + ".error.new").c_str(), (file + ".error").c_str());
    return 1;
  }
}

int call(int argc, char** argv) {
  const int low = ::open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::FILE* const log = ::fdopen(::fcntl(low, F_DUPFD_CLOEXEC, 10), "w");
  ::close(low);
  try {
    std::ifstream file(argv[2]);
    std::string ior;
    file >> ior;
    file.close();
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const CORBA::Object_var object = orb->string_to_object(ior.c_str());
    const guest::Host_var host = guest::Host::_unchecked_narrow(object.in());
    for (int i = 0; i < 20; ++i) {
      const CORBA::String_var answer = host->echo("x");
      for (const int descriptor : {0, 1, 2}) (void)!::write(descriptor, "printed\n", 8);
      std::fprintf(log, "%s\n", answer.in());
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::fprintf(log, "%s\n", e.what());
  }
  std::fclose(log);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return std::string(argv[1]) == "call" ? call(argc, argv) : serve(argc, argv);
}
