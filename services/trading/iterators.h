// SPDX-License-Identifier: Apache-2.0
// Iterators: the OfferIterators and OfferIdIterators that clients have (Trading Object Service 1.0), in a table that
// bounds them (services/common/iterator_table.h). Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/iterator_table.h>
#include <services/trading/offer.h>
#include <functional>
#include <memory>
#include <vector>

namespace callis::trading {

class Iterators final {
 public:
  static constexpr std::size_t kMost = services::IteratorTable::kMost;
  static constexpr std::size_t kMostLeft =
      2'000'000;  // offers and ids of all of them together; one alone may have more
  static constexpr std::chrono::minutes kIdle = services::IteratorTable::kIdle;
  using Time = services::IteratorTable::Time;
  // The next offers, `most` at the most; an empty list ends the iterator. One call at a time.
  class Source {
   public:
    virtual ~Source() = default;
    virtual CosTrading::OfferSeq* next(std::size_t most) = 0;
    virtual std::size_t left() const = 0;
  };

  // Two child adapters of parent serve them.
  explicit Iterators(PortableServer::POA_ptr parent);
  ~Iterators();

  CosTrading::OfferIterator_var make(std::unique_ptr<Source> source);
  // held: what the ids have of the bound on memory.
  CosTrading::OfferIdIterator_var make(std::vector<OfferNumber>&& ids, std::size_t next,
                                       services::MemoryBound::Hold held = {});
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now) { table_.reap(now); }
  // Both are the table's.
  Time first_due() const { return table_.first_due(); }
  void when_first(std::function<void()> tell) { table_.when_first(std::move(tell)); }
  std::size_t size() const { return table_.size(); }

 private:
  class OffersServant;
  class IdsServant;

  services::IteratorTable table_{{.elements = kMostLeft}};
  PortableServer::POA_var offers_poa_, ids_poa_;
};

}  // namespace callis::trading
