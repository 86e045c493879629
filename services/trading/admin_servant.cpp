// SPDX-License-Identifier: Apache-2.0
#include <services/trading/servants.h>
#include <algorithm>

namespace callis::trading {

namespace {

constexpr std::size_t kMostIds = 10'000;  // in one answer
constexpr CORBA::ULong kMostStemBytes = 128;
using Stored = Settings::Values;

}  // namespace

template<class Member, class T>
T AdminServant::set(Member member, T value) {
  if (!allowed_)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                               "this trader was started with --no-admin: its links and settings do not change");
  T before{};
  market_.settings().change([&](Stored& all) {
    before = static_cast<T>(all.*member);
    all.*member = value;
  });
  return before;
}

CORBA::ULong AdminServant::set_def_search_card(CORBA::ULong value) { return set(&Stored::def_search_card, value); }
CORBA::ULong AdminServant::set_max_search_card(CORBA::ULong value) { return set(&Stored::max_search_card, value); }
CORBA::ULong AdminServant::set_def_match_card(CORBA::ULong value) { return set(&Stored::def_match_card, value); }
CORBA::ULong AdminServant::set_max_match_card(CORBA::ULong value) { return set(&Stored::max_match_card, value); }
CORBA::ULong AdminServant::set_def_return_card(CORBA::ULong value) { return set(&Stored::def_return_card, value); }
CORBA::ULong AdminServant::set_max_return_card(CORBA::ULong value) { return set(&Stored::max_return_card, value); }
CORBA::ULong AdminServant::set_max_list(CORBA::ULong value) { return set(&Stored::max_list, value); }
CORBA::ULong AdminServant::set_def_hop_count(CORBA::ULong value) { return set(&Stored::def_hop_count, value); }
CORBA::ULong AdminServant::set_max_hop_count(CORBA::ULong value) { return set(&Stored::max_hop_count, value); }

CORBA::Boolean AdminServant::set_supports_modifiable_properties(CORBA::Boolean value) {
  return set(&Stored::supports_modifiable_properties, value);
}
CORBA::Boolean AdminServant::set_supports_dynamic_properties(CORBA::Boolean value) {
  return set(&Stored::supports_dynamic_properties, value);
}
CORBA::Boolean AdminServant::set_supports_proxy_offers(CORBA::Boolean value) {
  return set(&Stored::supports_proxy_offers, value);
}
CosTrading::FollowOption AdminServant::set_def_follow_policy(CosTrading::FollowOption policy) {
  return set(&Stored::def_follow_policy, policy);
}
CosTrading::FollowOption AdminServant::set_max_follow_policy(CosTrading::FollowOption policy) {
  return set(&Stored::max_follow_policy, policy);
}
CosTrading::FollowOption AdminServant::set_max_link_follow_policy(CosTrading::FollowOption policy) {
  return set(&Stored::max_link_follow_policy, policy);
}

CORBA::Object_ptr AdminServant::set_type_repos(CORBA::Object_ptr repository) {
  if (CORBA::is_nil(repository) || !repository->_is_equivalent(parts_.types.in()))
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "this trader uses no repository of service types but its own");
  return type_repos();
}

CosTrading::Admin::OctetSeq* AdminServant::request_id_stem() {
  return new CosTrading::Admin::OctetSeq(get().request_id_stem);
}

CosTrading::Admin::OctetSeq* AdminServant::set_request_id_stem(const CosTrading::Admin::OctetSeq& stem) {
  if (stem.length() == 0 || stem.length() > kMostStemBytes)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a stem of request ids has 1 to 128 bytes");
  return new CosTrading::Admin::OctetSeq(set(&Stored::request_id_stem, stem));
}

void AdminServant::list(bool proxies, CORBA::ULong how_many, CosTrading::OfferIdSeq_out ids,
                        CosTrading::OfferIdIterator_out id_itr) {
  std::vector<OfferNumber> all = market_.catalogue().numbers(proxies);
  const std::size_t first = std::min({std::size_t{how_many}, kMostIds, all.size()});
  CosTrading::OfferIdSeq_var out = new CosTrading::OfferIdSeq;
  out->length(static_cast<CORBA::ULong>(first));
  for (CORBA::ULong i = 0; i < first; ++i) out[i] = to_digits(all[i]).c_str();
  CosTrading::OfferIdIterator_var more;
  if (first < all.size()) {
    services::MemoryBound::Hold held =
        market_.memory().take(services::MemoryBound::kOverhead + all.capacity() * sizeof(OfferNumber));
    more = iterators_.make(std::move(all), first, std::move(held));
  }
  ids = out._retn();
  id_itr = more._retn();
}

void AdminServant::list_offers(CORBA::ULong how_many, CosTrading::OfferIdSeq_out ids,
                               CosTrading::OfferIdIterator_out id_itr) {
  list(false, how_many, ids, id_itr);
}

void AdminServant::list_proxies(CORBA::ULong how_many, CosTrading::OfferIdSeq_out ids,
                                CosTrading::OfferIdIterator_out id_itr) {
  list(true, how_many, ids, id_itr);
}

}  // namespace callis::trading
