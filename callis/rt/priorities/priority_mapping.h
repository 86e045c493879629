// SPDX-License-Identifier: Apache-2.0
// The native types of module RTCORBA, and how an ORB is given others (Real-time CORBA 1.2, "CORBA Priority Mappings"
// and "Priority Transforms").
//
//   "PriorityMappingManager", "PriorityTransformManager"      resolve_initial_references, _narrow
//
// The threads that call and serve call mappings and transforms, several at once and without a lock of the ORB. A
// mapping or transform must not wait. An exception counts as false.
#pragma once
#include <callis/orb/base/orb.h>
#include <callis/poa/servant/local_interface.h>
#include <callis/poa/servant/object_id.h>

#include <callis/idl/RTCORBA.h>

namespace RTCORBA::inline callis_orb {

// Maps CORBA priorities, 0 to 32767, to priorities of the operating system, and back.
class PriorityMapping {
 public:
  virtual ~PriorityMapping() = default;
  // Both return false if there is no such priority. The caller of the ORB then gets DATA_CONVERSION.
  virtual CORBA::Boolean to_native(Priority corba_priority, NativePriority& native_priority) = 0;
  virtual CORBA::Boolean to_CORBA(NativePriority native_priority, Priority& corba_priority) = 0;
};

// Changes the priority of a request to the object with that id (inbound), and of calls that its servant makes
// (outbound). If either returns false, the request or the call ends with UNKNOWN.
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
  // The ORB uses this mapping from now on, and owns it. The ORB deletes the mapping before when no thread is in that
  // any more: at once, at a later change, or with the ORB. The ORB's own first mapping lasts as long as the ORB.
  // Raises BAD_PARAM for nullptr.
  virtual void mapping(PriorityMapping* mapping) = 0;
  // Returns the mapping in use, which lasts until it is replaced; the ORB owns it.
  virtual PriorityMapping* mapping() = 0;
};
using PriorityMappingManager_ptr = PriorityMappingManager*;
using PriorityMappingManager_var = callis::classic::ReferenceVar<PriorityMappingManager>;

// Any thread.
class PriorityTransformManager : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(PriorityTransformManager)
  // Does as PriorityMappingManager::mapping(). With nullptr priorities are not changed, as at first.
  virtual void transform(PriorityTransform* transform) = 0;
  virtual PriorityTransform* transform() = 0;
};
using PriorityTransformManager_ptr = PriorityTransformManager*;
using PriorityTransformManager_var = callis::classic::ReferenceVar<PriorityTransformManager>;

}  // namespace RTCORBA::inline callis_orb
