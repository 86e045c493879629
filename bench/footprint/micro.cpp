// SPDX-License-Identifier: Apache-2.0
// A client and server of the micro profile in one program: the same as minimal.cpp, over TCP. Prints OK.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstdio>
#include "minimal_skel.h"

namespace {

class Servant final : public POA_Minimal {
  CORBA::Long twice(CORBA::Long n) override { return 2 * n; }
};

CORBA::ORB_ptr make_orb(const char* id) {
  char program[] = "micro", name[] = "-ORBEndpoint", endpoint[] = "tcp:127.0.0.1:0";
  char* argv[] = {program, name, endpoint, nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, id);
}

// Serves, and calls through the reference's text from another ORB, so that the call is a message.
bool call_over_tcp(CORBA::ORB_ptr client) {
  CORBA::ORB_var orb = make_orb("server");
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
    if (!call_over_tcp(client)) return 1;
    client->destroy();
    std::puts("OK");
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
