// SPDX-License-Identifier: Apache-2.0
// ExposedPolicies: what callis/messaging, which knows their classes, does for the policies that adapters are created
// with for their clients (kExposedPolicies; CORBA 3.0.3, 4.9.2 and 22.3.2). Programs without it have none.
#pragma once
#include <callis/orb/context/call_policies.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/object/policy_management.h>
#include <atomic>

namespace callis::orb {

struct ExposedPolicies {
  // What puts those of the list into references as TAG_POLICIES; nullptr when there are none.
  std::unique_ptr<AdapterNotes> (*note)(const CORBA::PolicyList& policies);
  // A policy with that number, for the caller to own.
  CORBA::Policy_ptr (*make)(CORBA::PolicyType type, std::uint64_t number);

  // nullptr where the program has not got them.
  static const ExposedPolicies* get() { return known_.load(std::memory_order_acquire); }
  // known: for as long as the process runs.
  static void set(const ExposedPolicies& known) { known_.store(&known, std::memory_order_release); }
  // Whether an adapter may be created with it for its clients.
  static bool is_one(const CORBA::Policy& policy, CORBA::PolicyType type) {
    return get() && find_exposed(type) && dynamic_cast<const NumberPolicy*>(&policy);
  }

 private:
  static constinit inline std::atomic<const ExposedPolicies*> known_{nullptr};
};

}  // namespace callis::orb
