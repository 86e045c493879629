// SPDX-License-Identifier: Apache-2.0
// AdapterFacts: what interceptors keep of an object adapter: its policies, what its references are to have, and what
// makes them.
#pragma once
#include <callis/interceptors/orb_interceptors.h>
#include <callis/interceptors/reference_template.h>
#include <callis/orb/base/policy.h>
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
  bool empty() const { return policies_.length() == 0 && components_.empty() && !template_.in(); }

  // Makes the template, once all components are known; the adapter has its tag.
  void set_template(poa::Adapter& adapter);
  PortableInterceptor::ObjectReferenceTemplate* adapter_template() const { return template_.in(); }
  PortableInterceptor::ObjectReferenceFactory* factory() const { return factory_.in(); }
  // Makes the references from now on. Before others have the adapter. BAD_PARAM for nil.
  void set_factory(PortableInterceptor::ObjectReferenceFactory* factory);

  // Adds the components, and lets the factory make the reference where it is not the template.
  void complete(orb::ReferencePtr& made) const override;
  // Tells the interceptors.
  void gone() const noexcept override;

 private:
  // The components alone.
  class Components final : public orb::AdapterNotes {
   public:
    explicit Components(const AdapterFacts& facts) : facts_(facts) {}
    void complete(orb::ReferencePtr& made) const override { facts_.add_components(made); }

   private:
    const AdapterFacts& facts_;
  };
  void add_components(orb::ReferencePtr& made) const;

  struct Component {
    ior::TaggedComponent component;
    std::optional<IOP::ProfileId> profile;
  };

  OrbInterceptors& all_;
  const CORBA::PolicyList policies_;
  std::vector<Component> components_;
  PortableInterceptor::ObjectReferenceTemplate_var template_;  // nullptr where no interceptor wants one
  PortableInterceptor::ObjectReferenceFactory_var factory_;
  poa::Registry* registry_ = nullptr;  // lives as long as the adapter, with template_
  std::size_t id_at_ = 0;              // in the adapter's keys
};

}  // namespace callis::interceptors
