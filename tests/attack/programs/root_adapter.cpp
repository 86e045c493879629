// SPDX-License-Identifier: Apache-2.0
#include "adapters.h"
#include "victim.h"

namespace attack {

namespace {

CORBA::Object_ptr activate_one(PortableServer::POA_ptr poa) {
  const PortableServer::ServantBase_var servant = new Victim;
  const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  return poa->id_to_reference(id.in());
}

}  // namespace

Objects make_objects(CORBA::ORB_ptr, PortableServer::POA_ptr root, int untold) {
  Objects objects;
  objects.victim = activate_one(root);
  for (int i = 0; i < untold; ++i) const CORBA::Object_var ignored = activate_one(root);
  return objects;
}

}  // namespace attack
