// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/policy.h>
#include <callis/orb/core/core.h>
#include <callis/rt/adapters/bad_policies.h>
#include <callis/rt/protocols/protocols.h>
#include <algorithm>

namespace callis::rt {
namespace {

using namespace RTCORBA;

// Returns whether the ORB, or its lanes, have an address of one of the protocols.
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

bool has_lane(const ThreadpoolTerms& pool, Priority priority) {
  return !pool.with_lanes || std::ranges::find(pool.lanes, priority, &LaneTerms::priority) != pool.lanes.end();
}

bool bands_have_lanes(const std::vector<Band>& bands, const ThreadpoolTerms& pool) {
  return !pool.with_lanes || std::ranges::all_of(bands, [&](const Band& b) {
    return std::ranges::any_of(pool.lanes, [&](const LaneTerms& l) { return b.contains(l.priority); });
  });
}

std::optional<CORBA::UShort> find_bad_policy(const CORBA::PolicyList& policies, orb::Core* core) {
  RtPolicies all;
  int at[6] = {-1, -1, -1, -1, -1, -1};
  const auto place = [&](CORBA::PolicyType type) -> int& { return at[type - PRIORITY_MODEL_POLICY_TYPE]; };
  const auto index = [](int i) { return static_cast<CORBA::UShort>(i); };
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    if (!policies[i] || !is_rt_policy(policies[i]->policy_type())) continue;
    int& mine = place(policies[i]->policy_type());
    if (mine >= 0 || !read_rt_policy(*policies[i], all)) return index(static_cast<int>(i));
    mine = static_cast<int>(i);
  }
  const int banded = place(PRIORITY_BANDED_CONNECTION_POLICY_TYPE), pooled = place(THREADPOOL_POLICY_TYPE),
            modelled = place(PRIORITY_MODEL_POLICY_TYPE);
  if (banded >= 0 && fault_of(all.bands)) return index(banded);
  if (modelled >= 0 && (all.server_priority < minPriority || all.model > SERVER_DECLARED)) return index(modelled);
  // Bands are for CLIENT_PROPAGATED, or for an object's priority to lie in one of them.
  if (!all.bands.empty() && all.model == SERVER_DECLARED && !find_band(all.bands, all.server_priority))
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
