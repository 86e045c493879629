// SPDX-License-Identifier: Apache-2.0
// A minimal client and server in one program: a servant in the root adapter, called through a reference over
// memory and through one over TCP. Prints OK. Its size without libc and libstdc++ is what bench/footprint
// measures.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstdio>
#include "minimal_skel.h"

namespace {

class Servant final : public POA_Minimal {
  CORBA::Long twice(CORBA::Long n) override { return 2 * n; }
};

CORBA::ORB_ptr make_orb(const char* id, const char* endpoint) {
  char program[] = "minimal", name[] = "-ORBEndpoint";
  char* argv[] = {program, name, const_cast<char*>(endpoint), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, id);
}

// Serves at the endpoint and calls through the reference's text from another ORB, so that the call is a message.
bool call_over(const char* id, const char* endpoint, CORBA::ORB_ptr client) {
  CORBA::ORB_var orb = make_orb(id, endpoint);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::ServantBase_var servant = new Servant;
  PortableServer::ObjectId_var oid = poa->activate_object(servant);
  object = poa->id_to_reference(oid);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  const CORBA::String_var text = orb->object_to_string(object);
  object = client->string_to_object(text);
  const Minimal_var minimal = Minimal::_narrow(object);
  const bool right = minimal->twice(21) == 42;
  orb->destroy();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var client = CORBA::ORB_init(argc, argv, "client");
    if (!call_over("a", "memory:minimal", client) || !call_over("b", "tcp:127.0.0.1:0", client)) return 1;
    client->destroy();
    std::puts("OK");
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
