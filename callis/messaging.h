// SPDX-License-Identifier: Apache-2.0
// Policies of calls: modules Messaging, TimeBase and BiDirPolicy, and what CORBA has for setting policies (CORBA
// 3.0.3, 22.2 and 4.9). docs/guide/deadlines.md shows their use. Programs that include this link callis::messaging.
//
// ORB::create_policy() makes, with TimeBase::TimeT in units of 100 ns:
//
//   Messaging::REBIND_POLICY_TYPE                 from Short: RebindMode
//   Messaging::SYNC_SCOPE_POLICY_TYPE                  Short: SyncScope
//   Messaging::REQUEST_START_TIME_POLICY_TYPE          TimeBase::UtcT
//   Messaging::REQUEST_END_TIME_POLICY_TYPE            TimeBase::UtcT
//   Messaging::REPLY_START_TIME_POLICY_TYPE            TimeBase::UtcT
//   Messaging::REPLY_END_TIME_POLICY_TYPE              TimeBase::UtcT
//   Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE        ULongLong: TimeBase::TimeT; 0: none
//   Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE         ULongLong; 0: none
//   Callis::CONNECTION_TIMEOUT_POLICY_TYPE             ULongLong, for connecting to one address; 0: none
//   Messaging::REQUEST_PRIORITY_POLICY_TYPE            PriorityRange
//   Messaging::REPLY_PRIORITY_POLICY_TYPE              PriorityRange
//   Messaging::ROUTING_POLICY_TYPE                     RoutingTypeRange
//   Messaging::QUEUE_ORDER_POLICY_TYPE                 UShort: Ordering
//   BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE             UShort: NORMAL or BOTH
//
// The others of module Messaging are PolicyError(UNSUPPORTED_POLICY).
#pragma once
#include <callis/base/cxx20.h>
#include <callis/corba.h>
#include <callis/orb/base/policy_management.h>

#include <callis/idl/BiDirPolicy.h>
#include <callis/idl/Callis.h>
#include <callis/idl/Messaging.h>
#include <callis/idl/TimeBase.h>

namespace callis::messaging {

// Lets ORB::create_policy() know the policies above; done by including this file.
bool use();
[[maybe_unused]] static const bool used = use();

}  // namespace callis::messaging
