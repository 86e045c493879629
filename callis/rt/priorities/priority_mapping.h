// SPDX-License-Identifier: Apache-2.0
// The native types of module RTCORBA, and how an ORB is given others (Real-time CORBA 1.2, "CORBA Priority Mappings"
// and "Priority Transforms").
//
//   "PriorityMappingManager", "PriorityTransformManager"      resolve_initial_references, _narrow
//
// Mappings and transforms are called by the threads that call and serve, several at once: they need no lock of the
// ORB, and must not wait. What they throw counts as false.
#pragma once
#include <callis/orb/object/orb.h>
#include <callis/poa/servant/local_interface.h>
#include <callis/poa/servant/object_id.h>

#include <callis/idl/RTCORBA.h>

namespace RTCORBA::inline callis_orb {

// From CORBA priorities, 0 to 32767, to those of the operating system, and back.
class PriorityMapping {
 public:
  virtual ~PriorityMapping() = default;
  // False: there is none. Whoever asked gets DATA_CONVERSION.
  virtual CORBA::Boolean to_native(Priority corba_priority, NativePriority& native_priority) = 0;
  virtual CORBA::Boolean to_CORBA(NativePriority native_priority, Priority& corba_priority) = 0;
};

// Changes the priority at which a request is executed: one that comes in to the object of that id (inbound), and
// those of calls that its servant makes (outbound). False: the request, the call ends with UNKNOWN.
class PriorityTransform {
 public:
  virtual ~PriorityTransform() = default;
  virtual CORBA::Boolean inbound(Priority& the_priority, const PortableServer::ObjectId& oid) = 0;
  virtual CORBA::Boolean outbound(Priority& the_priority, const PortableServer::ObjectId& oid) = 0;
};

// Any thread.
class PriorityMappingManager : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(PriorityMappingManager)
  // From now on the ORB uses this one, and owns it. It deletes the one before when no thread is in it any more: at
  // once, at a later change, or with the ORB. The ORB's own, which it has at first, lasts as long as the ORB.
  // BAD_PARAM for nullptr.
  virtual void mapping(PriorityMapping* mapping) = 0;
  // The one in use; the ORB owns it. It lasts until it is replaced.
  virtual PriorityMapping* mapping() = 0;
};
using PriorityMappingManager_ptr = PriorityMappingManager*;
using PriorityMappingManager_var = callis::classic::ReferenceVar<PriorityMappingManager>;

// Any thread.
class PriorityTransformManager : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(PriorityTransformManager)
  // As PriorityMappingManager::mapping(); nullptr: priorities are not changed, as at first.
  virtual void transform(PriorityTransform* transform) = 0;
  virtual PriorityTransform* transform() = 0;
};
using PriorityTransformManager_ptr = PriorityTransformManager*;
using PriorityTransformManager_var = callis::classic::ReferenceVar<PriorityTransformManager>;

}  // namespace RTCORBA::inline callis_orb
