// SPDX-License-Identifier: Apache-2.0
// ExposedPolicies: functions of libraries above the ORB for their policies, with which adapters are created.
// callis/messaging has the policies that clients are to know (kExposedPolicies; CORBA 3.0.3, 4.9.2 and 22.3.2).
// callis/rt adds the policies of real time. Other programs have none.
#pragma once
#include <callis/orb/base/policy_management.h>
#include <callis/orb/context/call_policies.h>
#include <callis/orb/core/interception.h>
#include <atomic>

namespace callis::orb {

class OrbContext;
class Reference;

struct ExposedPolicies {
  // Makes notes that put the exposed policies of the list into references as TAG_POLICIES; nullptr if there are none.
  // orb belongs to the adapter that is being made; nullptr if it has none. Throws PortableServer::POA::InvalidPolicy.
  std::unique_ptr<AdapterNotes> (*note)(const CORBA::PolicyList& policies, OrbContext* orb);
  // Makes a policy with that number. The caller owns the policy.
  CORBA::Policy_ptr (*make)(CORBA::PolicyType type, std::uint64_t number);
  // Whether an adapter may be created with a policy of that type.
  bool (*takes)(const CORBA::Policy& policy, CORBA::PolicyType type);
  // The policy that a reference carries of a type beyond the list, or nullptr. The caller owns the policy. The
  // function is nullptr if there are no such types.
  CORBA::Policy_ptr (*carried)(const Reference& reference, CORBA::PolicyType type) = nullptr;

  // nullptr if the program has none.
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
