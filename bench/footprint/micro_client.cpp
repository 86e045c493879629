// SPDX-License-Identifier: Apache-2.0
// A client alone: calls the object whose reference is its argument, and prints OK.
#include <callis/corba.h>
#include <cstdio>
#include "minimal.h"

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) return std::fputs("usage: micro_client REFERENCE\n", stderr), 2;
    const CORBA::Object_var object = orb->string_to_object(argv[1]);
    const Minimal_var minimal = Minimal::_narrow(object);
    if (!minimal || minimal->twice(21) != 42) return 1;
    std::puts("OK");
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
