// SPDX-License-Identifier: Apache-2.0
// RTPortableServer::POA: an object adapter with priorities of objects (Real-time CORBA 1.2, "Real-time POA").
//
//   RTPortableServer::POA_var rt = RTPortableServer::POA::_narrow(poa);      any POA of an ORB
//
// It is a face of that POA: both are the same adapter, of which the plain one is as good for everything that the
// plain one has. Any thread; exceptions as those of PortableServer::POA.
//
// Priorities of objects: for adapters with the PriorityModel SERVER_DECLARED, otherwise WrongPolicy. BAD_PARAM for
// priorities outside 0 to 32767, and for those that no lane of the adapter's thread pool has.
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
  // Nil for nil, and for what is no object adapter of an ORB. BAD_INV_ORDER, OMG minor 4, after its shutdown.
  static POA_ptr _narrow(CORBA::Object_ptr object);
  static POA_ptr _unchecked_narrow(CORBA::Object_ptr object) { return _narrow(object); }
  static POA_ptr _nil() { return nullptr; }

  // As create_reference() and create_reference_with_id(): requests to the object are executed at that priority, also
  // when it is activated later. The adapter remembers it until its end: at most 65536 such references without an
  // active object for an ORB, then NO_RESOURCES.
  virtual CORBA::Object_ptr create_reference_with_priority(const char* repository_id, RTCORBA::Priority priority) = 0;
  virtual CORBA::Object_ptr create_reference_with_id_and_priority(const PortableServer::ObjectId& id,
                                                                  const char* repository_id,
                                                                  RTCORBA::Priority priority) = 0;
  // As activate_object() and activate_object_with_id(). Until the object's deactivation.
  virtual PortableServer::ObjectId* activate_object_with_priority(PortableServer::Servant servant,
                                                                  RTCORBA::Priority priority) = 0;
  virtual void activate_object_with_id_and_priority(const PortableServer::ObjectId& id,
                                                    PortableServer::Servant servant, RTCORBA::Priority priority) = 0;
};

}  // namespace RTPortableServer::inline callis_orb
