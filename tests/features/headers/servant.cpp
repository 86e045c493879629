// SPDX-License-Identifier: Apache-2.0
// A server that includes its skeletons and no header of callis by hand.
#include "alone_skel.h"
#include "promises.h"

namespace {

class Servant final : public POA_Alone {
 public:
  CORBA::Long twice(CORBA::Long n) override { return 2 * n; }
  char* same(const char* s) override { return CORBA::string_dup(s); }
  Row* turned(const Row& row) override { return new Row(row); }
  void tick(CORBA::Long) override {}
};

void serve(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var(root->the_POAManager())->activate();
  const PortableServer::ServantBase_var servant = new Servant;
  const PortableServer::ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var there = root->id_to_reference(id.in());
  const Alone_var alone = Alone::_narrow(there.in());
  if (alone->twice(21) != 42) throw std::string("the servant does not answer");
}

}  // namespace

int main() { return promises::run(serve); }
