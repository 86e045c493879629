// SPDX-License-Identifier: Apache-2.0
// Policies out of a sequence of Anys, and into one again.
#include <services/trading/names.h>
#include <services/trading/policies.h>
#include <algorithm>
#include <set>

namespace callis::trading {

namespace {

using Lookup = CosTrading::Lookup;

CORBA::ULong number(const CosTrading::Policy& p) {
  CORBA::ULong out = 0;
  if (!(p.value >>= out)) throw Lookup::PolicyTypeMismatch(p);
  return out;
}

bool boolean(const CosTrading::Policy& p) {
  CORBA::Boolean out = false;
  if (!(p.value >>= CORBA::Any::to_boolean(out))) throw Lookup::PolicyTypeMismatch(p);
  return out;
}

CosTrading::FollowOption follow(const CosTrading::Policy& p) {
  CosTrading::FollowOption out = CosTrading::local_only;
  if (!(p.value >>= out)) throw Lookup::PolicyTypeMismatch(p);
  if (out > CosTrading::always) throw Lookup::InvalidPolicyValue(p);
  return out;
}

std::vector<std::string> trader(const CosTrading::Policy& p) {
  const CosTrading::TraderName* names = nullptr;
  if (!(p.value >>= names)) throw Lookup::PolicyTypeMismatch(p);
  if (names->length() > kMostTraderNames) throw Lookup::InvalidPolicyValue(p);
  std::vector<std::string> out;
  for (CORBA::ULong i = 0; i < names->length(); ++i) {
    out.emplace_back((*names)[i]);
    if (!is_link_name(out.back())) throw Lookup::InvalidPolicyValue(p);
  }
  return out;
}

std::string bytes(const CosTrading::Policy& p) {
  const CosTrading::Admin::OctetSeq* octets = nullptr;
  if (!(p.value >>= octets)) throw Lookup::PolicyTypeMismatch(p);
  if (octets->length() > kMostRequestIdBytes) throw Lookup::InvalidPolicyValue(p);
  return {reinterpret_cast<const char*>(octets->get_buffer()), octets->length()};
}

}  // namespace

void check_names(const CosTrading::PolicySeq& policies) {
  if (policies.length() > kMostPolicies)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "there are more policies than 100");
  std::set<std::string> seen;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    const char* const name = policies[i].name.in();
    if (!is_policy_name(name)) throw Lookup::IllegalPolicyName(name);
    if (!seen.insert(name).second) throw CosTrading::DuplicatePolicyName(name);
  }
}

Policies Policies::parse(const CosTrading::PolicySeq& policies) {
  check_names(policies);
  Policies out;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    const CosTrading::Policy& p = policies[i];
    const std::string name = p.name.in();
    if (name == "search_card") {
      out.search_card = number(p);
    } else if (name == "match_card") {
      out.match_card = number(p);
    } else if (name == "return_card") {
      out.return_card = number(p);
    } else if (name == "hop_count") {
      out.hop_count = number(p);
    } else if (name == "exact_type_match") {
      out.exact_type_match = boolean(p);
    } else if (name == "use_modifiable_properties") {
      out.use_modifiable_properties = boolean(p);
    } else if (name == "use_dynamic_properties") {
      out.use_dynamic_properties = boolean(p);
    } else if (name == "use_proxy_offers") {
      out.use_proxy_offers = boolean(p);
    } else if (name == "link_follow_rule") {
      out.link_follow_rule = follow(p);
    } else if (name == "starting_trader") {
      out.starting_trader = trader(p);
    } else if (name == "request_id") {
      out.request_id = bytes(p);
    } else {
      throw Lookup::IllegalPolicyName(name.c_str());
    }
  }
  return out;
}

CosTrading::PolicySeq Policies::to_idl() const {
  CosTrading::PolicySeq out;
  const auto add = [&](const char* name) -> CORBA::Any& {
    out.length(out.length() + 1);
    out[out.length() - 1].name = name;
    return out[out.length() - 1].value;
  };
  const auto add_number = [&](const char* name, const std::optional<CORBA::ULong>& n) {
    if (n) add(name) <<= *n;
  };
  const auto add_boolean = [&](const char* name, const std::optional<bool>& b) {
    if (b) add(name) <<= CORBA::Any::from_boolean(*b);
  };
  add_number("search_card", search_card);
  add_number("match_card", match_card);
  add_number("return_card", return_card);
  add_number("hop_count", hop_count);
  add_boolean("exact_type_match", exact_type_match);
  add_boolean("use_modifiable_properties", use_modifiable_properties);
  add_boolean("use_dynamic_properties", use_dynamic_properties);
  add_boolean("use_proxy_offers", use_proxy_offers);
  if (link_follow_rule) add("link_follow_rule") <<= *link_follow_rule;
  if (!starting_trader.empty()) {
    CosTrading::TraderName names;
    names.length(static_cast<CORBA::ULong>(starting_trader.size()));
    for (CORBA::ULong i = 0; i < names.length(); ++i) names[i] = starting_trader[i].c_str();
    CORBA::Any& any = add("starting_trader");
    any <<= names;
    any.type(CosTrading::_tc_TraderName);
  }
  if (!request_id.empty()) {
    CosTrading::Admin::OctetSeq octets;
    octets.length(static_cast<CORBA::ULong>(request_id.size()));
    std::copy(request_id.begin(), request_id.end(), octets.get_buffer());
    add("request_id") <<= octets;
  }
  return out;
}

Cardinality cardinality(std::optional<CORBA::ULong> asked, CORBA::ULong otherwise, CORBA::ULong most) {
  const CORBA::ULong wanted = asked.value_or(otherwise);
  return {std::min(wanted, most), asked && *asked > most};
}

}  // namespace callis::trading
