// SPDX-License-Identifier: Apache-2.0
// TypeOffers: the offers of exactly one service type; and Catalogue: those of all types, and the offers by their
// numbers.
//
// TypeOffers gives a slot to each property name of its offers. It indexes the properties that queries compare, from
// the first such query on. Properties that were not asked for longest go first.
//
// A Catalogue may be used by any thread. Its lock is held alone while an offer is put in or taken out, and for
// reading during look-ups. Nobody works long under the lock. A search takes a snapshot of its lists (snapshots.h). An
// index is made from such a snapshot, and takes in later changes when it is ready.
#pragma once
#include <services/common/fair_shared_mutex.h>
#include <services/constraints/constraint.h>
#include <services/trading/index.h>
#include <services/trading/offer_table.h>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace callis::trading {

class TypeOffers final {
 public:
  static constexpr std::size_t kMostSlots = 1'000;
  static constexpr std::size_t kMostIndexes = 16;
  static constexpr std::size_t kLeastForIndex = 256;  // offers

  TypeOffers(std::string type, Snapshots& snapshots) : snapshots_(snapshots), type_(std::move(type)) {}
  const std::string& type() const { return type_; }
  const std::vector<std::string>& names() const { return names_; }
  std::optional<Slot> slot(std::string_view name) const;

 private:
  friend class Catalogue;
  Slot make_slot(const std::string& name);
  void insert(const Offer& offer);
  void erase(const Offer& offer);
  const Index* index(Slot slot) const;
  void add_pieces(std::vector<Piece>& to) const;  // all
  static bool matches_all(const Offer& offer);

  Snapshots& snapshots_;
  const std::string type_;
  std::vector<std::string> names_;
  std::map<std::string, Slot, std::less<>> slots_;
  OfferList offers_;
  ChunkPtr match_all_;  // proxies that no constraint excludes; not in the indexes; nullptr: none
  std::vector<std::unique_ptr<Index>> indexes_;
  // The offers that have come and gone while an index is being made: the offer, and whether it came.
  std::vector<std::pair<const Offer*, bool>>* changes_ = nullptr;
};

// An offer's properties by name, in the order of names[]: what a constraint evaluates.
class OfferProperties final : public constraints::Properties {
 public:
  // names outlives this.
  explicit OfferProperties(const std::vector<std::string>& names) : names_(names), slots_(names.size()) {}
  void set_type_offers(const TypeOffers& of_type);
  // Of the type that was set.
  void set_offer(const Offer& offer) { offer_ = &offer; }
  constraints::Value get(std::size_t name) const override { return offer_->value(slots_[name]); }
  bool has(std::size_t name) const override { return offer_->has(slots_[name]); }
  // Whether one of the names has a dynamic value.
  bool any_dynamic() const;
  Slot slot(std::size_t name) const { return slots_[name]; }

 private:
  static constexpr Slot kNone = 0xffff;
  const std::vector<std::string>& names_;
  std::vector<Slot> slots_;
  const Offer* offer_ = nullptr;
};

class Catalogue final {
 public:
  struct Search {
    const std::vector<std::string>& types;  // exactly these
    const constraints::Constraint& constraint;
    bool modifiable = true, dynamic = true, proxies = true;  // those too
    // Whether a property of that name may be modified, of a type.
    std::function<bool(const std::string& type, const std::string& name)> is_readonly = {};
    std::uint64_t most_searched = UINT64_MAX, most_matched = UINT64_MAX;
  };
  struct Found {
    std::vector<OfferPtr> matched;
    // Those whose dynamic properties have yet to decide.
    std::vector<OfferPtr> undecided;
    bool search_limited = false, match_limited = false;
    bool by_index = false;
    std::uint64_t looked_at = 0;
  };

  // Puts an offer in. values: name and value; names once each. held: what it has of the bound on memory, until it is
  // freed. IMP_LIMIT for more names than a type has slots for.
  using Values = std::vector<std::pair<std::string, const CORBA::Any*>>;
  OfferPtr insert(OfferNumber number, const std::string& type, std::string_view reference, const Values& values,
                  std::unique_ptr<const Proxy> proxy, services::MemoryBound::Hold held = {});
  // nil: there is none.
  OfferPtr find(OfferNumber number) const;
  OfferPtr erase(OfferNumber number);
  std::size_t size() const;
  std::size_t proxies() const;
  std::vector<OfferNumber> numbers(bool of_proxies);
  // Throws constraints::WorkExhausted.
  Found search(const Search& search, constraints::Work& work);
  // The names in an offer, and what the offer has there.
  template<class F>
  void each_property(const Offer& offer, const F& f) const {
    const std::shared_lock lock(mutex_);
    for (Slot i = 0; i < offer.slots(); ++i) {
      if (offer.has(i)) f(offer.of_type().names()[i], i);
    }
  }
  // As OfferProperties::set_type_offers(), under the lock.
  void look_up(OfferProperties& properties, const TypeOffers& of_type) const;

 private:
  // The offers of one type that a search must look at.
  struct Candidates {
    std::shared_ptr<const TypeOffers> of_type;  // nullptr: there is none of that type
    std::vector<Piece> pieces;
    std::vector<std::string> names;  // of the type; where the search asks whether they are readonly
  };
  using Types = std::map<std::string, std::shared_ptr<TypeOffers>, std::less<>>;

  void prepare_indexes(const Search& search);
  void make_index(const std::string& type, const std::string& name);
  void take_out(OfferPtr&& offer);  // under the lock, alone
  Candidates candidates(const std::string& type, const Search& search, OfferProperties& properties, Found& found);
  static void look_at(const Candidates& candidates, const Search& search, OfferProperties& properties, Found& found,
                      constraints::Work& work);

  Snapshots snapshots_;
  std::mutex making_index_;  // one at a time
  std::atomic<std::uint64_t> searches_{0};
  mutable services::FairSharedMutex mutex_;  // guards what follows
  Types types_;                            // none empty
  OfferTable offers_;
  std::size_t proxies_ = 0;
};

}  // namespace callis::trading
