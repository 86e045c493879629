// SPDX-License-Identifier: Apache-2.0
// PortableServer::POA and POAManager (CORBA 3.3 part 1, 15.3; C++ mapping 1.3, 4.33 ff.).
//
// Both are local objects, and counted. Any thread may call any operation, also inside upcalls, unless the operation's
// comment says otherwise. Operations on an adapter that has been destroyed raise CORBA::OBJECT_NOT_EXIST. nil or null
// arguments raise CORBA::BAD_PARAM. If an object finds no slot, the operation raises CORBA::NO_MEMORY; elsewhere
// std::bad_alloc may come through.
#pragma once
#include <callis/poa/servant/object_id.h>
#include <callis/poa/servant/policy.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/servant_manager.h>
#include <callis/poa/servant/user_exception.h>

namespace PortableServer::inline callis_orb {

using POA_var = callis::classic::ReferenceVar<POA>;
using POA_out = callis::classic::ReferenceOut<POA>;

class POAList : public callis::classic::ReferenceSequence<POA> {
 public:
  using callis::classic::ReferenceSequence<POA>::SequenceOf;
  POAList() = default;
};
using POAList_var = callis::classic::SequenceVar<POAList>;

class POAManager;
using POAManager_ptr = POAManager*;
using POAManager_var = callis::classic::ReferenceVar<POAManager>;
using POAManager_out = callis::classic::ReferenceOut<POAManager>;

// Decides the fate of requests for a group of adapters (15.3.2). A new manager holds requests.
class POAManager : public CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(POAManager)
  CALLIS_EMPTY_USER_EXCEPTION(AdapterInactive, "IDL:omg.org/PortableServer/POAManager/AdapterInactive:1.0")
  enum State : CORBA::ULong { HOLDING, ACTIVE, DISCARDING, INACTIVE };

  // Requests are served.
  virtual void activate() = 0;
  // Requests wait for the next state, at most as long as a call may take. After that time, or if too many wait
  // already, they are refused with TRANSIENT (OMG minor 1).
  virtual void hold_requests(CORBA::Boolean wait_for_completion) = 0;
  // Requests are refused with TRANSIENT (OMG minor 1).
  virtual void discard_requests(CORBA::Boolean wait_for_completion) = 0;
  // Requests are refused with OBJ_ADAPTER (OMG minor 1), for ever.
  virtual void deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) = 0;
  virtual State get_state() = 0;
  virtual char* get_id() = 0;  // that of the root's is "RootPOAManager"
  // wait_for_completion: the call returns when no request is being executed in any of the adapters, or when another
  // thread has changed the state again. deactivate(true, true) also waits until all ServantActivators have been told.
  // Inside an upcall of the same ORB, wait_for_completion raises BAD_INV_ORDER (OMG minor 3), and nothing changes.
  // All operations but get_state() and get_id() raise AdapterInactive once the manager is inactive.
};

// The managers of one ORB (15.3.3).
class POAManagerFactory : public CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(POAManagerFactory)
  CALLIS_EMPTY_USER_EXCEPTION(ManagerAlreadyExists,
                              "IDL:omg.org/PortableServer/POAManagerFactory/ManagerAlreadyExists:1.0")
  class POAManagerSeq : public callis::classic::ReferenceSequence<POAManager> {
   public:
    using callis::classic::ReferenceSequence<POAManager>::SequenceOf;
    POAManagerSeq() = default;
  };
  using POAManagerSeq_var = callis::classic::SequenceVar<POAManagerSeq>;

  // Makes a manager, which keeps its id until the last of its adapters has been destroyed. Managers have no policies,
  // so each given policy raises CORBA::PolicyError (callis/messaging.h). The reason is UNSUPPORTED_POLICY for a
  // policy that is known elsewhere, otherwise BAD_POLICY.
  virtual POAManager_ptr create_POAManager(const char* id, const CORBA::PolicyList& policies) = 0;
  // All managers that exist, also managers made by create_POA().
  virtual POAManagerSeq* list() = 0;
  virtual POAManager_ptr find(const char* id) = 0;  // nil for none
};
using POAManagerFactory_ptr = POAManagerFactory*;
using POAManagerFactory_var = callis::classic::ReferenceVar<POAManagerFactory>;

