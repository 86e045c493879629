// SPDX-License-Identifier: Apache-2.0
// The objects under attack, and their adapters: the root adapter, or adapters whose requests lanes of a thread pool
// execute.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>

namespace attack {

struct Objects {
  CORBA::Object_var victim;      // the good client calls it
  CORBA::Object_var low;         // nil, or executed in the lane of low priority
  CORBA::Object_var propagated;  // nil, or executed at the priority that the client says
  CORBA::Object_var buffered;    // nil, or executed in a lane whose buffer is small
};

// untold: so many further objects in the victim's adapter. Defined by root_adapter.cpp, and by lane_adapters.cpp.
Objects make_objects(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, int untold);

}  // namespace attack
