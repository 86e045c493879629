// SPDX-License-Identifier: Apache-2.0
// Offers that come, change and go.
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/orb/client/reference.h>
#include <services/trading/market.h>
#include <services/trading/recipe.h>
#include <atomic>
#include "CallisTrading.h"

namespace callis::trading {

namespace {

constexpr const char* kOfferPrefix = "o/";
constexpr std::size_t kErasedAtOnce = 50;
using CosTrading::Register;

// The sender of an offer's references; the farthest if there are several.
orb::MessageSource::From farthest(CORBA::Object_ptr reference, const CosTrading::PropertySeq& properties) {
  auto out = orb::MessageSource::From::Self;
  const auto look = [&out](CORBA::Object_ptr object) {
    if (!CORBA::is_nil(object) && object->_callis_reference())
      out = std::max(out, object->_callis_reference()->from());
  };
  look(reference);
  for (CORBA::ULong i = 0; i < properties.length(); ++i) {
    const CosTradingDynamic::DynamicProp* dynamic = nullptr;
    if (properties[i].value >>= dynamic) look(dynamic->eval_if.in());
  }
  return out;
}

CallisTrading::StoredOffer stored_offer(const std::string& type, CORBA::Object_ptr reference,
                                        const CosTrading::PropertySeq& properties, const Proxy* proxy) {
  CallisTrading::StoredOffer out;
  out.type = type.c_str();
  out.reference = CORBA::Object::_duplicate(reference);
  out.properties = properties;
  if (proxy) {
    out.proxy.length(1);
    out.proxy[0].if_match_all = proxy->if_match_all;
    out.proxy[0].recipe = proxy->recipe.c_str();
    out.proxy[0].policies_to_pass_on = proxy->policies;
  }
  return out;
}

}  // namespace

Market::Market(CORBA::ORB_ptr orb, services::Store& store, const Options& options)
    : options_(options),
      own_memory_(options.memory ? nullptr : std::make_unique<services::MemoryBound>()),
      memory_(options.memory ? options.memory : own_memory_.get()),
      keeper_(orb, store),
      settings_(keeper_, options.settings),
      types_(keeper_, *memory_),
      links_(keeper_, *memory_) {
  keeper_.read(kOfferPrefix, [&](services::Pair&& p) {
    CallisTrading::StoredOffer stored;
    OfferNumber number = 0;
    if (!from_digits(std::string_view(p.key).substr(2), number) ||
        !keeper_.from_bytes(p.value, CallisTrading::_tc_StoredOffer, stored))
      throw services::StoreFailed(services::StoreFailed::Damaged,
                                  concat({"the offer ", p.key.substr(2), " in the store cannot be read"}));
    Proxy proxy;
    const bool is_proxy = stored.proxy.length() != 0;
    if (is_proxy)
      proxy = {stored.proxy[0].if_match_all, stored.proxy[0].recipe.in(), stored.proxy[0].policies_to_pass_on};
    put(number, stored.type.in(), keeper_.reference_to_bytes(stored.reference.in()), stored.properties,
        is_proxy ? &proxy : nullptr,
        memory_->adopt(memory_of_offer(p.value.size(), stored.properties, is_proxy)));
  });
  keeper_.take_over();
}

constraints::TypeOf Market::types_of(const ServiceTypePtr& type) {
  return [type](std::string_view name) -> std::optional<constraints::Type> {
    const PropertyType* const declared = type->find(name);
    // Offers may have more than their type declares.
    return declared ? constraints::type_of(declared->type.in()) : constraints::Type::Unknown;
  };
}

std::string Market::explained(std::string_view text, const constraints::Refused& why) {
  return concat({text.substr(0, 1'000), "\n", why.what()});
}

void Market::check_room() const {
  if (catalogue_.size() >= options_.offers)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"there are ", Decimal(options_.offers), " offers, and may not be more"}));
}

ServiceTypePtr Market::type_for_offers(const char* name) const {
  ServiceTypePtr out = types_.get(name);
  if (out->masked) throw CosTrading::UnknownServiceType(name);  // no new offers of masked types
  return out;
}

// The reference itself names its interface; if this is another interface, its object is asked. An object that cannot
// be reached may be right.
void Market::check_interface(const ServiceType& type, CORBA::Object_ptr reference) const {
  if (type.interface.find(':') == std::string::npos) return;  // no repository id
  const auto is = std::make_shared<std::atomic<bool>>(true);
  const auto ask = [is, object = CORBA::Object_var(CORBA::Object::_duplicate(reference)), id = type.interface] {
    *is = object->_is_a(id.c_str());
  };
  try {
    if (reference->_callis_reference() && reference->_callis_reference()->ior().type_id == type.interface) return;
    if (call_) {
      call_(reference, ask, options_.deadline);
    } else {
      const ThreadDeadline limit(options_.deadline);
      ask();
    }
  } catch (const CORBA::SystemException&) {}
  if (!*is) throw Register::InterfaceTypeMismatch(type.name.c_str(), reference);
}

std::string Market::add(CORBA::Object_ptr reference, const char* name, const CosTrading::PropertySeq& properties) {
  if (CORBA::is_nil(reference)) throw Register::InvalidObjectRef(reference);
  const ServiceTypePtr type = type_for_offers(name);
  check_export(*type, properties, settings_.get().supports_dynamic_properties);
  check_interface(*type, reference);
  check_room();
  return keep(draw(), type->name, reference, properties, nullptr);
}

std::string Market::keep(OfferNumber number, const std::string& type, CORBA::Object_ptr reference,
                         const CosTrading::PropertySeq& properties, const Proxy* proxy) {
  const std::string bytes = keeper_.reference_to_bytes(reference);
  std::string stored = keeper_.to_bytes(stored_offer(type, reference, properties, proxy),
                                        farthest(reference, properties));
  services::MemoryBound::Hold held = memory_->take(memory_of_offer(stored.size(), properties, proxy != nullptr));
  keeper_.keep({{{kOfferPrefix + to_digits(number), std::move(stored)}}, {}});
  put(number, type, bytes, properties, proxy, std::move(held));
  return to_digits(number);
}

// The block of the offer, its places in the catalogue and in indexes, and values that are kept as Anys. The texts and
// the reference are among the stored bytes.
std::size_t Market::memory_of_offer(std::size_t stored_bytes, const CosTrading::PropertySeq& properties,
                                    bool is_proxy) const {
  std::size_t out = sizeof(Offer) + sizeof(services::MemoryBound::Hold) + services::MemoryBound::kOverhead +
                    properties.length() * Offer::kCellBytes + stored_bytes * (keeper_.in_memory() ? 2 : 1);
  if (is_proxy) out += services::MemoryBound::kOverhead + 3 * stored_bytes;  // recipe and policies
  for (CORBA::ULong i = 0; i < properties.length(); ++i) {
    const CORBA::TypeCode_var of = properties[i].value.type();
    if (!Offer::is_plain(of.in())) out += std::min(memory_of(keeper_, properties[i].value), stored_bytes * 6);
  }
  return out;
}

void Market::put(OfferNumber number, const std::string& type, std::string_view reference,
                 const CosTrading::PropertySeq& properties, const Proxy* proxy, services::MemoryBound::Hold held) {
  Catalogue::Values values;
  values.reserve(properties.length());
  for (CORBA::ULong i = 0; i < properties.length(); ++i)
    values.emplace_back(properties[i].name.in(), &properties[i].value);
  catalogue_.insert(number, type, reference, values, proxy ? std::make_unique<const Proxy>(*proxy) : nullptr,
                    std::move(held));
}

OfferPtr Market::offer(const char* id) const {
  OfferNumber number = 0;
  if (!from_digits(id, number)) throw CosTrading::IllegalOfferId(id);
  OfferPtr out = catalogue_.find(number);
  if (!out) throw CosTrading::UnknownOfferId(id);
  return out;
}

void Market::erase(const OfferPtr& offer) {
  keeper_.keep({{}, {kOfferPrefix + to_digits(offer->number())}});
  catalogue_.erase(offer->number());
}

void Market::withdraw(const char* id) {
  OfferPtr found = offer(id);
  const std::lock_guard lock(guard(found->number()));
  found = offer(id);
  if (found->proxy()) throw Register::ProxyOfferId(id);
  erase(found);
}

CosTrading::PropertySeq Market::properties_of(const Offer& offer) const {
  CosTrading::PropertySeq out;
  catalogue_.each_property(offer, [&](const std::string& name, Slot slot) {
    const CORBA::ULong i = out.length();
    out.length(i + 1);
    out[i].name = name.c_str();
    out[i].value = *offer.any(slot);
  });
  return out;
}

Register::OfferInfo Market::describe(const char* id) const {
  const OfferPtr found = offer(id);
  if (found->proxy()) throw Register::ProxyOfferId(id);
  Register::OfferInfo out;
  out.reference = reference_of(*found);
  out.type = found->of_type().type().c_str();
  out.properties = properties_of(*found);
  return out;
}

void Market::modify(const char* id, const CosTrading::PropertyNameSeq& to_delete,
                    const CosTrading::PropertySeq& to_put) {
  const Settings::Values settings = settings_.get();
  if (!settings.supports_modifiable_properties) throw CosTrading::NotImplemented();
  OfferPtr found = offer(id);
  const std::lock_guard lock(guard(found->number()));
  found = offer(id);
  if (found->proxy()) throw Register::ProxyOfferId(id);
  const std::string type_name = found->of_type().type();
  ServiceTypePtr type;
  try {
    type = types_.get(type_name.c_str());
  } catch (const CosTrading::UnknownServiceType&) {  // it has been removed: no rules are left
  }
  const CosTrading::PropertySeq properties =
      modified(type.get(), type_name, properties_of(*found), to_delete, to_put, settings.supports_dynamic_properties);
  keep(found->number(), type_name, reference_of(*found).in(), properties, nullptr);
}

std::size_t Market::withdraw(const char* name, const char* text) {
  const ServiceTypePtr type = types_.get(name);
  constraints::Constraint constraint;
  try {
    constraint = constraints::Constraint::parse(text, {.limits = {}, .type_of = types_of(type)});
  } catch (const constraints::Refused& e) {
    throw CosTrading::IllegalConstraint(explained(text, e).c_str());
  }
  services::OperationTime time(options_.operation, "--operation-timeout");
  constraints::Work work(kMostWork, [&] { time.check(); });
  const std::vector<std::string> types = {type->name};
  Catalogue::Found found;
  try {
    found = catalogue_.search({.types = types, .constraint = constraint, .proxies = false}, work);
  } catch (const constraints::WorkExhausted&) {
    too_much_work();
  }
  std::size_t gone = 0;
  std::vector<OfferNumber> at_once;
  const auto flush = [&] {
    Keeper::Changes changes;
    for (const OfferNumber n : at_once) changes.erased.push_back(kOfferPrefix + to_digits(n));
    keeper_.keep(changes);
    for (const OfferNumber n : at_once) gone += static_cast<bool>(catalogue_.erase(n));
    at_once.clear();
  };
  for (const OfferPtr& o : found.matched) {
    // Some are gone: another call takes the rest.
    if (at_once.empty()) time.check(gone == 0 ? CORBA::COMPLETED_NO : CORBA::COMPLETED_MAYBE);
    at_once.push_back(o->number());
    if (at_once.size() == kErasedAtOnce) flush();
  }
  if (!at_once.empty()) flush();
  if (gone == 0) throw Register::NoMatchingOffers(text);
  return gone;
}

void Market::too_much_work() {
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         "the constraint takes more work for so many offers than one query may: lower search_card, "
                         "or compare a property with a value first");
}

