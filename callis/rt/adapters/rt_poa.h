// SPDX-License-Identifier: Apache-2.0
// RTPortableServer::POA: an object adapter with priorities of objects (Real-time CORBA 1.2, "Real-time POA").
//
//   RTPortableServer::POA_var rt = RTPortableServer::POA::_narrow(poa);      any POA of an ORB
//
// The object is another interface to the same adapter; the operations of PortableServer::POA do the same through
// both. Any thread may call. Exceptions are as those of PortableServer::POA.
//
// Only adapters with the PriorityModel SERVER_DECLARED have priorities of objects; others raise WrongPolicy.
// BAD_PARAM is raised for priorities outside 0 to 32767, and for priorities that no lane of the adapter's thread pool
// has.
#pragma once
#include <callis/poa/servant/poa.h>

#include <callis/idl/RTCORBA.h>

namespace RTPortableServer::inline callis_orb {

class POA;
using POA_ptr = POA*;
using POA_var = callis::classic::ReferenceVar<POA>;
using POA_out = callis::classic::ReferenceOut<POA>;

class POA : public virtual PortableServer::POA {
 public:
  using _ptr_type = POA_ptr;
  using _var_type = POA_var;
  static POA_ptr _duplicate(POA_ptr p) { return callis::poa::duplicate_local(p); }
  // Returns nil for nil, and for objects that are no object adapter of an ORB. Raises BAD_INV_ORDER, OMG minor 4,
  // after the ORB's shutdown.
  static POA_ptr _narrow(CORBA::Object_ptr object);
  static POA_ptr _unchecked_narrow(CORBA::Object_ptr object) { return _narrow(object); }
  static POA_ptr _nil() { return nullptr; }

  // These do as create_reference() and create_reference_with_id(). Requests to the object are executed at that
  // priority, also if the object is activated later. The adapter remembers the priority until its end. An ORB
  // remembers at most 65536 such references without an active object; further ones are NO_RESOURCES.
  virtual CORBA::Object_ptr create_reference_with_priority(const char* repository_id, RTCORBA::Priority priority) = 0;
  virtual CORBA::Object_ptr create_reference_with_id_and_priority(const PortableServer::ObjectId& id,
                                                                  const char* repository_id,
                                                                  RTCORBA::Priority priority) = 0;
  // These do as activate_object() and activate_object_with_id(). The priority lasts until the object's deactivation.
  virtual PortableServer::ObjectId* activate_object_with_priority(PortableServer::Servant servant,
                                                                  RTCORBA::Priority priority) = 0;
  virtual void activate_object_with_id_and_priority(const PortableServer::ObjectId& id,
                                                    PortableServer::Servant servant, RTCORBA::Priority priority) = 0;
};

}  // namespace RTPortableServer::inline callis_orb
