// SPDX-License-Identifier: Apache-2.0
// Serves a Greeter of a site, under the name "greeter" in the site's naming service.
//
//     federation_server SITE -ORBInitRef NameService=REFERENCE
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <iostream>
#include <string>
#include "CosNaming.h"
#include "greeter_skel.h"

class GreeterServant : public POA_Greeter {
 public:
  explicit GreeterServant(std::string site) : site_(std::move(site)) {}

 private:
  char* greet(const char* name) override {
    const std::string text = "Good day from " + site_ + ", " + name;
    return CORBA::string_dup(text.c_str());
  }
  const std::string site_;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: federation_server SITE -ORBInitRef NameService=REFERENCE\n";
      return 2;
    }
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::ServantBase_var servant = new GreeterServant(argv[1]);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var greeter = poa->id_to_reference(id);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();

    object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContextExt_var names = CosNaming::NamingContextExt::_narrow(object);
    CosNaming::Name_var name = names->to_name("greeter");
    names->rebind(name, greeter);
    callis::shutdown_on_signals(orb);
    std::cout << "ready" << std::endl;
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "federation_server: " << e.what() << '\n';
    return 1;
  }
}
