// SPDX-License-Identifier: Apache-2.0
// Policies: the checked policies that an adapter was created with (CORBA 3.3 part 1, 15.3.8 and 15.3.9.1).
#pragma once
#include <callis/orb/context/server_request.h>
#include <callis/poa/servant/demultiplexing.h>
#include <callis/poa/servant/policy.h>
#include <optional>

namespace callis::orb {
class Interception;
}

namespace callis::poa {

struct Policies {
  PortableServer::ThreadPolicyValue thread = PortableServer::ORB_CTRL_MODEL;
  PortableServer::LifespanPolicyValue lifespan = PortableServer::TRANSIENT;
  PortableServer::IdUniquenessPolicyValue uniqueness = PortableServer::UNIQUE_ID;
  PortableServer::IdAssignmentPolicyValue assignment = PortableServer::SYSTEM_ID;
  PortableServer::ImplicitActivationPolicyValue implicit = PortableServer::NO_IMPLICIT_ACTIVATION;
  PortableServer::ServantRetentionPolicyValue retention = PortableServer::RETAIN;
  PortableServer::RequestProcessingPolicyValue processing = PortableServer::USE_ACTIVE_OBJECT_MAP_ONLY;

  bool bidirectional = false;  // BidirectionalPolicy: BOTH
  std::optional<orb::Collocation> collocation;  // none: as the ORB says, like the next
  std::optional<orb::Demultiplexing> demultiplexing;

  friend bool operator==(const Policies&, const Policies&) = default;

  bool persistent() const { return lifespan == PortableServer::PERSISTENT; }
  bool unique() const { return uniqueness == PortableServer::UNIQUE_ID; }
  bool system_ids() const { return assignment == PortableServer::SYSTEM_ID; }
  bool implicit_activation() const { return implicit == PortableServer::IMPLICIT_ACTIVATION; }
  bool retain() const { return retention == PortableServer::RETAIN; }
  bool default_servant() const { return processing == PortableServer::USE_DEFAULT_SERVANT; }
  bool servant_manager() const { return processing == PortableServer::USE_SERVANT_MANAGER; }
  bool single_thread() const { return thread == PortableServer::SINGLE_THREAD_MODEL; }
  bool main_thread() const { return thread == PortableServer::MAIN_THREAD_MODEL; }
};

// The policies of RootPOA (15.3.8).
Policies root_policies();

// Whether adapters may be made with policies of that type.
bool is_of_adapters(CORBA::PolicyType type);

// Reads a list into policies. main_thread: whether there is a main thread, for MAIN_THREAD_MODEL. Returns the index
// of the first entry that is nil, unknown, not supported or in conflict with another. A conflict of two entries
// counts at the later entry, a conflict with a default at its only entry. Policies that a factory of interception
// makes are skipped and are no fault.
std::optional<CORBA::UShort> read_policies(const CORBA::PolicyList& list, Policies& policies, bool main_thread,
                                           const orb::Interception* interception = nullptr);

}  // namespace callis::poa
