// SPDX-License-Identifier: Apache-2.0
// "ORBPolicyManager" and "PolicyCurrent" (CORBA 3.0.3, 4.9.3). Programs that name these classes link this.
#include <callis/base/feature.h>
#include <callis/marshal/handlers.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/policy_overrides.h>

CALLIS_PROVIDE(policy_manager);

namespace callis::orb {
namespace {

// Of one ORB, which holds it until destroy().
class OrbPolicies final : public CORBA::PolicyManager {
 public:
  explicit OrbPolicies(Core& core) : core_(&core) {}

  CORBA::PolicyList* get_policy_overrides(const CORBA::PolicyTypeSeq& types) override {
    return PolicyOverrides::list(overrides().get(), types);
  }
  CORBA::Policy_ptr find(CORBA::PolicyType type) {
    const auto all = overrides();
    return all ? CORBA::Policy::_duplicate(all->find(type)) : nullptr;
  }
  void set_policy_overrides(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) override {
    core_->check_running();
    Counted<PolicyOverrides> old;  // let go outside the lock
    std::lock_guard lock(mutex_);
    auto made = PolicyOverrides::make(overrides_.get(), policies, set_add);
    core_->set_policies(made->numbers());
    old = std::exchange(overrides_, std::move(made));
  }

 private:
  Counted<PolicyOverrides> overrides() {
    std::lock_guard lock(mutex_);
    return overrides_;
  }

  const Counted<Core> core_;
  std::mutex mutex_;  // guards overrides_, and setting those of the core
  Counted<PolicyOverrides> overrides_;
};

class ThreadPolicies {
 public:
  ~ThreadPolicies() { set({}); }
  PolicyOverrides* get() const { return overrides_.get(); }
  void set(Counted<PolicyOverrides> overrides) {
    t_call_policies = overrides && overrides->numbers().given != 0 ? &overrides->numbers() : nullptr;
    overrides_ = std::move(overrides);
  }

 private:
  Counted<PolicyOverrides> overrides_;
};
thread_local ThreadPolicies t_policies;

class CurrentPolicies final : public CORBA::PolicyCurrent {
 public:
  CORBA::PolicyList* get_policy_overrides(const CORBA::PolicyTypeSeq& types) override {
    return PolicyOverrides::list(t_policies.get(), types);
  }
  void set_policy_overrides(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) override {
    t_policies.set(PolicyOverrides::make(t_policies.get(), policies, set_add));
  }
};

CORBA::Object_ptr make_manager(Core& core) { return new OrbPolicies(core); }
CORBA::Object_ptr make_policy_current(Core&) { return new CurrentPolicies; }

CALLIS_INSTALLER void install() {
  register_initial_factory("ORBPolicyManager", &make_manager);
  register_initial_factory("PolicyCurrent", &make_policy_current);
}

}  // namespace

CORBA::Policy_ptr find_policy(OrbContext& orb, CORBA::PolicyType type) {
  if (t_policies.get())
    if (const CORBA::Policy_ptr found = t_policies.get()->find(type)) return CORBA::Policy::_duplicate(found);
  CORBA::Object_var manager = Core::of(orb).resolve_initial_references("ORBPolicyManager");
  auto* const policies = dynamic_cast<OrbPolicies*>(manager.in());
  return policies ? policies->find(type) : nullptr;
}

ThreadPolicyScope::ThreadPolicyScope(CORBA::Policy_ptr policy)
    : type_(policy->policy_type()), before_(t_policies.get()) {
  CORBA::PolicyList one;
  one.length(1);
  one[0] = CORBA::Policy::_duplicate(policy);
  set_ = PolicyOverrides::make(before_.get(), one, CORBA::ADD_OVERRIDE);
  t_policies.set(set_);
}

ThreadPolicyScope::~ThreadPolicyScope() {
  try {
    t_policies.set(t_policies.get() == set_.get() ? before_ : without_mine());
  } catch (const CORBA::NO_MEMORY&) {
    t_policies.set(std::move(before_));
  }
}

// The thread's policies, with its earlier policy of the type in place of mine.
Counted<PolicyOverrides> ThreadPolicyScope::without_mine() const {
  const CORBA::PolicyList_var now = PolicyOverrides::list(t_policies.get(), {});
  CORBA::PolicyList wanted;
  const auto add = [&wanted](CORBA::Policy_ptr policy) {
    const CORBA::ULong n = wanted.length();
    wanted.length(n + 1);
    wanted[n] = CORBA::Policy::_duplicate(policy);
  };
  for (CORBA::ULong i = 0; i < now->length(); ++i) {
    const CORBA::Policy_ptr policy = now[i];
    if (policy->policy_type() != type_) add(policy);
  }
  if (before_)
    if (const CORBA::Policy_ptr old = before_->find(type_)) add(old);
  return PolicyOverrides::make(nullptr, wanted, CORBA::SET_OVERRIDE);
}

}  // namespace callis::orb

namespace CORBA::inline callis_orb {

PolicyManager* callis_duplicate(PolicyManager* p) {
  Object::_duplicate(p);
  return p;
}
void callis_release(PolicyManager* p) { release(p); }
PolicyCurrent* callis_duplicate(PolicyCurrent* p) {
  Object::_duplicate(p);
  return p;
}
void callis_release(PolicyCurrent* p) { release(p); }

}  // namespace CORBA::inline callis_orb
