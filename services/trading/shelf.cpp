// SPDX-License-Identifier: Apache-2.0
// What is where, and how a search goes through it.
#include <callis/base/text.h>
#include <services/trading/shelf.h>
#include <algorithm>
#include <mutex>

namespace callis::trading {

using constraints::Bound;
using constraints::Comparison;
using constraints::Verdict;

std::optional<Slot> Shelf::slot(std::string_view name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? std::nullopt : std::optional(found->second);
}

bool Shelf::matches_all(const Offer& offer) { return offer.proxy() && offer.proxy()->if_match_all; }

Slot Shelf::make_slot(const std::string& name) {
  if (const auto known = slot(name)) return *known;
  if (names_.size() >= kMostSlots)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"the offers of type ", type_, " have ", Decimal(kMostSlots),
                                   " different names of properties, and may not have more"}));
  const auto out = static_cast<Slot>(names_.size());
  names_.push_back(name);
  slots_.emplace(name, out);
  return out;
}

void Shelf::insert(const Offer& offer) {
  offer.position = static_cast<std::uint32_t>(offers_.size());
  offers_.push_back(&offer);
  if (matches_all(offer)) {
    match_all_.push_back(&offer);
    return;
  }
  for (const auto& i : indexes_) i->insert(offer);
}

void Shelf::erase(const Offer& offer) {
  if (matches_all(offer)) {
    std::erase(match_all_, &offer);
  } else {
    for (const auto& i : indexes_) i->erase(offer);
  }
  offers_[offer.position] = offers_.back();
  offers_[offer.position]->position = offer.position;
  offers_.pop_back();
}

const Index* Shelf::index(Slot slot) const {
  for (const auto& i : indexes_) {
    if (i->slot() == slot) return i.get();
  }
  return nullptr;
}

void Shelf::make_index(Slot slot) {
  if (index(slot)) return;
  if (indexes_.size() >= kMostIndexes)
    indexes_.erase(std::min_element(indexes_.begin(), indexes_.end(), [](const auto& a, const auto& b) {
      return a->last_used.load() < b->last_used.load();
    }));
  auto made = std::make_unique<Index>(slot);
  std::vector<const Offer*> all;
  std::copy_if(offers_.begin(), offers_.end(), std::back_inserter(all),
               [](const Offer* o) { return !matches_all(*o); });
  made->build(all);
  indexes_.push_back(std::move(made));
}

void OfferProperties::set_shelf(const Shelf& shelf) {
  for (std::size_t i = 0; i < names_.size(); ++i) slots_[i] = shelf.slot(names_[i]).value_or(kNone);
}

bool OfferProperties::any_dynamic() const {
  return std::any_of(slots_.begin(), slots_.end(), [&](Slot s) { return offer_->is_dynamic(s); });
}

OfferPtr Catalogue::insert(OfferNumber number, const std::string& type, std::string_view reference,
                           const Values& values, std::unique_ptr<const Proxy> proxy) {
  const std::unique_lock lock(mutex_);
  auto& shelf = shelves_[type];
  if (!shelf) shelf = std::make_unique<Shelf>(type);
  std::vector<Offer::Part> parts;
  parts.reserve(values.size());
  for (const auto& [name, value] : values) parts.push_back({shelf->make_slot(name), value});
  OfferPtr offer = Offer::make(number, *shelf, reference, parts, std::move(proxy));
  OfferPtr& place = offers_[number];
  if (place) {
    if (place->proxy()) --proxies_;
    const_cast<Shelf&>(place->shelf()).erase(*place);
  }
  place = offer;
  if (offer->proxy()) ++proxies_;
  shelf->insert(*offer);
  return offer;
}

OfferPtr Catalogue::find(OfferNumber number) const {
  const std::shared_lock lock(mutex_);
  const auto found = offers_.find(number);
  return found == offers_.end() ? OfferPtr() : found->second;
}

OfferPtr Catalogue::erase(OfferNumber number) {
  const std::unique_lock lock(mutex_);
  const auto found = offers_.find(number);
  if (found == offers_.end()) return {};
  OfferPtr out = std::move(found->second);
  offers_.erase(found);
  if (out->proxy()) --proxies_;
  const_cast<Shelf&>(out->shelf()).erase(*out);
  return out;
}

std::size_t Catalogue::size() const {
  const std::shared_lock lock(mutex_);
  return offers_.size();
}

std::size_t Catalogue::proxies() const {
  const std::shared_lock lock(mutex_);
  return proxies_;
}

