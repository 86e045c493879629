// SPDX-License-Identifier: Apache-2.0
// IORInterceptor and IORInfo (CORBA 3.0.3, 21.5): components for the references of an adapter, asked for once, when
// it is made.
#include <callis/interceptors/adapter_facts.h>
#include <callis/interceptors/contexts.h>
#include <callis/interceptors/minor_codes.h>
#include <callis/ior/iiop_profile.h>
#include <callis/poa/servant/policy.h>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;

bool is_adapter_policy(CORBA::PolicyType type) {
  return type >= PortableServer::THREAD_POLICY_ID && type <= PortableServer::REQUEST_PROCESSING_POLICY_ID;
}

// What all components of a profile together leave for the ORB's own and its other addresses.
constexpr std::size_t kRoom = 16;

// Good while establish_components() runs.
class IorInfo final : public PI::IORInfo {
 public:
  explicit IorInfo(AdapterFacts& facts) : facts_(&facts) {}
  void end() { facts_ = nullptr; }

  CORBA::Policy_ptr get_effective_policy(CORBA::PolicyType type) override { return facts().policy(type); }
  void add_ior_component(const IOP::TaggedComponent& component) override { facts().add(component, {}); }
  void add_ior_component_to_profile(const IOP::TaggedComponent& component, IOP::ProfileId profile) override {
    if (profile != ior::kInternetProfile && profile != ior::kUiopProfile)
      orb::raise<CORBA::BAD_PARAM>(orb::omg(29), CORBA::COMPLETED_NO, "no profile with that tag has components here");
    facts().add(component, profile);
  }

 private:
  AdapterFacts& facts() const {
    if (!facts_) orb::raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "an IORInfo after its time");
    return *facts_;
  }

  AdapterFacts* facts_;
};

}  // namespace

CORBA::Policy_ptr AdapterFacts::policy(CORBA::PolicyType type) const {
  for (CORBA::ULong i = 0; i < policies_.length(); ++i)
    if (CORBA::Policy_ptr p = policies_[i]; p && p->policy_type() == type) return CORBA::Policy::_duplicate(p);
  if (!all_.makes_policies(type) && !is_adapter_policy(type))
    orb::raise<CORBA::INV_POLICY>(orb::omg(3), CORBA::COMPLETED_NO, "no factory of that type of policy");
  return nullptr;
}

void AdapterFacts::add(const IOP::TaggedComponent& component, std::optional<IOP::ProfileId> profile) {
  const ByteView data = bytes_of(component.component_data);
  const Limits& limits = all_.core().limits();
  if (data.size() > limits.max_context_bytes || components_.size() + kRoom >= limits.max_profiles)
    orb::raise<CORBA::IMP_LIMIT>(kTooManyContexts, CORBA::COMPLETED_NO,
                                 "a component beyond the limits of references");
  components_.push_back({{component.tag, {data.begin(), data.end()}}, profile});
}

void AdapterFacts::complete(orb::ReferencePtr& made) const {
  if (components_.empty()) return;
  ior::Ior ior = made->ior();
  ior::add_components(ior, all_.core().limits(), [this](std::uint32_t tag, std::vector<ior::TaggedComponent>& to) {
    for (const Component& c : components_)
      if (!c.profile || *c.profile == tag) to.push_back(c.component);
  });
  made = orb::ReferencePtr::adopt(new orb::Reference(all_.core(), std::move(ior)));
}

std::unique_ptr<orb::AdapterNotes> OrbInterceptors::adapter_made(const CORBA::PolicyList* policies) {
  auto facts = std::make_unique<AdapterFacts>(*this, policies ? *policies : CORBA::PolicyList());
  for (std::size_t i = 0; i < ior.size(); ++i) {
    auto* const info = new IorInfo(*facts);
    const PI::IORInfo_var counted = info;
    try {
      ior[i]->establish_components(info);
    } catch (...) {  // the next are asked all the same (21.5.1.1)
    }
    info->end();
  }
  if (facts->empty()) return nullptr;
  return facts;
}

}  // namespace callis::interceptors
