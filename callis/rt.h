// SPDX-License-Identifier: Apache-2.0
// Real-time CORBA 1.2, fixed priorities (formal/05-01-04): modules RTCORBA and RTPortableServer.
// docs/guide/real-time.md shows their use. Programs that include this link callis::rt.
//
// Initial references: "RTORB", "RTCurrent", "PriorityMappingManager", "PriorityTransformManager",
// "NetworkPriorityMappingManager". An RTPortableServer::POA is any POA, narrowed (callis/rt/adapters/rt_poa.h).
//
// All operations may be called by any thread. Exceptions beyond those that the standard names, all with words:
//
//   Current::the_priority()         INITIALIZE: not set on this thread
//   Current::the_priority(p)        BAD_PARAM: p is not in 0 to 32767. DATA_CONVERSION: the mapping has no native
//                                   priority for p. NO_PERMISSION: the operating system refuses it. Nothing has
//                                   changed then. With -ORBRealTime off, and with preferred where the process may not
//                                   have priorities, only the number is set.
//   Mutex::lock(), try_lock()       BAD_INV_ORDER: the calling thread has it already. OBJECT_NOT_EXIST: destroyed
//   Mutex::unlock()                 BAD_INV_ORDER: nobody has it. NO_PERMISSION: another thread has it
//   Mutex::try_lock(max_wait)       max_wait in units of 100 ns; 0: returns at once
//   RTORB::destroy_mutex()          BAD_PARAM: nil, or not made by this ORB. BAD_INV_ORDER: a thread has it
//   RTORB::create_named_mutex()     BAD_PARAM: an empty name. NO_RESOURCES: there are 1024 already
//   RTORB::create_threadpool...()   BAD_PARAM: bad priorities, no lanes, two of one priority, no threads, a size that
//                                   no stack has. NO_RESOURCES, DATA_CONVERSION, NO_PERMISSION: as the system says
//   RTORB::create_..._policy()      BAD_PARAM: a bad value
//
// ORB::create_policy() makes the same policies:
//
//   RTCORBA::PRIORITY_MODEL_POLICY_TYPE                from Callis::PriorityModelValue
//   RTCORBA::THREADPOOL_POLICY_TYPE                         ULong: ThreadpoolId
//   RTCORBA::SERVER_PROTOCOL_POLICY_TYPE                    CORBA::ULongSeq: tags of profiles
//   RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE                    the same
//   RTCORBA::PRIVATE_CONNECTION_POLICY_TYPE                 any value, or none
//   RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE         RTCORBA::PriorityBands
#pragma once
#include <callis/base/cxx20.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include <callis/rt/adapters/rt_poa.h>
#include <callis/rt/priorities/network_priority.h>
#include <callis/rt/priorities/priority_mapping.h>

#include <callis/idl/RTCORBA.h>

namespace callis::rt {

// Lets ORBs know the initial references and policies above; done by including this file.
bool use();
[[maybe_unused]] static const bool used = use();

}  // namespace callis::rt
