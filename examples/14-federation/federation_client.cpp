// SPDX-License-Identifier: Apache-2.0
// Finds Greeters by their names in one naming service, whichever services the names lead through, and calls them.
//
//     federation_client NAME... -ORBInitRef NameService=REFERENCE
#include <callis/corba.h>
#include <iostream>
#include <string>
#include "CosNaming.h"
#include "greeter.h"

static std::string call(CosNaming::NamingContextExt_ptr names, const char* name) {
  try {
    CORBA::Object_var object = names->resolve_str(name);
    Greeter_var greeter = Greeter::_narrow(object);
    CORBA::String_var greeting = greeter->greet("Ada");
    return greeting.in();
  } catch (const CosNaming::NamingContext::NotFound& e) {
    return "NotFound, from " + std::string(e.rest_of_name[0].id.in()) + " on";
  } catch (const CosNaming::NamingContext::CannotProceed& e) {
    return "CannotProceed, " + std::string(e.rest_of_name[0].id.in()) + " has to be asked for elsewhere";
  }
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContextExt_var names = CosNaming::NamingContextExt::_narrow(object);
    for (int i = 1; i < argc; ++i) std::cout << argv[i] << ": " << call(names, argv[i]) << '\n';
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "federation_client: " << e.what() << '\n';
    return 1;
  }
}
