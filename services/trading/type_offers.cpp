// SPDX-License-Identifier: Apache-2.0
// The places of offers, and the way of a search.
#include <callis/base/text.h>
#include <services/trading/type_offers.h>
#include <algorithm>
#include <mutex>

namespace callis::trading {

using constraints::Bound;
using constraints::Comparison;
using constraints::Verdict;

std::optional<Slot> TypeOffers::slot(std::string_view name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? std::nullopt : std::optional(found->second);
}

bool TypeOffers::matches_all(const Offer& offer) { return offer.proxy() && offer.proxy()->if_match_all; }

Slot TypeOffers::make_slot(const std::string& name) {
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

void TypeOffers::insert(const Offer& offer) {
  if (changes_) changes_->emplace_back(&offer, true);
  offers_.push_back(offer, snapshots_);
  if (matches_all(offer)) {
    snapshots_.own(match_all_).push_back(&offer);
    return;
  }
  for (const auto& i : indexes_) i->insert(offer);
}

void TypeOffers::erase(const Offer& offer) {
  if (changes_) changes_->emplace_back(&offer, false);
  if (matches_all(offer)) {
    std::erase(snapshots_.own(match_all_), &offer);
  } else {
    for (const auto& i : indexes_) i->erase(offer);
  }
  offers_.erase(offer, snapshots_);
}

const Index* TypeOffers::index(Slot slot) const {
  for (const auto& i : indexes_) {
    if (i->slot() == slot) return i.get();
  }
  return nullptr;
}

void TypeOffers::add_pieces(std::vector<Piece>& to) const {
  for (const ChunkPtr& c : offers_.chunks()) to.push_back({c, 0, c->offers.size()});
}

void OfferProperties::set_type_offers(const TypeOffers& of_type) {
  for (std::size_t i = 0; i < names_.size(); ++i) slots_[i] = of_type.slot(names_[i]).value_or(kNone);
}

bool OfferProperties::any_dynamic() const {
  return std::any_of(slots_.begin(), slots_.end(), [&](Slot s) { return offer_->is_dynamic(s); });
}

OfferPtr Catalogue::insert(OfferNumber number, const std::string& type, std::string_view reference,
                           const Values& values, std::unique_ptr<const Proxy> proxy,
                           services::MemoryBound::Hold held) {
  const std::unique_lock lock(mutex_);
  const auto known = types_.find(type);
  const std::shared_ptr<TypeOffers> of_type =
      known != types_.end() ? known->second : std::make_shared<TypeOffers>(type, snapshots_);
  std::vector<Offer::Part> parts;
  parts.reserve(values.size());
  for (const auto& [name, value] : values) parts.push_back({of_type->make_slot(name), value});
  OfferPtr offer = Offer::make(number, of_type, reference, parts, std::move(proxy), std::move(held));
  if (known == types_.end()) types_.emplace(type, of_type);
  OfferPtr before = offers_.put(offer);
  if (offer->proxy()) ++proxies_;
  of_type->insert(*offer);
  if (before) take_out(std::move(before));
  return offer;
}

void Catalogue::take_out(OfferPtr&& offer) {
  if (offer->proxy()) --proxies_;
  TypeOffers& of_type = const_cast<TypeOffers&>(offer->of_type());
  of_type.erase(*offer);
  if (of_type.offers_.empty()) types_.erase(of_type.type());  // its offers keep it
  snapshots_.withdraw(std::move(offer));
}

OfferPtr Catalogue::find(OfferNumber number) const {
  const std::shared_lock lock(mutex_);
  return offers_.find(number);
}

OfferPtr Catalogue::erase(OfferNumber number) {
  const std::unique_lock lock(mutex_);
  OfferPtr out = offers_.take(number);
  if (out) take_out(OfferPtr(out));
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

std::vector<OfferNumber> Catalogue::numbers(bool of_proxies) {
  std::vector<OfferNumber> out;
  const Snapshots::Pin pin(snapshots_);
  std::vector<Piece> all;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [type, of_type] : types_) of_type->add_pieces(all);
    snapshots_.taken();
  }
  for (const Piece& p : all) {
    for (const Offer* o : p.chunk->offers) {
      if ((o->proxy() != nullptr) == of_proxies) out.push_back(o->number());
    }
  }
  return out;
}

void Catalogue::look_up(OfferProperties& properties, const TypeOffers& of_type) const {
  const std::shared_lock lock(mutex_);
  properties.set_type_offers(of_type);
}

// Makes indexes of what the constraint compares, where a type is worth it and has none.
void Catalogue::prepare_indexes(const Search& search) {
  std::vector<std::pair<std::string, std::string>> wanted;  // type, name
  const auto& names = search.constraint.names();
  const std::vector<Bound> bounds = search.constraint.bounds();
  if (bounds.empty()) return;
  {
    const std::shared_lock lock(mutex_);
    for (const std::string& type : search.types) {
      const auto of_type = types_.find(type);
      if (of_type == types_.end() || of_type->second->offers_.size() < TypeOffers::kLeastForIndex) continue;
      for (const Bound& b : bounds) {
        const auto slot = b.comparison == Comparison::Unequal ? std::nullopt : of_type->second->slot(names[b.name]);
        if (slot && !of_type->second->index(*slot)) wanted.emplace_back(type, names[b.name]);
      }
    }
  }
  for (const auto& [type, name] : wanted) make_index(type, name);
}

// Sorts a copy without the lock, then brings in what has changed meanwhile. Where another index is being made, this
// one waits for a later search.
void Catalogue::make_index(const std::string& type, const std::string& name) {
  const std::unique_lock making(making_index_, std::try_to_lock);
  if (!making) return;
  std::vector<std::pair<const Offer*, bool>> changes;
  std::unique_ptr<Index> made, gone;
  const Snapshots::Pin pin(snapshots_);
  std::shared_ptr<TypeOffers> of_type;
  std::vector<Piece> all;
  {
    const std::unique_lock lock(mutex_);
    const auto found = types_.find(type);
    const auto slot = found == types_.end() ? std::nullopt : found->second->slot(name);
    if (!slot || found->second->index(*slot)) return;
    of_type = found->second;
    made = std::make_unique<Index>(*slot, snapshots_);
    of_type->add_pieces(all);
    snapshots_.taken();
    of_type->changes_ = &changes;
  }
  try {
    made->build(all);
  } catch (...) {
    const std::unique_lock lock(mutex_);
    of_type->changes_ = nullptr;
    throw;
  }
  const std::unique_lock lock(mutex_);
  of_type->changes_ = nullptr;
  for (const auto& [offer, came] : changes) {
    if (TypeOffers::matches_all(*offer)) continue;
    if (came) {
      made->insert(*offer);
    } else {
      made->erase(*offer);
    }
  }
  auto& indexes = of_type->indexes_;
  if (indexes.size() >= TypeOffers::kMostIndexes) {
    const auto oldest = std::min_element(indexes.begin(), indexes.end(), [](const auto& a, const auto& b) {
      return a->last_used.load() < b->last_used.load();
    });
    gone = std::move(*oldest);
    indexes.erase(oldest);
  }
  made->last_used = searches_.load();
  indexes.push_back(std::move(made));
}

Catalogue::Found Catalogue::search(const Search& search, constraints::Work& work) {
  prepare_indexes(search);
  Found found;
  OfferProperties properties(search.constraint.names());
  ++searches_;
  const Snapshots::Pin pin(snapshots_);
  for (const std::string& type : search.types) {
    work.spend(1);
    const Candidates in = candidates(type, search, properties, found);
    if (in.of_type) look_at(in, search, properties, found, work);
    if (found.search_limited || found.match_limited) break;
  }
  return found;
}

// By the index with the fewest offers in range, where there is one.
Catalogue::Candidates Catalogue::candidates(const std::string& type, const Search& search,
                                            OfferProperties& properties, Found& found) {
  Candidates out;
  const std::shared_lock lock(mutex_);
  const auto known = types_.find(type);
  if (known == types_.end()) return out;
  const TypeOffers& of_type = *known->second;
  out.of_type = known->second;
  properties.set_type_offers(of_type);
  if (!search.modifiable) out.names = of_type.names_;
  const std::vector<Bound> bounds = search.constraint.bounds();
  const Index* best = nullptr;
  Index::Range range;
  for (const Bound& b : bounds) {
    const Index* const index = of_type.index(properties.slot(b.name));
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
    if (of_type.match_all_) out.pieces.push_back({of_type.match_all_, 0, of_type.match_all_->offers.size()});
    best->add_pieces(range, out.pieces);
  } else {
    of_type.add_pieces(out.pieces);
  }
  snapshots_.taken();
  return out;
}

void Catalogue::look_at(const Candidates& in, const Search& search, OfferProperties& properties, Found& found,
                        constraints::Work& work) {
  std::vector<bool> readonly;
  for (const std::string& name : in.names) readonly.push_back(search.is_readonly(in.of_type->type(), name));
  const auto is_wanted = [&](const Offer& o) {
    if (o.proxy() && !search.proxies) return false;
    if (!search.dynamic && o.has_dynamic()) return false;
    if (search.modifiable) return true;
    for (Slot i = 0; i < o.slots(); ++i) {
      if (o.has(i) && !readonly[i]) return false;
    }
    return true;
  };
  const bool all_wanted = search.modifiable && search.dynamic && search.proxies;
  for (const Piece& p : in.pieces) {
    const Offer* const* const offers = p.chunk->offers.data();
    work.spend(p.end - p.begin);
    for (std::size_t i = p.begin; i < p.end; ++i) {
      const Offer& o = *offers[i];
      if (found.looked_at == search.most_searched) {
        found.search_limited = true;
        return;
      }
      ++found.looked_at;
      if (!all_wanted && !is_wanted(o)) continue;
      properties.set_offer(o);
      const Verdict verdict = TypeOffers::matches_all(o) ? Verdict::True : search.constraint.decide(properties, work);
      if (verdict == Verdict::Undefined && o.has_dynamic() && properties.any_dynamic()) {
        found.undecided.emplace_back(&o);
      } else if (verdict == Verdict::True) {
        if (found.matched.size() + found.undecided.size() >= search.most_matched) {
          found.match_limited = true;
          return;
        }
        found.matched.emplace_back(&o);
      }
    }
  }
}

}  // namespace callis::trading
