// SPDX-License-Identifier: Apache-2.0
// Calls a Greeter once for each name. It need not know who starts the server, or when.
//
//     demand_client REFERENCE NAME...
#include <callis/corba.h>
#include <iostream>
#include "greeter.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 3) {
      std::cerr << "usage: demand_client REFERENCE NAME...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Greeter_var greeter = Greeter::_unchecked_narrow(object);
    for (int i = 2; i < argc; ++i) {
      CORBA::String_var greeting = greeter->greet(argv[i]);
      std::cout << greeting.in() << '\n';
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "demand_client: " << e.what() << '\n';
    return 1;
  }
}
