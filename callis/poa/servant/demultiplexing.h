// SPDX-License-Identifier: Apache-2.0
// Two policies of our own for create_POA(), beside the seven of the OMG: how an adapter finds objects and operations,
// and how objects of the same ORB are called. The options of the ORB give the defaults.
//
//     callis::poa::Demultiplexing by;
//     by.objects = callis::poa::ObjectLookup::Hint;
//     policies[0] = callis::poa::create_demultiplexing_policy(by);
//     policies[1] = callis::poa::create_collocation_policy(callis::poa::Collocation::Direct);
//
// docs/guide/demultiplexing.md describes each, with its cost. The policies are local objects whose state never
// changes, so any thread may use them.
#pragma once
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/base/policy.h>
#include <callis/orb/context/server_request.h>
#include <callis/orb/options/demultiplexing.h>
#include <callis/poa/servant/local_interface.h>

namespace callis::poa {

using orb::AdapterLookup;
using orb::Collocation;
using orb::Demultiplexing;
using orb::ObjectLookup;
using orb::OperationLookup;

inline constexpr CORBA::PolicyType kCollocationPolicyType = orb::kVmcid | 1;
inline constexpr CORBA::PolicyType kDemultiplexingPolicyType = orb::kVmcid | 2;

template <class Value, CORBA::PolicyType kType>
class AdapterPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  CALLIS_LOCAL_INTERFACE(AdapterPolicy)
  explicit AdapterPolicy(const Value& value) : value_(value) {}
  CORBA::PolicyType policy_type() override { return kType; }
  CORBA::Policy_ptr copy() override { return new AdapterPolicy(value_); }
  void destroy() override {}
  const Value& value() const { return value_; }

 private:
  const Value value_;
};
using CollocationPolicy = AdapterPolicy<Collocation, kCollocationPolicyType>;
using DemultiplexingPolicy = AdapterPolicy<Demultiplexing, kDemultiplexingPolicyType>;

// The caller owns the count.
inline CORBA::Policy_ptr create_collocation_policy(Collocation way) { return new CollocationPolicy(way); }
inline CORBA::Policy_ptr create_demultiplexing_policy(const Demultiplexing& by) {
  return new DemultiplexingPolicy(by);
}

}  // namespace callis::poa
