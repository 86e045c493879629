// SPDX-License-Identifier: Apache-2.0
// A server alone: prints the reference of its object, and serves.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstdio>
#include "minimal_skel.h"

namespace {

class Servant final : public POA_Minimal {
  CORBA::Long twice(CORBA::Long n) override { return 2 * n; }
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    const PortableServer::ServantBase_var servant = new Servant;
    const PortableServer::ObjectId_var oid = poa->activate_object(servant);
    object = poa->id_to_reference(oid);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    const CORBA::String_var text = orb->object_to_string(object);
    std::puts(text);
    std::fflush(stdout);
    orb->run();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