std::string Market::add_proxy(const CosTrading::Proxy::ProxyInfo& info) {
  if (!settings_.get().supports_proxy_offers)
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "this trader's administrator lets it have no proxy offers");
  const ServiceTypePtr type = type_for_offers(info.type.in());
  if (CORBA::is_nil(info.target.in())) throw CosTrading::InvalidLookupRef(info.target.in());
  check_export(*type, info.properties, settings_.get().supports_dynamic_properties);
  const auto has = [&](std::string_view name) {
    for (CORBA::ULong i = 0; i < info.properties.length(); ++i) {
      if (info.properties[i].name.in() == name) return true;
    }
    return false;
  };
  if (!is_recipe(info.recipe.in(), has)) throw CosTrading::Proxy::IllegalRecipe(info.recipe.in());
  for (CORBA::ULong i = 0; i < info.policies_to_pass_on.length(); ++i) {
    for (CORBA::ULong j = 0; j < i; ++j) {
      if (std::string_view(info.policies_to_pass_on[i].name.in()) == info.policies_to_pass_on[j].name.in())
        throw CosTrading::DuplicatePolicyName(info.policies_to_pass_on[i].name.in());
    }
    if (i == 100) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "there are more policies than 100");
  }
  check_room();
  const Proxy proxy{static_cast<bool>(info.if_match_all), info.recipe.in(), info.policies_to_pass_on};
  return keep(draw(), type->name, info.target.in(), info.properties, &proxy);
}

void Market::withdraw_proxy(const char* id) {
  OfferPtr found = offer(id);
  const std::lock_guard lock(guard(found->number()));
  found = offer(id);
  if (!found->proxy()) throw CosTrading::Proxy::NotProxyOfferId(id);
  erase(found);
}

CosTrading::Proxy::ProxyInfo Market::describe_proxy(const char* id) const {
  const OfferPtr found = offer(id);
  const Proxy* const proxy = found->proxy();
  if (!proxy) throw CosTrading::Proxy::NotProxyOfferId(id);
  CosTrading::Proxy::ProxyInfo out;
  out.type = found->of_type().type().c_str();
  out.target = CosTrading::Lookup::_unchecked_narrow(reference_of(*found).in());
  out.properties = properties_of(*found);
  out.if_match_all = proxy->if_match_all;
  out.recipe = proxy->recipe.c_str();
  out.policies_to_pass_on = proxy->policies;
  return out;
}

}  // namespace callis::trading
