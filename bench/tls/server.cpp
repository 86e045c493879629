// SPDX-License-Identifier: Apache-2.0
// Prints its reference, and serves until its input ends.
#include "orb.h"
#include <unistd.h>
#include <cstdio>

class Servant final : public POA_Shorts {
 public:
  CORBA::Short test_short(CORBA::Short a, CORBA::Short& b, CORBA::Short& c) override {
    const CORBA::Short sum = static_cast<CORBA::Short>(a + b);
    c = b;
    b = a;
    return sum;
  }
  CORBA::Long put(const Shorts::Octets& data) override { return static_cast<CORBA::Long>(data.length()); }
};

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<Servant> servant(new Servant);
  PortableServer::ObjectId_var id = root->activate_object(servant.in());
  object = root->id_to_reference(id.in());
  CORBA::String_var text = orb->object_to_string(object.in());
  std::puts(text.in());
  std::fflush(stdout);
  char byte;
  while (::read(0, &byte, 1) > 0) {}
  orb->destroy();
  return 0;
} catch (const CORBA::Exception&) {
  std::fputs("an exception\n", stderr);
  return 1;
}
