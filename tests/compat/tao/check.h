// SPDX-License-Identifier: Apache-2.0
// How the programs of this folder say what they have found; and a bank in this process.
#ifndef CHECK_H
#define CHECK_H
#include "Bank_i.h"

#define CHECK(condition) \
  do { if (!(condition)) ACE_ERROR_RETURN ((LM_ERROR, "%N:%l: not so: %C\n", #condition), 1); } while (0)

inline Test::Bank_ptr
make_bank (CORBA::ORB_ptr orb)
{
  CORBA::Object_var object = orb->resolve_initial_references ("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow (object.in ());
  PortableServer::POAManager_var manager = poa->the_POAManager ();
  manager->activate ();
  PortableServer::ServantBase_var servant (new Bank_i (orb));
  PortableServer::ObjectId_var id = poa->activate_object (servant.in ());
  object = poa->id_to_reference (id.in ());
  return Test::Bank::_narrow (object.in ());
}

#endif /* CHECK_H */
