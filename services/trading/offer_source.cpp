// SPDX-License-Identifier: Apache-2.0
// Lists of offers: which properties they have, and how many fit into one answer.
#include <services/trading/names.h>
#include <services/trading/offer_source.h>
#include <algorithm>
#include <set>

namespace callis::trading {

namespace {

constexpr std::size_t kBytesOfProperty = 64;  // of a basic type, with its name

// Without its name, of a value that may be of any type.
std::size_t bytes_of(const Keeper& keeper, const CORBA::Any& value) {
  const CORBA::TypeCode_var type = value.type();
  if (Offer::is_plain(type.in()) && type->kind() != CORBA::tk_string) return 0;
  return std::min<std::size_t>(memory_of(keeper, value), OfferSource::kMostListBytes);
}

}  // namespace

Wanted Wanted::parse(const CosTrading::Lookup::SpecifiedProps& properties) {
  Wanted out;
  out.all = properties._d() == CosTrading::Lookup::all;
  if (properties._d() != CosTrading::Lookup::some) return out;
  const CosTrading::PropertyNameSeq& names = properties.prop_names();
  if (names.length() > kMostPropertiesOfOffer)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "there are more properties wanted than an offer may have");
  std::set<std::string> seen;
  for (CORBA::ULong i = 0; i < names.length(); ++i) {
    const char* const name = names[i];
    if (!is_property_name(name)) throw CosTrading::IllegalPropertyName(name);
    if (!seen.insert(name).second) throw CosTrading::DuplicatePropertyName(name);
    out.names.emplace_back(name);
  }
  return out;
}

std::vector<std::pair<std::string, Slot>> OfferSource::slots_of(const Offer& offer) const {
  std::vector<std::pair<std::string, Slot>> out;
  if (!wanted_.all && wanted_.names.empty()) return out;
  s_.market.catalogue().each_property(offer, [&](const std::string& name, Slot slot) {
    if (wanted_.all || std::find(wanted_.names.begin(), wanted_.names.end(), name) != wanted_.names.end())
      out.emplace_back(name, slot);
  });
  return out;
}

std::size_t OfferSource::put(const Hit& hit, CosTrading::Offer& to) const {
  std::size_t bytes = kBytesOfProperty;
  const auto add = [&](const char* name, const CORBA::Any& value, std::size_t size) {
    const CORBA::ULong i = to.properties.length();
    to.properties.length(i + 1);
    to.properties[i].name = name;
    to.properties[i].value = value;
    bytes += kBytesOfProperty + size;
  };
  const Keeper& keeper = s_.market.keeper();
  const auto size_of = [&](const Offer& offer, Slot slot) {
    const constraints::Value v = offer.value(slot);
    if (v.kind() == constraints::Kind::Text) return v.text().size();
    return v.kind() == constraints::Kind::Other || v.kind() == constraints::Kind::Sequence
               ? bytes_of(keeper, *offer.any(slot))
               : 0;
  };
  if (hit.here) {
    const Offer& offer = *hit.here;
    to.reference = s_.market.reference_of(offer);
    bytes += offer.reference().size();
    for (const auto& [name, slot] : slots_of(offer)) {
      if (!offer.is_dynamic(slot)) {
        add(name.c_str(), *offer.any(slot), size_of(offer, slot));
        continue;
      }
      const Evaluated::Known* const k = known_.find(offer, slot);
      if (k && k->there) add(name.c_str(), k->any, bytes_of(keeper, k->any));
    }
    return bytes;
  }
  const CosTrading::Offer& from = *hit.elsewhere;
  to.reference = from.reference;
  for (CORBA::ULong i = 0; i < from.properties.length(); ++i) {
    const char* const name = from.properties[i].name.in();
    if (wanted_.all || std::find(wanted_.names.begin(), wanted_.names.end(), name) != wanted_.names.end())
      add(name, from.properties[i].value, bytes_of(keeper, from.properties[i].value));
  }
  return bytes;
}

CosTrading::OfferSeq* OfferSource::next(std::size_t most) {
  return next(most, services::OperationTime(s_.market.options().operation, "--operation-timeout"));
}

CosTrading::OfferSeq* OfferSource::next(std::size_t most, const services::OperationTime& time) {
  most = std::min({most, left(), std::size_t{s_.market.settings().get().max_list}});
  most = std::max(most, std::min<std::size_t>(left(), 1));
  std::vector<Asked> asked;
  for (std::size_t i = next_; i < next_ + most; ++i) {
    if (!hits_[i].here || !hits_[i].here->has_dynamic()) continue;
    for (const auto& [name, slot] : slots_of(*hits_[i].here)) {
      if (hits_[i].here->is_dynamic(slot)) asked.push_back({hits_[i].here, slot, name});
    }
    if (asked.size() > s_.market.options().answers / sizeof(Asked)) break;  // more than may be asked
  }
  if (!asked.empty()) s_.dynamic.evaluate(asked, known_, answers_, time);
  CosTrading::OfferSeq_var out = new CosTrading::OfferSeq;
  out->length(static_cast<CORBA::ULong>(most));
  std::size_t bytes = 0;
  CORBA::ULong made = 0;
  while (made < most && bytes < kMostListBytes) {
    bytes += put(hits_[next_], out[made++]);
    hits_[next_++] = {};  // nobody asks for it again
  }
  out->length(made);
  s_.returned += made;
  return out._retn();
}

}  // namespace callis::trading
