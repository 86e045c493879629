// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/deadline.h>
#include <services/lifecycle/finder.h>
#include <algorithm>
#include <string_view>

namespace callis::life_cycle {

namespace {

constexpr CORBA::ULong kMostOffers = 100;

}  // namespace

TraderFinder::TraderFinder(CosTrading::Lookup_ptr trader, std::string service_type, std::string constraint,
                           std::string preference)
    : trader_(CosTrading::Lookup::_duplicate(trader)),
      service_type_(std::move(service_type)),
      constraint_(std::move(constraint)),
      preference_(std::move(preference)) {}

CosLifeCycle::Factories* TraderFinder::find(const CosLifeCycle::Key& key, std::chrono::milliseconds answer,
                                            const services::OperationTime& time) {
  const std::string_view id = key.length() == 0 ? "" : key[key.length() - 1].id.in();
  // A text of the constraint language has no such id; and no key may say more than its implementation.
  if (id.empty() || id.find_first_of("'\\") != std::string_view::npos) throw CosLifeCycle::NoFactory(key);
  std::string constraint = "implementation == '" + std::string(id) + "'";
  if (!constraint_.empty()) constraint += " and (" + constraint_ + ")";
  CosTrading::Lookup::SpecifiedProps no_properties;
  no_properties._d(CosTrading::Lookup::none);
  CosTrading::OfferSeq_var offers;
  CosTrading::OfferIterator_var more;
  CosTrading::PolicyNameSeq_var limits;
  const ThreadDeadline deadline(std::min<std::chrono::nanoseconds>(answer, time.left()));
  try {
    trader_->query(service_type_.c_str(), constraint.c_str(), preference_.c_str(), CosTrading::PolicySeq(),
                   no_properties, kMostOffers, offers.out(), more.out(), limits.out());
  } catch (const CosTrading::IllegalConstraint&) {
    log(LogLevel::Warning, {"a trader takes this for no constraint: ", constraint});
    throw CosLifeCycle::NoFactory(key);
  } catch (const CORBA::UserException& e) {
    log(LogLevel::Warning, {"a trader refuses to look for ", service_type_, ": ", e._name()});
    throw CosLifeCycle::NoFactory(key);
  }
  if (!CORBA::is_nil(more.in())) more->destroy();
  if (offers->length() == 0) throw CosLifeCycle::NoFactory(key);
  CosLifeCycle::Factories_var out = new CosLifeCycle::Factories;
  out->length(offers->length());
  for (CORBA::ULong i = 0; i < offers->length(); ++i) out[i] = CORBA::Object::_duplicate(offers[i].reference.in());
  return out._retn();
}

}  // namespace callis::life_cycle
