// SPDX-License-Identifier: Apache-2.0
// Adapters that are made with real-time policies.
#include <callis/base/text.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/memory_profile.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/client/code_sets.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/exposed_policies.h>
#include <callis/orb/core/policy_overrides.h>
#include <callis/orb/server/server.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/sealed_keys.h>
#include <callis/rt/adapters/adapter_policies.h>
#include <callis/rt/adapters/bad_policies.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/lanes/threadpool_set.h>
#include <callis/rt/policies/policy_objects.h>
#include <callis/rt/policies/policy_values.h>
#include <callis/rt/protocols/protocols.h>
#include <algorithm>
#include <typeinfo>

namespace callis::rt {
namespace {

// The earlier value, which serves other policies.
constinit const orb::ExposedPolicies* others = nullptr;

bool takes(const CORBA::Policy& policy, CORBA::PolicyType type) {
  return is_rt_policy(type) || others->takes(policy, type);
}

// The transports, those of ServerProtocolPolicy's protocols in its order.
std::vector<const orb::Transport*> in_order(const RtPolicies& policies) {
  const auto all = orb::transports();
  std::vector<const orb::Transport*> found(all.begin(), all.end());
  if (!policies.server_protocols) return found;
  const auto place = [&](const orb::Transport* t) {
    return std::ranges::find(*policies.server_protocols, profile_of(*t), &ProtocolTerms::profile);
  };
  std::ranges::stable_sort(found, std::ranges::less{}, place);
  return found;
}

// The policies of an adapter that is being made: first the given ones, then the defaults of the ORB's PolicyManager
// for types that are not given (RT-CORBA 1.2, 2.7.3, 2.8.5, 2.12.3).
class Given final {
 public:
  Given(const CORBA::PolicyList& list, orb::OrbContext* orb) : all_(list), own_(list.length()) {
    constexpr CORBA::PolicyType kOfServers[] = {
        RTCORBA::PRIORITY_MODEL_POLICY_TYPE, RTCORBA::THREADPOOL_POLICY_TYPE, RTCORBA::SERVER_PROTOCOL_POLICY_TYPE};
    for (const CORBA::PolicyType type : kOfServers) {
      if (!orb || index_of(type)) continue;
      CORBA::Policy_var usual = orb::find_policy(*orb, type);
      if (!usual.in()) continue;
      all_.length(all_.length() + 1);
      all_[all_.length() - 1] = usual._retn();
    }
  }
  const CORBA::PolicyList& all() const { return all_; }
  std::optional<CORBA::UShort> index_of(CORBA::PolicyType type) const {
    for (CORBA::UShort i = 0; i < all_.length(); ++i)
      if (all_[i] && all_[i]->policy_type() == type) return i;
    return {};
  }
  // InvalidPolicy; INV_POLICY for a default, which has no index.
  [[noreturn]] void refuse(CORBA::UShort index) const {
    if (index < own_) throw PortableServer::POA::InvalidPolicy(index);
    raise<CORBA::INV_POLICY>(kBadDefaultPolicy, CORBA::COMPLETED_NO,
                             concat({"the ORB's default policy of type ", Decimal(all_[index]->policy_type()),
                                     " does not fit the adapter: give the adapter one of its own"}));
  }

