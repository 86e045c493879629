// SPDX-License-Identifier: Apache-2.0
// Serves a Greeter for an Implementation Repository (callis imr), which starts it when somebody calls.
//
//     demand_server FILE
//
// Writes the Greeter's reference into FILE. The repository tells it by its environment who it is; so the reference
// leads through the repository, and stays good when this process has ended.
#include <callis/corba.h>
#include <callis/imr.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <atomic>
#include <fstream>
#include <iostream>
#include <string>
#include "greeter_skel.h"

class GreeterServant : public POA_Greeter {
  char* greet(const char* name) override {
    const std::string text =
        "Good day, " + std::string(name) + ". This is call " + std::to_string(++calls_) + " of this process.";
    return CORBA::string_dup(text.c_str());
  }
  std::atomic<int> calls_{0};
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: demand_server FILE\n";
      return 2;
    }
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    CORBA::PolicyList policies(2);
    policies.length(2);
    policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    PortableServer::POA_var poa = root->create_POA("greeters", manager, policies);

    PortableServer::ServantBase_var servant = new GreeterServant;
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("greeter");
    poa->activate_object_with_id(id, servant);
    CORBA::Object_var greeter = poa->id_to_reference(id);
    CORBA::String_var text = orb->object_to_string(greeter);
    std::ofstream(argv[1]) << text.in() << '\n';

    callis::shutdown_on_signals(orb);
    manager->activate();  // the repository is told, and lets clients come
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "demand_server: " << e.what() << '\n';
    return 1;
  }
}
