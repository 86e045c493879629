// SPDX-License-Identifier: Apache-2.0
// AdapterFacts: the facts about an object adapter for its interceptors: its policies, the components of its
// references, and the template or factory that makes references.
#pragma once
#include <callis/interceptors/orb_interceptors.h>
#include <callis/interceptors/reference_template.h>
#include <callis/orb/base/policy.h>
#include <optional>

namespace callis::interceptors {

class AdapterFacts final : public orb::AdapterNotes {
 public:
  AdapterFacts(OrbInterceptors& all, const CORBA::PolicyList& policies) : all_(all), policies_(policies) {}

  // Returns the policy of that type among the arguments of create_POA(), nil if there was none. Raises INV_POLICY,
  // OMG minor 3, for a type that no factory makes. The caller owns the result.
  CORBA::Policy_ptr policy(CORBA::PolicyType type) const;

  // Adds a component for the profiles with that tag, or for all profiles that have components.
  void add(const IOP::TaggedComponent& component, std::optional<IOP::ProfileId> profile);
  bool empty() const { return policies_.length() == 0 && components_.empty() && !template_.in(); }

  // Makes the template, once all components are known; the adapter has its tag.
  void set_template(poa::Adapter& adapter);
  PortableInterceptor::ObjectReferenceTemplate* adapter_template() const { return template_.in(); }
  PortableInterceptor::ObjectReferenceFactory* factory() const { return factory_.in(); }
  // The factory makes the references from now on. Called before others have the adapter. Raises BAD_PARAM for nil.
  void set_factory(PortableInterceptor::ObjectReferenceFactory* factory);

  // Adds the components, and lets the factory make the reference unless the factory is the template.
  void complete(orb::ReferencePtr& made) const override;
  // Tells the interceptors.
  void gone() const noexcept override;

 private:
  // Adds the components alone.
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