 private:
  CORBA::PolicyList all_;
  const CORBA::ULong own_;
};

std::unique_ptr<orb::AdapterNotes> note(const CORBA::PolicyList& list, orb::OrbContext* orb) {
  const Given given(list, orb);
  if (const auto bad = find_bad_policy(given.all(), orb ? &orb::Core::of(*orb) : nullptr)) given.refuse(*bad);
  std::unique_ptr<orb::AdapterNotes> rest = others->note(list, orb);
  RtPolicies policies = read_rt_policies(given.all());
  if (policies.empty() || !orb) return rest;
  std::shared_ptr<Threadpool> pool;
  if (policies.threadpool.value_or(0) != 0) pool = ThreadpoolSet::of(orb::Core::of(*orb)).find(*policies.threadpool);
  orb::Counted<RealTimeOrb> of_orb = RealTimeOrb::of(*orb);
  of_orb->use();
  if (policies.server_protocols) {
    ServerProtocols& of = pool ? pool->server_protocols() : of_orb->server_protocols();
    // At the ORB's own addresses network priorities are those of the adapter's priority.
    const auto priority = pool ? std::nullopt : std::optional(policies.server_priority);
    // Adapters that share the addresses have other properties.
    if (!of.use(*policies.server_protocols, priority))
      given.refuse(*given.index_of(RTCORBA::SERVER_PROTOCOL_POLICY_TYPE));
    configure_memory(*policies.server_protocols, orb::Core::of(*orb).server().published());
  }
  return std::make_unique<AdapterPolicies>(std::move(policies), std::move(of_orb), std::move(pool), std::move(rest));
}

// Returns the policy that the server has put into the reference.
CORBA::Policy_ptr carried(const orb::Reference& reference, CORBA::PolicyType type) {
  if (!is_rt_policy(type)) return nullptr;
  const RtPolicies found = read_policy_values(reference.ior(), reference.orb().limits());
  if (type == RTCORBA::PRIORITY_MODEL_POLICY_TYPE && found.model)
    return make_priority_model(*found.model, found.server_priority);
  if (type == RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE && found.client_protocols)
    return make_client_protocols(list_of(*found.client_protocols));
  if (type != RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE || found.bands.empty()) return nullptr;
  RTCORBA::PriorityBands bands;
  bands.length(static_cast<CORBA::ULong>(found.bands.size()));
  for (CORBA::ULong i = 0; i < bands.length(); ++i) bands[i] = {found.bands[i].low, found.bands[i].high};
  return make_bands(bands);
}

}  // namespace

void use_adapter_policies() {
  others = orb::ExposedPolicies::get();
  static orb::ExposedPolicies all;
  all = {&note, others->make, &takes, &carried};
  orb::ExposedPolicies::set(all);
}

AdapterPolicies::AdapterPolicies(RtPolicies policies, orb::Counted<RealTimeOrb> orb, std::shared_ptr<Threadpool> pool,
                                 std::unique_ptr<orb::AdapterNotes> others_of_it)
    : policies_(std::move(policies)),
      orb_(std::move(orb)),
      pool_(std::move(pool)),
      others_(std::move(others_of_it)) {}

AdapterPolicies::~AdapterPolicies() { orb_->object_priorities().forget_adapter(this); }

ior::Bytes key_of(const orb::Reference& reference) {
  const Limits& limits = reference.orb().limits();
  for (const ior::TaggedProfile& p : reference.ior().profiles) {
    if (p.tag == ior::kMemoryProfile) {
      if (auto body = ior::parse_memory(p.data, limits)) return std::move(body->object_key);
    } else if (p.tag == ior::kInternetProfile || p.tag == ior::kUiopProfile) {
      auto body = p.tag == ior::kUiopProfile ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
      if (body) return std::move(body->object_key);
    }
  }
  return {};
}

ByteView served_key_of(const orb::OrbContext& orb, ByteView object_key) {
  return orb.options().unguessable_keys ? poa::without_seal(object_key) : object_key;
}

[[gnu::hot]] RTCORBA::Priority AdapterPolicies::declared_priority(ByteView served_key) const {
  const ObjectPriorities& own = orb_->object_priorities();
  if (!own.empty())
    if (const auto found = own.find(served_key)) return *found;
  return policies_.server_priority;
}

// Adds the policies to a reference, and the lanes if clients choose.
void AdapterPolicies::add_to(ior::Ior& ior, const Limits& limits, ByteView served_key) const {
  const auto own = orb_->object_priorities().empty() ? std::nullopt : orb_->object_priorities().find(served_key);
  std::vector<LaneAddress> lanes;
  if (pool_ && propagates()) {
    lanes = pool_->addresses();
    if (pool_->terms().with_lanes && !orb_->transformer().any()) {  // no request is executed in those above the bound
      const std::int16_t highest = pool_->lane(orb_->most_propagated(), policies_.bands).lane->priority();
      std::erase_if(lanes, [highest](const LaneAddress& l) { return l.priority > highest; });
    }
  }
  ior::add_components(ior, limits, [&](std::uint32_t tag, std::vector<ior::TaggedComponent>& components) {
    const auto before = std::ranges::find(components, ior::kPolicies, &ior::TaggedComponent::tag);
    const ByteView said = before == components.end() ? ByteView() : ByteView(before->data);
    ior::Bytes data = with_policy_values(said, policies_, own);
    if (!data.empty()) {
      if (before != components.end()) before->data = std::move(data);
      else components.push_back({ior::kPolicies, std::move(data)});
    }
    if (lanes.size() > 1 && tag == ior::kInternetProfile) components.push_back(lanes_component(lanes));
  });
}

ior::Ior AdapterPolicies::reference(orb::OrbContext& orb, std::string_view type_id, ByteView object_key,
                                    const std::list<orb::EndpointAddress>& addresses) const {
  const bool choose = policies_.server_protocols.has_value();
  std::list<orb::EndpointAddress> chosen;
  if (choose) chosen = addresses_of(*policies_.server_protocols, addresses);
  orb::ReferenceParts parts{orb.options().version, object_key, choose ? chosen : addresses, {}, {}};
  ior::add(parts.components, ior::orb_type_component(ior::kCallisOrbType));
  if (CALLIS_HAS(code_sets)) orb::offer_code_sets(orb.options(), parts.components);
  for (const orb::Transport* const t : orb::transports()) t->offer_components(parts);
  for (const orb::Transport* const t : in_order(policies_)) t->offer(parts);
  ior::Ior ior;
  ior.type_id = type_id;
  ior.profiles = std::move(parts.profiles);
  if (others_) {
    auto with_others = orb::ReferencePtr::adopt(new orb::Reference(orb, std::move(ior)));
    others_->complete(with_others);
    ior = with_others->ior();
  }
  add_to(ior, orb.limits(), served_key_of(orb, object_key));
  return ior;
}

void AdapterPolicies::complete(orb::ReferencePtr& made) const {
  orb::OrbContext& orb = made->orb();
  const ior::Bytes key = key_of(*made);
  const std::list<orb::EndpointAddress>* at = nullptr;  // nullptr: where the ORB has said
  if (policies_.server_protocols) at = &orb::Core::of(orb).server().published();
  if (pool_ && !key.empty()) {
    const Lane& lane = *pool_->lane(declared_priority(served_key_of(orb, key)), policies_.bands).lane;
    if (!lane.addresses().empty()) at = &lane.addresses();
  }
  if (at && !key.empty()) {
    made = orb::ReferencePtr::adopt(new orb::Reference(orb, reference(orb, made->ior().type_id, key, *at)));
    return;
  }
  if (others_) others_->complete(made);
  ior::Ior ior = made->ior();
  add_to(ior, orb.limits(), served_key_of(orb, key));
  made = orb::ReferencePtr::adopt(new orb::Reference(orb, std::move(ior)));
}

[[gnu::hot]] const AdapterPolicies* AdapterPolicies::of(const poa::Adapter& adapter) {
  const orb::AdapterNotes* const notes = adapter.exposed();
  return notes && typeid(*notes) == typeid(AdapterPolicies) ? static_cast<const AdapterPolicies*>(notes) : nullptr;
}

}  // namespace callis::rt
