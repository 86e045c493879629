// SPDX-License-Identifier: Apache-2.0
// Serves a Greeter, under the name "greeter.example" in a naming service as long as it runs.
//
//     naming_server -ORBInitRef NameService=corbaloc::HOST:PORT/NameService
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <string>
#include <thread>
#include "greeter_skel.h"
#include "names.h"

class GreeterServant : public POA_Greeter {
  char* greet(const char* name) override {
    const std::string text = std::string("Good day, ") + name;
    return CORBA::string_dup(text.c_str());
  }
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var servant = new GreeterServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();

    CosNaming::NamingContext_var names = naming_service(orb);
    const CosNaming::Name name = name_of("greeter");
    names->rebind(name, object);  // also where a server that has ended badly has left its name
    std::cout << "ready" << std::endl;

    std::jthread ender([&] {
      int number = 0;
      sigwait(&ends, &number);
      try {
        names->unbind(name);
      } catch (const CORBA::Exception& e) {
        std::cerr << "naming_server: " << e.what() << '\n';
      }
      orb->shutdown(false);
    });
    orb->run();
    ender.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "naming_server: " << e.what() << '\n';
    return 1;
  }
}
