// SPDX-License-Identifier: Apache-2.0
// Calls the Echo object whose reference is the argument, and prints what it answers.
//
//     hello_client IOR:... [message]
#include <callis/corba.h>
#include <iostream>
#include "hello.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: hello_client IOR:... [message]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Echo_var echo = Echo::_narrow(object);
    if (CORBA::is_nil(echo)) {
      std::cerr << "hello_client: that object is no Echo\n";
      return 1;
    }
    const char* message = argc > 2 ? argv[2] : "Hello!";
    CORBA::String_var answer = echo->echoString(message);
    std::cout << "I said, \"" << message << "\". The object replied, \"" << answer.in() << "\".\n";
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "hello_client: " << e.what() << '\n';
    return 1;
  }
}
