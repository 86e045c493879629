// SPDX-License-Identifier: Apache-2.0
// Real-time policies of a list as values.
#include <callis/orb/base/policy.h>
#include <callis/rt/policies/policies.h>
#include <callis/rt/protocols/protocols.h>
#include <algorithm>

namespace callis::rt {
namespace {

using namespace RTCORBA;

// Returns the policy as the class that its type says; nullptr if its class is another.
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

// A list of none prefers none.
std::optional<std::vector<ProtocolTerms>> named(std::vector<ProtocolTerms> protocols) {
  if (protocols.empty()) return {};
  return protocols;
}

}  // namespace

bool read_rt_policy(CORBA::Policy& given, RtPolicies& to) {
  CORBA::Policy_ptr const policy = &given;
  switch (given.policy_type()) {
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
      if (p) to.server_protocols = named(terms_of(ProtocolList_var(p->protocols()).in()));
      return p != nullptr;
    }
    case CLIENT_PROTOCOL_POLICY_TYPE: {
      auto* const p = as<ClientProtocolPolicy>(policy);
      if (p) to.client_protocols = named(terms_of(ProtocolList_var(p->protocols()).in()));
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

RtPolicies read_rt_policies(const CORBA::PolicyList& policies) {
  RtPolicies all;
  for (CORBA::ULong i = 0; i < policies.length(); ++i)
    if (policies[i]) (void)read_rt_policy(*policies[i], all);
  return all;
}

const char* fault_of(const std::vector<Band>& bands) {
  std::vector<Band> sorted = bands;
  std::ranges::sort(sorted, {}, &Band::low);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].low < minPriority || sorted[i].low > sorted[i].high)
      return "a band whose priorities are not 0 to 32767, the lower one first";
    if (i != 0 && sorted[i].low <= sorted[i - 1].high) return "bands that overlap";
  }
  return nullptr;
}

const Band* find_band(const std::vector<Band>& bands, Priority priority) {
  for (const Band& b : bands)
    if (b.contains(priority)) return &b;
  return nullptr;
}

}  // namespace callis::rt
