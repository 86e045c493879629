// SPDX-License-Identifier: Apache-2.0
// PortableServer::Current: the target of the upcall that the calling thread executes (CORBA 3.3 part 1, 15.3.10).
#pragma once
#include <callis/poa/servant/poa.h>

namespace PortableServer::inline callis_orb {

class Current;
using Current_ptr = Current*;
using Current_var = callis::classic::ReferenceVar<Current>;

// All operations raise NoContext outside upcalls. Any thread may call them.
class Current : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(Current)
  CALLIS_EMPTY_USER_EXCEPTION(NoContext, "IDL:omg.org/PortableServer/Current/NoContext:1.0")

  virtual POA_ptr get_POA() = 0;
  virtual ObjectId* get_object_id() = 0;
  virtual CORBA::Object_ptr get_reference() = 0;
  virtual Servant get_servant() = 0;  // with a count for the caller
};

}  // namespace PortableServer::inline callis_orb

namespace callis::poa {

PortableServer::Current_ptr make_current();

}  // namespace callis::poa
