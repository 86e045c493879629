// SPDX-License-Identifier: Apache-2.0
// IORInterceptor and IORInfo (CORBA 3.0.3, 21.5). When an adapter is made, interceptors are asked once for components
// of its references and for the factory. Later they are told of changes of adapters and their managers.
#include <callis/interceptors/adapter_facts.h>
#include <callis/interceptors/contexts.h>
#include <callis/interceptors/minor_codes.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/policy.h>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;

bool is_adapter_policy(CORBA::PolicyType type) {
  return type >= PortableServer::THREAD_POLICY_ID && type <= PortableServer::REQUEST_PROCESSING_POLICY_ID;
}

// All components of a profile together leave this room for the ORB's own and its other addresses.
constexpr std::size_t kRoom = 16;

// Good while establish_components() or components_established() runs.
class IorInfo final : public PI::IORInfo {
 public:
  enum class Stage { Establishing, Established, Over };

  IorInfo(AdapterFacts& facts, poa::Adapter& adapter, Stage stage)
      : facts_(facts), adapter_(adapter), stage_(stage) {}
  void end() { stage_ = Stage::Over; }

  CORBA::Policy_ptr get_effective_policy(CORBA::PolicyType type) override {
    check();
    return facts_.policy(type);
  }
  void add_ior_component(const IOP::TaggedComponent& component) override {
    check(Stage::Establishing);
    facts_.add(component, {});
  }
  void add_ior_component_to_profile(const IOP::TaggedComponent& component, IOP::ProfileId profile) override {
    check(Stage::Establishing);
    if (profile != ior::kInternetProfile && profile != ior::kUiopProfile)
      orb::raise<CORBA::BAD_PARAM>(orb::omg(29), CORBA::COMPLETED_NO, "no profile with that tag has components here");
    facts_.add(component, profile);
  }
  char* manager_id() override {
    check();
    return adapter_.manager().get_id();
  }
  PI::AdapterState state() override {
    check();
    return static_cast<PI::AdapterState>(adapter_.manager().get_state());
  }
  PI::ObjectReferenceTemplate* adapter_template() override {
    check(Stage::Established);
    return PI::callis_duplicate(facts_.adapter_template());
  }
  PI::ObjectReferenceFactory* current_factory() override {
    check(Stage::Established);
    return PI::callis_duplicate(facts_.factory());
  }
  void current_factory(PI::ObjectReferenceFactory* factory) override {
    check(Stage::Established);
    facts_.set_factory(factory);
  }

 private:
  void check() const {
    if (stage_ == Stage::Over)
      orb::raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "an IORInfo after its time");
  }
  // For members that exist at that stage alone (21.5.5).
  void check(Stage stage) const {
    check();
    if (stage_ != stage)
      orb::raise<CORBA::BAD_INV_ORDER>(
          orb::omg(14), CORBA::COMPLETED_NO,
          stage == Stage::Established ? "not before components_established" : "not after establish_components");
  }

  // These two are not used after the time.
  AdapterFacts& facts_;
  poa::Adapter& adapter_;
  Stage stage_;
};

// Calls one of an interceptor's operations with an IORInfo that is valid during the call.
template <class Call>
void inform(AdapterFacts& facts, poa::Adapter& adapter, IorInfo::Stage stage, Call&& call) {
  auto* const info = new IorInfo(facts, adapter, stage);
  const PI::IORInfo_var counted = info;
  const struct End {
    IorInfo* info;
    ~End() { info->end(); }
  } end{info};
  call(info);
}

// Tells all interceptors. They must not throw; if one does, the next are told all the same (21.5.4).
template <class Call>
void tell_all(const InterceptorList<PI::IORInterceptor>& list, Call&& call) noexcept {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (auto* const knows = dynamic_cast<PI::IORInterceptor_3_0*>(list[i])) {
      try {
        call(*knows);
      } catch (...) {
      }
    }
}

bool any_wants_templates(const InterceptorList<PI::IORInterceptor>& list) {
  bool any = false;
  tell_all(list, [&any](PI::IORInterceptor_3_0&) { any = true; });
  return any;
}

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

