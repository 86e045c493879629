// SPDX-License-Identifier: Apache-2.0
// The naming service, and the name under which server and client meet.
#pragma once
#include <callis/corba.h>
#include "CosNaming.h"

// Where it is, -ORBInitRef NameService=corbaloc::HOST:PORT/NameService tells.
inline CosNaming::NamingContext_ptr naming_service(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("NameService");
  return CosNaming::NamingContext::_narrow(object);
}

inline CosNaming::Name name_of(const char* id) {
  CosNaming::Name name;
  name.length(1);
  name[0].id = CORBA::string_dup(id);
  name[0].kind = CORBA::string_dup("example");
  return name;
}
