// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mapping.h"

namespace interop {

// A new servant in the POA, and a reference to it; the POA owns the servant.
template <class Servant>
CORBA::Object_ptr activate(PortableServer::POA_ptr poa, Servant* servant) {
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id.in());
}

}  // namespace interop
