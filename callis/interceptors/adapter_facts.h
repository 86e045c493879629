// SPDX-License-Identifier: Apache-2.0
// AdapterFacts: what interceptors keep of an object adapter: its policies, and what its references are to have.
#pragma once
#include <callis/interceptors/orb_interceptors.h>
#include <callis/orb/object/policy.h>
#include <optional>

namespace callis::interceptors {

class AdapterFacts final : public orb::AdapterNotes {
 public:
  AdapterFacts(OrbInterceptors& all, const CORBA::PolicyList& policies) : all_(all), policies_(policies) {}

  // Of those that create_POA() got; nil for one that it did not get. INV_POLICY, OMG minor 3, for types that nothing
  // makes. A count for the caller.
  CORBA::Policy_ptr policy(CORBA::PolicyType type) const;

  // A component for the profiles with that tag, or for all that have components.
  void add(const IOP::TaggedComponent& component, std::optional<IOP::ProfileId> profile);
  bool empty() const { return policies_.length() == 0 && components_.empty(); }

  void complete(orb::ReferencePtr& made) const override;

 private:
  struct Component {
    ior::TaggedComponent component;
    std::optional<IOP::ProfileId> profile;
  };

  OrbInterceptors& all_;
  const CORBA::PolicyList policies_;
  std::vector<Component> components_;
};

}  // namespace callis::interceptors
