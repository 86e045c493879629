// SPDX-License-Identifier: Apache-2.0
// Policies: what an importer says of a query (Trading Object Service 1.0, "policies"), and what comes of it together
// with the trader's attributes and those of a link.
#pragma once
#include <services/trading/settings.h>
#include <optional>
#include <string>
#include <vector>
#include "CosTrading.h"

namespace callis::trading {

struct Policies {
  std::optional<CORBA::ULong> search_card, match_card, return_card, hop_count;
  std::optional<bool> exact_type_match, use_modifiable_properties, use_dynamic_properties, use_proxy_offers;
  std::optional<CosTrading::FollowOption> link_follow_rule;
  std::vector<std::string> starting_trader;
  std::string request_id;  // bytes

  // Throws IllegalPolicyName, DuplicatePolicyName, PolicyTypeMismatch, InvalidPolicyValue.
  static Policies parse(const CosTrading::PolicySeq& policies);
  CosTrading::PolicySeq to_idl() const;
};

// As much as a query may have of something, and whether that is less than its importer asked for.
struct Cardinality {
  CORBA::ULong most;
  bool limited;
};
Cardinality cardinality(std::optional<CORBA::ULong> asked, CORBA::ULong otherwise, CORBA::ULong most);

inline constexpr std::size_t kMostPolicies = 100;
inline constexpr std::size_t kMostTraderNames = 100;  // of starting_trader
inline constexpr std::size_t kMostRequestIdBytes = 256;

// Throws DuplicatePolicyName and IllegalPolicyName: of those of a proxy offer, which may be any.
void check_names(const CosTrading::PolicySeq& policies);

}  // namespace callis::trading
