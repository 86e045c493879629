// SPDX-License-Identifier: Apache-2.0
// Serves one Echo object. Prints its reference and runs until it is killed.
//
//     echo_server [-ORBEndpoint tcp:HOST:PORT]
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <iostream>
#include "echo_skel.h"

class Echo_servant : public POA_Echo {
  char* echoString(const char* mesg) override { return CORBA::string_dup(mesg); }
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var servant = new Echo_servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    object = poa->id_to_reference(id.in());
    CORBA::String_var reference = orb->object_to_string(object.in());
    std::cout << reference.in() << std::endl;

    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << "echo_server: " << e.what() << '\n';
    return 1;
  }
}
