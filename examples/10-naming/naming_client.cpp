// SPDX-License-Identifier: Apache-2.0
// Finds a Greeter in a naming service, and calls it.
//
//     naming_client -ORBInitRef NameService=corbaloc::HOST:PORT/NameService [name]
#include <callis/corba.h>
#include <iostream>
#include "greeter.h"
#include "names.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CosNaming::NamingContext_var names = naming_service(orb);
    CORBA::Object_var object = names->resolve(name_of("greeter"));
    Greeter_var greeter = Greeter::_narrow(object);
    if (CORBA::is_nil(greeter)) {
      std::cerr << "naming_client: that object is no Greeter\n";
      return 1;
    }
    CORBA::String_var greeting = greeter->greet(argc > 1 ? argv[1] : "Ada");
    std::cout << greeting.in() << '\n';
    try {
      object = names->resolve(name_of("gardener"));
    } catch (const CosNaming::NamingContext::NotFound& e) {
      std::cout << "NotFound: " << e.rest_of_name[0].id.in() << '\n';
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "naming_client: " << e.what() << '\n';
    return 1;
  }
}
