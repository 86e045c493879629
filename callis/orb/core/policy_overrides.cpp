// SPDX-License-Identifier: Apache-2.0
// Lists of policies, set, read and put together.
#include <callis/orb/base/errors.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/read_policies.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/core/policy_overrides.h>

namespace callis::orb {
namespace {

// The number of a policy among CallPolicies. Types are module Messaging's; the last is callis's own.
struct Bears {
  CORBA::PolicyType type;
  CallPolicy on;
};
constexpr Bears kBears[] = {
    {23, CallPolicy::Rebind},          {24, CallPolicy::SyncScope},
    {27, CallPolicy::RequestStart},    {28, CallPolicy::RequestEnd},
    {29, CallPolicy::ReplyStart},      {30, CallPolicy::ReplyEnd},
    {31, CallPolicy::RequestTimeout},  {32, CallPolicy::RoundtripTimeout},
    {kBidirectionalPolicy, CallPolicy::Bidirectional},
    {kConnectTimeoutPolicy, CallPolicy::ConnectTimeout},
};

// Whether the type is a policy of object adapters: PortableServer's.
bool is_servers(CORBA::PolicyType type) { return type >= 16 && type <= 22; }

// Reads one into numbers. False when it is none that can be set.
bool read(CORBA::Policy_ptr policy, CallPolicies& numbers) {
  if (!policy) return false;
  const CORBA::PolicyType type = policy->policy_type();
  if (is_servers(type))
    raise<CORBA::NO_PERMISSION>(kServersPolicy, CORBA::COMPLETED_NO, "a policy of object adapters, not of calls");
  for (const Bears& b : kBears) {
    if (b.type != type) continue;
    const auto* number = dynamic_cast<const NumberPolicy*>(policy);
    if (number) numbers.set(b.on, number->number());
    return number != nullptr;
  }
  if (const ExposedPolicy* const e = find_exposed(type)) {
    const auto* number = dynamic_cast<const NumberPolicy*>(policy);
    if (number) numbers.set(e->policy, number->number());
    return number != nullptr;
  }
  return true;  // for somebody else to look at: an interceptor, say
}

void check(const CORBA::PolicyList& policies) {
  CallPolicies ignored;
  CORBA::UShortSeq wrong;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    for (CORBA::ULong k = 0; k < i; ++k)
      if (policies[i] && policies[k] && policies[i]->policy_type() == policies[k]->policy_type())
        raise<CORBA::BAD_PARAM>(omg(30), CORBA::COMPLETED_NO, "two policies of one type");
    if (read(policies[i], ignored)) continue;
    wrong.length(wrong.length() + 1);
    wrong[wrong.length() - 1] = static_cast<CORBA::UShort>(i);
  }
  if (wrong.length() != 0) throw CORBA::InvalidPolicies(wrong);
}

void append(CORBA::PolicyList& to, CORBA::Policy_ptr policy) {
  to.length(to.length() + 1);
  to[to.length() - 1] = CORBA::Policy::_duplicate(policy);
}

}  // namespace

Counted<PolicyOverrides> PolicyOverrides::make(const PolicyOverrides* old, const CORBA::PolicyList& policies,
                                               CORBA::SetOverrideType set_add) {
  if (set_add != CORBA::SET_OVERRIDE && set_add != CORBA::ADD_OVERRIDE)
    raise<CORBA::BAD_PARAM>(own(Fault::BadEnum), CORBA::COMPLETED_NO, "neither SET_OVERRIDE nor ADD_OVERRIDE");
  check(policies);
  auto made = Counted<PolicyOverrides>::adopt(new PolicyOverrides);
  for (CORBA::ULong i = 0; i < policies.length(); ++i) made->add(policies[i]);
  if (set_add == CORBA::ADD_OVERRIDE && old)
    for (CORBA::ULong i = 0; i < old->list_.length(); ++i)
      if (!made->find(old->list_[i]->policy_type())) made->add(old->list_[i]);
  CallTerms::set_reader(&read_policies);
  return made;
}

void PolicyOverrides::add(CORBA::Policy_ptr policy) {
  append(list_, policy);
  (void)read(policy, numbers_);
}

CORBA::Policy_ptr PolicyOverrides::find(CORBA::PolicyType type) const {
  for (CORBA::ULong i = 0; i < list_.length(); ++i)
    if (list_[i]->policy_type() == type) return list_[i];
  return nullptr;
}

CORBA::PolicyList* PolicyOverrides::list(const PolicyOverrides* overrides, const CORBA::PolicyTypeSeq& types) {
  auto list = std::make_unique<CORBA::PolicyList>();
  if (!overrides) return list.release();
  if (types.length() == 0) *list = overrides->list_;
  for (CORBA::ULong i = 0; i < types.length(); ++i)
    if (const CORBA::Policy_ptr found = overrides->find(types[i])) append(*list, found);
  return list.release();
}

}  // namespace callis::orb
