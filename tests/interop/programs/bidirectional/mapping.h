// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef INTEROP_OMNIORB
#include <omniORB4/CORBA.h>
#include "bidirectional.hh"
#else
#include <callis/corba.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include "bidirectional.h"
#include "bidirectional_skel.h"
#endif
#include <cstdio>
#include <string>
#include <string_view>

namespace interop {

// Whether the programs were told to call back over connections of their own: "usual.adapters=yes".
inline bool wants_usual_adapters(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "usual.adapters=yes") return true;
  return false;
}

// An adapter whose objects may be called over connections that this ORB has opened, and whose ORB calls so; usual:
// one like any other.
inline PortableServer::POA_ptr bidirectional_adapter(CORBA::ORB_ptr orb, bool usual) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  if (usual) return root->create_POA("usual", manager.in(), CORBA::PolicyList());
  CORBA::Any both;
  both <<= BiDirPolicy::BOTH;
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, both);
  return root->create_POA("bidirectional", manager.in(), policies);
}

template <class Servant>
CORBA::Object_ptr activate(PortableServer::POA_ptr poa, Servant* servant) {
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id.in());
}

}  // namespace interop
