// SPDX-License-Identifier: Apache-2.0
// ExposedPolicies: what libraries above the ORB do for policies of theirs that adapters are created with.
// callis/messaging: those that clients are to know (kExposedPolicies; CORBA 3.0.3, 4.9.2 and 22.3.2). callis/rt:
// those of real time besides. Programs without them have none.
#pragma once
#include <callis/orb/base/policy_management.h>
#include <callis/orb/context/call_policies.h>
#include <callis/orb/core/interception.h>
#include <atomic>

namespace callis::orb {

class OrbContext;
class Reference;

struct ExposedPolicies {
  // What puts those of the list into references as TAG_POLICIES; nullptr when there are none. orb: of the adapter
  // that is being made, nullptr where it has none. Throws PortableServer::POA::InvalidPolicy.
  std::unique_ptr<AdapterNotes> (*note)(const CORBA::PolicyList& policies, OrbContext* orb);
  // A policy with that number, for the caller to own.
  CORBA::Policy_ptr (*make)(CORBA::PolicyType type, std::uint64_t number);
  // Whether an adapter may be created with a policy of that type.
  bool (*takes)(const CORBA::Policy& policy, CORBA::PolicyType type);
  // The policy of a type beyond the list that a reference carries, for the caller to own; nullptr for none. The
  // function is nullptr where there are no such types.
  CORBA::Policy_ptr (*carried)(const Reference& reference, CORBA::PolicyType type) = nullptr;

  // nullptr where the program has not got them.
  static const ExposedPolicies* get() { return known_.load(std::memory_order_acquire); }
  // known: for as long as the process runs.
  static void set(const ExposedPolicies& known) { known_.store(&known, std::memory_order_release); }
  static bool is_one(const CORBA::Policy& policy, CORBA::PolicyType type) {
    const ExposedPolicies* const known = get();
    return known && known->takes(policy, type);
  }

 private:
  static constinit inline std::atomic<const ExposedPolicies*> known_{nullptr};
};

}  // namespace callis::orb