void AdapterFacts::set_template(poa::Adapter& adapter) {
  const orb::Options& options = all_.core().options();
  template_ =
      new ReferenceTemplate(adapter, options.orb_id.c_str(), options.server_id.c_str(), Components(*this));
  factory_ = PI::callis_duplicate(static_cast<PI::ObjectReferenceFactory*>(template_.in()));
  registry_ = &adapter.registry();
  id_at_ = adapter.id_at();
}

void AdapterFacts::set_factory(PI::ObjectReferenceFactory* factory) {
  if (!factory) orb::raise<CORBA::BAD_PARAM>(kNilInterceptor, CORBA::COMPLETED_NO, "a nil object reference factory");
  factory_ = PI::callis_duplicate(factory);
}

void AdapterFacts::complete(orb::ReferencePtr& made) const {
  add_components(made);
  if (factory_.in() == template_.in()) return;
  const CORBA::Object_var plain = orb::make_object(*made);
  const ByteView key = registry_->references().own_key(plain.in());
  if (key.size() < id_at_) return;  // none of this ORB's addresses is in its references
  PI::ObjectId octets;
  fill(octets, key.subspan(id_at_));
  const CORBA::Object_var other = factory_.in()->make_object(made->ior().type_id.c_str(), octets);
  made = orb::ReferencePtr(&orb::reference_of(other.in()));
}

void AdapterFacts::add_components(orb::ReferencePtr& made) const {
  if (components_.empty()) return;
  ior::Ior ior = made->ior();
  ior::add_components(ior, all_.core().limits(), [this](std::uint32_t tag, std::vector<ior::TaggedComponent>& to) {
    for (const Component& c : components_)
      if (!c.profile || *c.profile == tag) to.push_back(c.component);
  });
  made = orb::ReferencePtr::adopt(new orb::Reference(all_.core(), std::move(ior)));
}

void AdapterFacts::gone() const noexcept {
  if (!template_.in()) return;
  tell_all(all_.ior, [this](PI::IORInterceptor_3_0& told) {
    PI::ObjectReferenceTemplateSeq templates;
    templates.length(1);
    templates[0] = PI::callis_duplicate(template_.in());
    told.adapter_state_changed(templates, PI::NON_EXISTENT);
  });
}

std::unique_ptr<orb::AdapterNotes> OrbInterceptors::adapter_made(poa::Adapter& adapter,
                                                                 const CORBA::PolicyList* policies) {
  auto facts = std::make_unique<AdapterFacts>(*this, policies ? *policies : CORBA::PolicyList());
  for (std::size_t i = 0; i < ior.size(); ++i) {
    try {
      inform(*facts, adapter, IorInfo::Stage::Establishing,
             [&](IorInfo* info) { ior[i]->establish_components(info); });
    } catch (...) {  // the next are asked all the same (21.5.4.1)
    }
  }
  if (any_wants_templates(ior)) established(*facts, adapter);
  if (facts->empty()) return nullptr;
  return facts;
}

// If an interceptor throws, its exception ends create_POA, or the making of the root (21.5.4.2).
void OrbInterceptors::established(AdapterFacts& facts, poa::Adapter& adapter) {
  facts.set_template(adapter);
  for (std::size_t i = 0; i < ior.size(); ++i) {
    auto* const knows = dynamic_cast<PI::IORInterceptor_3_0*>(ior[i]);
    if (!knows) continue;
    try {
      inform(facts, adapter, IorInfo::Stage::Established,
             [&](IorInfo* info) { knows->components_established(info); });
    } catch (...) {
      if (!adapter.parent()) {
        const poa::Registry::Guard guard(adapter.registry());
        adapter.registry().withdraw(adapter, false);
      }
      orb::raise<CORBA::OBJ_ADAPTER>(orb::omg(6), CORBA::COMPLETED_NO,
                                     "an interceptor's components_established threw");
    }
  }
}

void OrbInterceptors::manager_changed(const std::string& id, unsigned state) noexcept {
  tell_all(ior, [&](PI::IORInterceptor_3_0& told) {
    told.adapter_manager_state_changed(id.c_str(), static_cast<PI::AdapterState>(state));
  });
}

}  // namespace callis::interceptors
