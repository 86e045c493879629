// SPDX-License-Identifier: Apache-2.0
// Iterators: the OfferIterators and OfferIdIterators that clients have. Clients leave them behind; so they are
// bounded, the one that rested longest goes first, and who rests for kIdle is gone. A call to one that is gone is
// OBJECT_NOT_EXIST. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/trading/offer.h>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace callis::trading {

class Iterators final {
 public:
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::size_t kMostLeft =
      2'000'000;  // offers and ids of all of them together; one alone may have more
  static constexpr std::chrono::minutes kIdle{10};
  using Time = std::chrono::steady_clock::time_point;
  // The next offers, `most` at the most; an empty list ends the iterator. One call at a time.
  class Source {
   public:
    virtual ~Source() = default;
    virtual CosTrading::OfferSeq* next(std::size_t most) = 0;
    virtual std::size_t left() const = 0;
  };

  // A child adapter of parent serves them.
  explicit Iterators(PortableServer::POA_ptr parent);
  // Ends them all.
  ~Iterators();

  CosTrading::OfferIterator_var make(std::unique_ptr<Source> source);
  CosTrading::OfferIdIterator_var make(std::vector<OfferNumber>&& ids, std::size_t next);
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now);
  std::size_t size() const;

 private:
  class Offers;
  class Ids;
  struct Entry {
    PortableServer::ObjectId_var id;
    Time used;
    std::size_t left;
  };
  using EntryPtr = std::shared_ptr<Entry>;
  CORBA::Object_var activate(PortableServer::ServantBase* servant, const EntryPtr& entry);
  // False: it has gone.
  bool use(const Entry* entry);
  bool drop(const Entry* entry);
  void deactivate(const std::vector<EntryPtr>& gone);

  PortableServer::POA_var poa_;
  mutable std::mutex mutex_;     // guards what follows
  std::list<EntryPtr> entries_;  // longest rested first
  std::size_t left_ = 0;
};

}  // namespace callis::trading
