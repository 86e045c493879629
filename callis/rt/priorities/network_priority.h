// SPDX-License-Identifier: Apache-2.0
// NetworkPriorityMapping: maps CORBA priorities to priorities of the network. A program may give an ORB another
// mapping. These types are callis's own, in the form that TAO has.
//
//   "NetworkPriorityMappingManager"      resolve_initial_references, _narrow
//
// A network priority is a code point of Differentiated Services (RFC 2474): 0 to 63, the upper six bits of the octet
// that IP_TOS and IPV6_TCLASS set. TCP connections have a network priority if
// TCPProtocolProperties::enable_network_priority asks for it.
//
// The threads that call and serve call mappings, several at once and without a lock of the ORB. A mapping must not
// wait. An exception counts as false.
#pragma once
#include <callis/orb/base/orb.h>
#include <callis/poa/servant/local_interface.h>

#include <callis/idl/RTCORBA.h>

namespace RTCORBA::inline callis_orb {

class NetworkPriorityMapping {
 public:
  virtual ~NetworkPriorityMapping() = default;
  // Returns false if there is none. Clients then get DATA_CONVERSION; servers write to the log, and leave the
  // connection as it is.
  virtual CORBA::Boolean to_network(Priority corba_priority, NetworkPriority& network_priority) = 0;
  // Only programs call this, not the ORB.
  virtual CORBA::Boolean to_CORBA(NetworkPriority network_priority, Priority& corba_priority) = 0;
};

// Any thread.
class NetworkPriorityMappingManager : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(NetworkPriorityMappingManager)
  // Connections that are made from now on are marked as this one says. The ORB owns it, as
  // PriorityMappingManager::mapping() says. BAD_PARAM for nullptr.
  virtual void mapping(NetworkPriorityMapping* mapping) = 0;
  // Returns the mapping in use, which lasts until it is replaced; the ORB owns it.
  virtual NetworkPriorityMapping* mapping() = 0;
};
using NetworkPriorityMappingManager_ptr = NetworkPriorityMappingManager*;
using NetworkPriorityMappingManager_var = callis::classic::ReferenceVar<NetworkPriorityMappingManager>;

}  // namespace RTCORBA::inline callis_orb