class POA : public CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(POA)
  CALLIS_EMPTY_USER_EXCEPTION(AdapterAlreadyExists, "IDL:omg.org/PortableServer/POA/AdapterAlreadyExists:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(AdapterNonExistent, "IDL:omg.org/PortableServer/POA/AdapterNonExistent:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(NoServant, "IDL:omg.org/PortableServer/POA/NoServant:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(ObjectAlreadyActive, "IDL:omg.org/PortableServer/POA/ObjectAlreadyActive:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(ObjectNotActive, "IDL:omg.org/PortableServer/POA/ObjectNotActive:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(ServantAlreadyActive, "IDL:omg.org/PortableServer/POA/ServantAlreadyActive:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(ServantNotActive, "IDL:omg.org/PortableServer/POA/ServantNotActive:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(WrongAdapter, "IDL:omg.org/PortableServer/POA/WrongAdapter:1.0")
  CALLIS_EMPTY_USER_EXCEPTION(WrongPolicy, "IDL:omg.org/PortableServer/POA/WrongPolicy:1.0")
  class InvalidPolicy final : public CORBA::UserException {
   public:
    CORBA::UShort index = 0;
    InvalidPolicy() = default;
    explicit InvalidPolicy(CORBA::UShort i) : index(i) {}
    CALLIS_USER_EXCEPTION(InvalidPolicy, "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0")
  };

  // --- the tree of adapters ---

  // Makes a child. If manager is nil, the child gets a new manager. The defaults of policies are ORB_CTRL_MODEL,
  // TRANSIENT, UNIQUE_ID, SYSTEM_ID, NO_IMPLICIT_ACTIVATION, RETAIN, USE_ACTIVE_OBJECT_MAP_ONLY. InvalidPolicy names
  // the first policy that is unknown, not supported, or at odds with the others. While an adapter of the same name is
  // being destroyed the call waits; inside an upcall the call raises BAD_INV_ORDER (OMG minor 3) instead.
  virtual POA_ptr create_POA(const char* adapter_name, POAManager_ptr manager, const CORBA::PolicyList& policies) = 0;
  // activate_it: the activator is asked for an adapter that does not exist. If the activator throws a system
  // exception, find_POA() raises OBJ_ADAPTER (OMG minor 1).
  virtual POA_ptr find_POA(const char* adapter_name, CORBA::Boolean activate_it) = 0;
  // Deactivates the objects of this adapter and of all below it. etherealize_objects: the ServantActivators are told,
  // once none of an adapter's requests is executed any more. wait_for_completion: the call returns when no request is
  // being executed in the adapters and all are gone; inside an upcall of the ORB the call raises BAD_INV_ORDER (OMG
  // minor 3). Does nothing after the ORB's shutdown, which has destroyed all adapters.
  virtual void destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) = 0;

  virtual char* the_name() = 0;
  virtual POA_ptr the_parent() = 0;  // nil for the root
  virtual POAList* the_children() = 0;
  virtual POAManager_ptr the_POAManager() = 0;
  virtual POAManagerFactory_ptr the_POAManagerFactory() = 0;
  // The id is unique among the adapters of this ORB. A persistent adapter has the same id in its next process.
  virtual ObjectId* id() = 0;

  // The activator is asked for missing children that requests or find_POA(name, true) name. nil if there is none.
  virtual AdapterActivator_ptr the_activator() = 0;
  virtual void the_activator(AdapterActivator_ptr activator) = 0;

  // --- policies ---

  ThreadPolicy_ptr create_thread_policy(ThreadPolicyValue value) { return new ThreadPolicy(value); }
  LifespanPolicy_ptr create_lifespan_policy(LifespanPolicyValue value) { return new LifespanPolicy(value); }
  IdUniquenessPolicy_ptr create_id_uniqueness_policy(IdUniquenessPolicyValue value) {
    return new IdUniquenessPolicy(value);
  }
  IdAssignmentPolicy_ptr create_id_assignment_policy(IdAssignmentPolicyValue value) {
    return new IdAssignmentPolicy(value);
  }
  ImplicitActivationPolicy_ptr create_implicit_activation_policy(ImplicitActivationPolicyValue value) {
    return new ImplicitActivationPolicy(value);
  }
  ServantRetentionPolicy_ptr create_servant_retention_policy(ServantRetentionPolicyValue value) {
    return new ServantRetentionPolicy(value);
  }
  RequestProcessingPolicy_ptr create_request_processing_policy(RequestProcessingPolicyValue value) {
    return new RequestProcessingPolicy(value);
  }

  // --- servants on demand ---

  // Both raise WrongPolicy without USE_SERVANT_MANAGER. The manager is a ServantActivator if the adapter retains,
  // else a ServantLocator; nil and the other kind raise OBJ_ADAPTER (OMG minor 4). Setting a second manager raises
  // BAD_INV_ORDER (OMG minor 6).
  virtual ServantManager_ptr get_servant_manager() = 0;
  virtual void set_servant_manager(ServantManager_ptr manager) = 0;
  // The servant of all objects that have no servant of their own. Both raise WrongPolicy without USE_DEFAULT_SERVANT.
  virtual Servant get_servant() = 0;  // NoServant; with a count for the caller
  virtual void set_servant(Servant servant) = 0;

  // --- objects ---

  virtual ObjectId* activate_object(Servant servant) = 0;
  // While the same id is being deactivated the call waits; inside an upcall on that object the call raises
  // ObjectAlreadyActive. Raises BAD_PARAM (OMG minor 14) for an id that a SYSTEM_ID adapter did not make.
  virtual void activate_object_with_id(const ObjectId& id, Servant servant) = 0;
  // Does not wait: requests in progress go on, and the servant is let go after the last of them.
  virtual void deactivate_object(const ObjectId& id) = 0;
  virtual CORBA::Object_ptr create_reference(const char* repository_id) = 0;
  virtual CORBA::Object_ptr create_reference_with_id(const ObjectId& id, const char* repository_id) = 0;

  // --- from one to the other; servants returned carry a count for the caller ---

  virtual ObjectId* servant_to_id(Servant servant) = 0;
  virtual CORBA::Object_ptr servant_to_reference(Servant servant) = 0;
  virtual Servant reference_to_servant(CORBA::Object_ptr reference) = 0;
  virtual ObjectId* reference_to_id(CORBA::Object_ptr reference) = 0;
  virtual Servant id_to_servant(const ObjectId& id) = 0;
  virtual CORBA::Object_ptr id_to_reference(const ObjectId& id) = 0;
};

}  // namespace PortableServer::inline callis_orb
