// SPDX-License-Identifier: Apache-2.0
// NetworkPriorityMapping: from CORBA priorities to those of the network, and how an ORB is given another one. Of
// callis's own, as TAO has them.
//
//   "NetworkPriorityMappingManager"      resolve_initial_references, _narrow
//
// A network priority is a code point of Differentiated Services (RFC 2474): 0 to 63, the upper six bits of the octet
// that IP_TOS and IPV6_TCLASS set. TCP connections have one where TCPProtocolProperties::enable_network_priority
// asks for it.
//
// Mappings are called by the threads that call and serve, several at once: they need no lock of the ORB, and must not
// wait. What they throw counts as false.
#pragma once
#include <callis/orb/object/orb.h>
#include <callis/poa/servant/local_interface.h>

#include <callis/idl/RTCORBA.h>

namespace RTCORBA::inline callis_orb {

class NetworkPriorityMapping {
 public:
  virtual ~NetworkPriorityMapping() = default;
  // False: there is none. Clients get DATA_CONVERSION; servers log it, and leave the connection as it is.
  virtual CORBA::Boolean to_network(Priority corba_priority, NetworkPriority& network_priority) = 0;
  // For programs: the ORB does not ask.
  virtual CORBA::Boolean to_CORBA(NetworkPriority network_priority, Priority& corba_priority) = 0;
};

// Any thread.
class NetworkPriorityMappingManager : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(NetworkPriorityMappingManager)
  // Connections that are made from now on are marked as this one says. The ORB owns it, as
  // PriorityMappingManager::mapping() says. BAD_PARAM for nullptr.
  virtual void mapping(NetworkPriorityMapping* mapping) = 0;
  // The one in use; the ORB owns it. It lasts until it is replaced.
  virtual NetworkPriorityMapping* mapping() = 0;
};
using NetworkPriorityMappingManager_ptr = NetworkPriorityMappingManager*;
using NetworkPriorityMappingManager_var = callis::classic::ReferenceVar<NetworkPriorityMappingManager>;

}  // namespace RTCORBA::inline callis_orb
