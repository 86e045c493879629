// SPDX-License-Identifier: Apache-2.0
// The policies of an adapter, from a list, checked one against the other.
#include <callis/orb/base/policy_management.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/core/exposed_policies.h>
#include <callis/orb/core/interception.h>
#include <callis/poa/adapter/policies.h>
#include <algorithm>
#include <array>

namespace callis::poa {
namespace {

using namespace PortableServer;

// The place of each policy in the list; -1 for its default.
using Positions = std::array<int, 10>;
int& position(Positions& p, CORBA::PolicyType type) {
  if (type == orb::kBidirectionalPolicy) return p[9];
  return type >= kCollocationPolicyType ? p[7 + type - kCollocationPolicyType] : p[type - THREAD_POLICY_ID];
}

template <class P, class Value>
bool take(CORBA::Policy* policy, Value& value) {
  const P* p = dynamic_cast<const P*>(policy);
  if (p) value = p->value();
  return p != nullptr;
}

bool take_bidirectional(CORBA::Policy* policy, bool& value) {
  const auto* p = dynamic_cast<const orb::NumberPolicy*>(policy);
  if (p) value = p->number() == orb::kBoth;
  return p != nullptr;
}

// False for a policy that is not one of an adapter's.
bool read_one(CORBA::Policy* policy, Policies& to) {
  switch (policy->policy_type()) {
    case THREAD_POLICY_ID: return take<ThreadPolicy>(policy, to.thread);
    case LIFESPAN_POLICY_ID: return take<LifespanPolicy>(policy, to.lifespan);
    case ID_UNIQUENESS_POLICY_ID: return take<IdUniquenessPolicy>(policy, to.uniqueness);
    case ID_ASSIGNMENT_POLICY_ID: return take<IdAssignmentPolicy>(policy, to.assignment);
    case IMPLICIT_ACTIVATION_POLICY_ID: return take<ImplicitActivationPolicy>(policy, to.implicit);
    case SERVANT_RETENTION_POLICY_ID: return take<ServantRetentionPolicy>(policy, to.retention);
    case REQUEST_PROCESSING_POLICY_ID: return take<RequestProcessingPolicy>(policy, to.processing);
    case orb::kBidirectionalPolicy: return take_bidirectional(policy, to.bidirectional);
    case kCollocationPolicyType: return take<CollocationPolicy>(policy, to.collocation);
    case kDemultiplexingPolicyType: return take<DemultiplexingPolicy>(policy, to.demultiplexing);
    default: return false;
  }
}

bool supported(const orb::Demultiplexing& d) {
  return d.objects <= orb::ObjectLookup::Linear && d.adapters <= orb::AdapterLookup::Path &&
         d.operations <= orb::OperationLookup::Linear;
}

// Values outside their enum, and values that this adapter does not support.
bool supported(const Policies& p, bool main_thread) {
  return p.thread <= (main_thread ? MAIN_THREAD_MODEL : SINGLE_THREAD_MODEL) && p.lifespan <= PERSISTENT &&
         p.uniqueness <= MULTIPLE_ID && p.assignment <= SYSTEM_ID && p.implicit <= NO_IMPLICIT_ACTIVATION &&
         p.retention <= NON_RETAIN && p.processing <= USE_SERVANT_MANAGER &&
         (!p.collocation || *p.collocation <= orb::Collocation::Direct) &&
         (!p.demultiplexing || supported(*p.demultiplexing));
}

// The first rule of 15.3.8 that is broken, as the policies that are at odds.
struct Conflict {
  CORBA::PolicyType a, b;
};
std::optional<Conflict> conflict(const Policies& p) {
  if (p.implicit_activation() && !p.system_ids())
    return Conflict{IMPLICIT_ACTIVATION_POLICY_ID, ID_ASSIGNMENT_POLICY_ID};
  if (p.implicit_activation() && !p.retain())
    return Conflict{IMPLICIT_ACTIVATION_POLICY_ID, SERVANT_RETENTION_POLICY_ID};
  if (p.processing == USE_ACTIVE_OBJECT_MAP_ONLY && !p.retain())
    return Conflict{REQUEST_PROCESSING_POLICY_ID, SERVANT_RETENTION_POLICY_ID};
  if (p.processing == USE_DEFAULT_SERVANT && p.unique())
    return Conflict{REQUEST_PROCESSING_POLICY_ID, ID_UNIQUENESS_POLICY_ID};
  return {};
}

// Whether a policy of the same type stands earlier in the list.
bool repeats(const CORBA::PolicyList& list, CORBA::ULong at) {
  for (CORBA::ULong i = 0; i < at; ++i)
    if (list[i]->policy_type() == list[at]->policy_type()) return true;
  return false;
}

}  // namespace

Policies root_policies() {
  Policies p;
  p.implicit = IMPLICIT_ACTIVATION;
  return p;
}

bool is_of_adapters(CORBA::PolicyType type) {
  return (type >= THREAD_POLICY_ID && type <= REQUEST_PROCESSING_POLICY_ID) || type == orb::kBidirectionalPolicy ||
         type == kCollocationPolicyType || type == kDemultiplexingPolicyType;
}

std::optional<CORBA::UShort> read_policies(const CORBA::PolicyList& list, Policies& policies, bool main_thread,
                                           const orb::Interception* interception) {
  Positions at;
  at.fill(-1);
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    const auto index = static_cast<CORBA::UShort>(i);
    CORBA::Policy* policy = list[i];
    const Policies before = policies;
    if (policy && interception && interception->makes_policies(policy->policy_type())) continue;
    if (policy && orb::ExposedPolicies::is_one(*policy, policy->policy_type())) {
      if (repeats(list, i)) return index;
      continue;
    }
    if (!policy || !read_one(policy, policies) || !supported(policies, main_thread)) return index;
    int& place = position(at, policy->policy_type());
    if (place >= 0 && policies != before) return index;  // the same policy twice, with two values
    place = static_cast<int>(i);
  }
  if (const auto c = conflict(policies))
    return static_cast<CORBA::UShort>(std::max({position(at, c->a), position(at, c->b), 0}));
  return {};
}

}  // namespace callis::poa