std::vector<OfferNumber> Catalogue::numbers(bool of_proxies) const {
  std::vector<OfferNumber> out;
  const std::shared_lock lock(mutex_);
  for (const auto& [number, offer] : offers_) {
    if ((offer->proxy() != nullptr) == of_proxies) out.push_back(number);
  }
  return out;
}

void Catalogue::look_up(OfferProperties& properties, const Shelf& shelf) const {
  const std::shared_lock lock(mutex_);
  properties.set_shelf(shelf);
}

// Makes indexes of what the constraint compares, where a shelf is worth it and has none.
void Catalogue::prepare_indexes(const Search& search) {
  std::vector<std::pair<std::string, std::string>> wanted;  // type, name
  const auto& names = search.constraint.names();
  const std::vector<Bound> bounds = search.constraint.bounds();
  if (bounds.empty()) return;
  {
    const std::shared_lock lock(mutex_);
    for (const std::string& type : search.types) {
      const auto shelf = shelves_.find(type);
      if (shelf == shelves_.end() || shelf->second->offers_.size() < Shelf::kLeastForIndex) continue;
      for (const Bound& b : bounds) {
        const auto slot = b.comparison == Comparison::Unequal ? std::nullopt : shelf->second->slot(names[b.name]);
        if (slot && !shelf->second->index(*slot)) wanted.emplace_back(type, names[b.name]);
      }
    }
  }
  for (const auto& [type, name] : wanted) {
    const std::unique_lock lock(mutex_);
    Shelf& shelf = *shelves_.find(type)->second;
    shelf.make_index(*shelf.slot(name));
  }
}

Catalogue::Found Catalogue::search(const Search& search, constraints::Work& work) {
  prepare_indexes(search);
  Found found;
  OfferProperties properties(search.constraint.names());
  ++searches_;
  const std::shared_lock lock(mutex_);
  for (const std::string& type : search.types) {
    const auto shelf = shelves_.find(type);
    if (shelf == shelves_.end()) continue;
    if (found.search_limited || found.match_limited) break;
    properties.set_shelf(*shelf->second);
    search_shelf(*shelf->second, search, properties, found, work);
  }
  return found;
}

void Catalogue::search_shelf(const Shelf& shelf, const Search& search, OfferProperties& properties, Found& found,
                             constraints::Work& work) const {
  const auto is_wanted = [&](const Offer& o) {
    if (o.proxy() && !search.proxies) return false;
    if (!search.dynamic && o.has_dynamic()) return false;
    if (search.modifiable) return true;
    for (Slot i = 0; i < o.slots(); ++i) {
      if (o.has(i) && !search.is_readonly(shelf.type_, shelf.names_[i])) return false;
    }
    return true;
  };
  const bool all_wanted = search.modifiable && search.dynamic && search.proxies;
  // False: no more.
  const auto look_at = [&](const Offer& o) {
    if (found.looked_at == search.most_searched) {
      found.search_limited = true;
      return false;
    }
    ++found.looked_at;
    if (!all_wanted && !is_wanted(o)) return true;
    properties.set_offer(o);
    const Verdict verdict = Shelf::matches_all(o) ? Verdict::True : search.constraint.decide(properties, work);
    if (verdict == Verdict::Undefined && o.has_dynamic() && properties.any_dynamic()) {
      found.undecided.emplace_back(&o);
    } else if (verdict == Verdict::True) {
      if (found.matched.size() + found.undecided.size() >= search.most_matched) {
        found.match_limited = true;
        return false;
      }
      found.matched.emplace_back(&o);
    }
    return true;
  };
  // The index with the fewest offers in range.
  const std::vector<Bound> bounds = search.constraint.bounds();
  const Index* best = nullptr;
  Index::Range range;
  for (const Bound& b : bounds) {
    const Index* const index = shelf.index(properties.slot(b.name));
    if (!index) continue;
    std::vector<Bound> same;
    std::copy_if(bounds.begin(), bounds.end(), std::back_inserter(same),
                 [&](const Bound& other) { return other.name == b.name; });
    const Index::Range r = index->range(same);
    if (best && r.count + index->dynamic() >= range.count + best->dynamic()) continue;
    best = index;
    range = r;
  }
  if (best) {
    best->last_used = searches_.load();
    found.by_index = true;
    for (const Offer* o : shelf.match_all_) {
      if (!look_at(*o)) return;
    }
    best->each(range, look_at);
    return;
  }
  for (const Offer* o : shelf.offers_) {
    if (!look_at(*o)) return;
  }
}

}  // namespace callis::trading
