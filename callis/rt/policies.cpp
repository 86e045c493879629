// SPDX-License-Identifier: Apache-2.0
// Real-time policies of a list as values, and whether an adapter can be made with them.
#include <callis/orb/core/core.h>
#include <callis/orb/object/policy.h>
#include <callis/rt/policies.h>
#include <callis/rt/protocols.h>
#include <algorithm>

namespace callis::rt {
namespace {

using namespace RTCORBA;

// Of the class that its type says; nullptr for another.
template <class P>
P* as(CORBA::Policy_ptr policy) {
  return dynamic_cast<P*>(policy);
}

std::vector<Band> bands_of(PriorityBandedConnectionPolicy& policy) {
  const PriorityBands_var list = policy.priority_bands();
  std::vector<Band> bands;
  for (CORBA::ULong i = 0; i < list->length(); ++i) bands.push_back({list[i].low, list[i].high});
  return bands;
}

// False when its class is not that of its type.
bool read(CORBA::Policy_ptr policy, RtPolicies& to) {
  switch (policy->policy_type()) {
    case PRIORITY_MODEL_POLICY_TYPE: {
      auto* const p = as<PriorityModelPolicy>(policy);
      if (!p) return false;
      to.model = p->priority_model();
      to.server_priority = p->server_priority();
      return true;
    }
    case THREADPOOL_POLICY_TYPE: {
      auto* const p = as<ThreadpoolPolicy>(policy);
      if (p) to.threadpool = p->threadpool();
      return p != nullptr;
    }
    case SERVER_PROTOCOL_POLICY_TYPE: {
      auto* const p = as<ServerProtocolPolicy>(policy);
      if (p) to.server_protocols = terms_of(ProtocolList_var(p->protocols()).in());
      return p != nullptr;
    }
    case CLIENT_PROTOCOL_POLICY_TYPE: {
      auto* const p = as<ClientProtocolPolicy>(policy);
      if (p) to.client_protocols = terms_of(ProtocolList_var(p->protocols()).in());
      return p != nullptr;
    }
    case PRIVATE_CONNECTION_POLICY_TYPE: {
      to.private_connection = as<PrivateConnectionPolicy>(policy) != nullptr;
      return to.private_connection;
    }
    case PRIORITY_BANDED_CONNECTION_POLICY_TYPE: {
      auto* const p = as<PriorityBandedConnectionPolicy>(policy);
      if (p) to.bands = bands_of(*p);
      return p != nullptr;
    }
    default: return true;
  }
}

// Whether the ORB, or its lanes, have an address of one of the protocols.
bool is_served(const std::vector<ProtocolTerms>& protocols, const orb::Core& core, bool by_lanes) {
  const orb::EndpointOption usual;
  const std::vector<orb::EndpointOption>& given = core.options().endpoints;
  return std::ranges::any_of(given.empty() ? std::span(&usual, 1) : std::span(given), [&](const auto& e) {
    const orb::Transport& t = *e.address.transport;
    return !(by_lanes && t.is_inside()) &&
           std::ranges::find(protocols, profile_of(t), &ProtocolTerms::profile) != protocols.end();
  });
}

}  // namespace

RtPolicies read_rt_policies(const CORBA::PolicyList& policies) {
  RtPolicies all;
  for (CORBA::ULong i = 0; i < policies.length(); ++i)
    if (policies[i]) (void)read(policies[i], all);
  return all;
}

const char* fault_of(const std::vector<Band>& bands) {
  if (bands.empty()) return "there are no bands";
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (bands[i].low < minPriority || bands[i].low > bands[i].high)
      return "a band whose priorities are not 0 to 32767, the lower one first";
    if (i != 0 && bands[i].low <= bands[i - 1].high) return "bands that overlap, or are not in ascending order";
  }
  return nullptr;
}

bool has_lane(const ThreadpoolTerms& pool, Priority priority) {
  return !pool.with_lanes || std::ranges::find(pool.lanes, priority, &LaneTerms::priority) != pool.lanes.end();
}

bool bands_have_lanes(const std::vector<Band>& bands, const ThreadpoolTerms& pool) {
  return !pool.with_lanes || std::ranges::all_of(bands, [&](const Band& b) {
    return std::ranges::any_of(pool.lanes, [&](const LaneTerms& l) { return b.contains(l.priority); });
  });
}

const Band* find_band(const std::vector<Band>& bands, Priority priority) {
  for (const Band& b : bands)
    if (b.contains(priority)) return &b;
  return nullptr;
}

std::optional<CORBA::UShort> find_bad_policy(const CORBA::PolicyList& policies, orb::Core* core) {
  RtPolicies all;
  int at[6] = {-1, -1, -1, -1, -1, -1};
  const auto place = [&](CORBA::PolicyType type) -> int& { return at[type - PRIORITY_MODEL_POLICY_TYPE]; };
  const auto index = [](int i) { return static_cast<CORBA::UShort>(i); };
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    if (!policies[i] || !is_rt_policy(policies[i]->policy_type())) continue;
    int& mine = place(policies[i]->policy_type());
    if (mine >= 0 || !read(policies[i], all)) return index(static_cast<int>(i));
    mine = static_cast<int>(i);
  }
  const int banded = place(PRIORITY_BANDED_CONNECTION_POLICY_TYPE), pooled = place(THREADPOOL_POLICY_TYPE),
            modelled = place(PRIORITY_MODEL_POLICY_TYPE);
  if (banded >= 0 && fault_of(all.bands)) return index(banded);
  if (modelled >= 0 && (all.server_priority < minPriority || all.model > SERVER_DECLARED)) return index(modelled);
  // Bands are for CLIENT_PROPAGATED, or for an object's priority to lie in one of them.
  if (banded >= 0 && all.model == SERVER_DECLARED && !find_band(all.bands, all.server_priority))
    return index(std::max(banded, modelled));
  const bool has_lanes = pooled >= 0 && *all.threadpool != 0;
  if (all.server_protocols && core && !is_served(*all.server_protocols, *core, has_lanes))
    return index(std::max(place(SERVER_PROTOCOL_POLICY_TYPE), pooled));
  if (!has_lanes) return {};
  const ThreadpoolTerms* const pool = core ? Threadpools::of(*core).terms(*all.threadpool) : nullptr;
  if (!pool) return index(pooled);
  if (all.model == SERVER_DECLARED && !has_lane(*pool, all.server_priority)) return index(std::max(pooled, modelled));
  if (banded >= 0 && !bands_have_lanes(all.bands, *pool)) return index(std::max(banded, pooled));
  return {};
}

}  // namespace callis::rt
