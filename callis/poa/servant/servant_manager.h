// SPDX-License-Identifier: Apache-2.0
// AdapterActivator, ServantActivator, ServantLocator: an application sets these in an adapter to make adapters and
// servants on demand (CORBA 3.3 part 1, 15.3.4-15.3.7; C++ mapping 1.3, 4.38).
//
// Applications derive from these classes, whose objects are counted like every local object. The adapter calls them
// on the thread of the request that needs them, or of the LocateRequest: then a locator is given the operation
// _non_existent. Calls to one adapter's ServantActivator are made one at a time, and so are calls to
// AdapterActivators of one ORB. A ServantLocator must expect several calls at once, unless the adapter's thread
// policy is SINGLE_THREAD_MODEL.
#pragma once
#include <callis/poa/servant/local_interface.h>
#include <callis/poa/servant/object_id.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/user_exception.h>

namespace PortableServer::inline callis_orb {

// Raised by incarnate() and preinvoke() to send the client to another object.
class ForwardRequest final : public CORBA::UserException {
 public:
  CORBA::Object_var forward_reference;
  ForwardRequest() = default;
  explicit ForwardRequest(CORBA::Object_ptr to) : forward_reference(CORBA::Object::_duplicate(to)) {}
  CALLIS_USER_EXCEPTION(ForwardRequest, "IDL:omg.org/PortableServer/ForwardRequest:1.0")
};

class AdapterActivator : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(AdapterActivator)
  // Makes the child of that name and returns true, or returns false. Requests to adapters made inside wait until
  // unknown_adapter() has returned.
  virtual CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) = 0;
};
using AdapterActivator_ptr = AdapterActivator*;
using AdapterActivator_var = callis::classic::ReferenceVar<AdapterActivator>;

class ServantManager : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(ServantManager)
};
using ServantManager_ptr = ServantManager*;
using ServantManager_var = callis::classic::ReferenceVar<ServantManager>;

// For adapters with RETAIN: makes the servant of an object at its first request. etherealize() must give back the
// count that incarnate() leaves.
class ServantActivator : public virtual ServantManager {
 public:
  CALLIS_LOCAL_INTERFACE(ServantActivator)
  virtual Servant incarnate(const ObjectId& id, POA_ptr adapter) = 0;
  // Called when the activation has ended; exceptions are ignored. Consumes a count of the servant (C++ mapping 1.3,
  // 4.38.3): the count of incarnate(), or the adapter's count for a servant that was activated otherwise. May delete
  // the servant: the adapter does not touch it afterwards. remaining_activations: the servant is still active under
  // another id.
  virtual void etherealize(const ObjectId& id, POA_ptr adapter, Servant servant, CORBA::Boolean cleanup_in_progress,
                           CORBA::Boolean remaining_activations) = 0;
};
using ServantActivator_ptr = ServantActivator*;
using ServantActivator_var = callis::classic::ReferenceVar<ServantActivator>;

// For adapters with NON_RETAIN: gives a servant for one request. Counting is the locator's affair.
class ServantLocator : public virtual ServantManager {
 public:
  CALLIS_LOCAL_INTERFACE(ServantLocator)
  using Cookie = void*;
  virtual Servant preinvoke(const ObjectId& id, POA_ptr adapter, const char* operation, Cookie& cookie) = 0;
  // Called on the same thread after every outcome, when the servant is done and before ending interception points are
  // called. A system exception of postinvoke() becomes the outcome.
  virtual void postinvoke(const ObjectId& id, POA_ptr adapter, const char* operation, Cookie cookie,
                          Servant servant) = 0;
};
using ServantLocator_ptr = ServantLocator*;
using ServantLocator_var = callis::classic::ReferenceVar<ServantLocator>;

}  // namespace PortableServer::inline callis_orb
