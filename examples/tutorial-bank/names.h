// SPDX-License-Identifier: Apache-2.0
// Where server and client meet: the naming service, and the name of the office.
#pragma once
#include <callis/corba.h>
#include "CosNaming.h"

inline CosNaming::NamingContext_ptr naming_service(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("NameService");
  return CosNaming::NamingContext::_narrow(object);
}

inline CosNaming::Name office_name() {
  CosNaming::Name name;
  name.length(1);
  name[0].id = CORBA::string_dup("office");
  name[0].kind = CORBA::string_dup("bank");
  return name;
}
