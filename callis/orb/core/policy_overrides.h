// SPDX-License-Identifier: Apache-2.0
// PolicyOverrides: the policies that have been set on a reference, for a thread or for an ORB. Constant once made.
#pragma once
#include <callis/orb/base/policy.h>
#include <callis/orb/client/reference.h>

namespace callis::orb {

class PolicyOverrides final : public Overrides {
 public:
  // Adds the policies to old's, or replaces old's (CORBA 3.0.3, 4.9.3.1). old may be nullptr. Throws as
  // PolicyManager::set_policy_overrides() does.
  static Counted<PolicyOverrides> make(const PolicyOverrides* old, const CORBA::PolicyList& policies,
                                       CORBA::SetOverrideType set_add);

  bool empty() const { return list_.length() == 0; }
  // Nil for none; not counted.
  CORBA::Policy_ptr find(CORBA::PolicyType type) const;
  // The result of get_policy_overrides(); overrides may be nullptr.
  static CORBA::PolicyList* list(const PolicyOverrides* overrides, const CORBA::PolicyTypeSeq& types);

 private:
  void add(CORBA::Policy_ptr policy);

  CORBA::PolicyList list_;
};

// The overrides of a reference, or nullptr.
inline const PolicyOverrides* overrides_of(const Reference& r) {
  return static_cast<const PolicyOverrides*>(r.overrides());
}

// The policy that is set for the thread, or else for the ORB; nil if there is none. The caller owns the policy.
CORBA::Policy_ptr find_policy(OrbContext& orb, CORBA::PolicyType type);

// Gives the thread that policy for the lifetime of the object; afterwards the thread has its earlier policy of the
// type again. Only the thread that made the object may use it.
class ThreadPolicyScope final {
 public:
  // Throws as PolicyManager::set_policy_overrides() does.
  explicit ThreadPolicyScope(CORBA::Policy_ptr policy);
  ThreadPolicyScope(const ThreadPolicyScope&) = delete;
  ThreadPolicyScope& operator=(const ThreadPolicyScope&) = delete;
  ~ThreadPolicyScope();

 private:
  Counted<PolicyOverrides> without_mine() const;

  const CORBA::PolicyType type_;
  Counted<PolicyOverrides> before_, set_;
};

}  // namespace callis::orb
