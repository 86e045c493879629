// SPDX-License-Identifier: Apache-2.0
// The two kinds of iterators, each with a servant that stands for all of them.
#include <services/common/numbered_objects.h>
#include <services/trading/iterators.h>
#include <services/trading/keeper.h>
#include <algorithm>
#include "CosTrading_skel.h"

namespace callis::trading {

namespace {

constexpr std::size_t kMostIdsAtOnce = 10'000;
constexpr const char* kAgain = "query() and list_offers() make others";

[[noreturn]] void none_asked_for() { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "next_n for nothing"); }

struct Offers final : services::IteratorTable::Cursor {
  explicit Offers(std::unique_ptr<Iterators::Source> from) : source(std::move(from)) {}
  const std::unique_ptr<Iterators::Source> source;
};
struct Ids final : services::IteratorTable::Cursor {
  Ids(std::vector<OfferNumber>&& all, std::size_t from, services::MemoryBound::Hold of)
      : held(std::move(of)), ids(std::move(all)), next(from) {}
  const services::MemoryBound::Hold held;
  const std::vector<OfferNumber> ids;
  std::size_t next;
};

}  // namespace

class Iterators::OffersServant final : public POA_CosTrading::OfferIterator {
 public:
  explicit OffersServant(services::IteratorTable& table) : table_(table) {}
  CORBA::ULong max_left() override {
    const auto offers = table_.here<Offers>(kAgain);
    const std::lock_guard lock(offers->mutex);
    return static_cast<CORBA::ULong>(offers->source->left());
  }
  CORBA::Boolean next_n(CORBA::ULong n, CosTrading::OfferSeq_out offers) override {
    const auto here = table_.here<Offers>(kAgain);
    if (n == 0) none_asked_for();
    const std::lock_guard lock(here->mutex);
    offers = here->source->next(n);
    return here->source->left() != 0;
  }
  void destroy() override { table_.end_here(kAgain); }

 private:
  services::IteratorTable& table_;
};

class Iterators::IdsServant final : public POA_CosTrading::OfferIdIterator {
 public:
  explicit IdsServant(services::IteratorTable& table) : table_(table) {}
  CORBA::ULong max_left() override {
    const auto here = table_.here<Ids>(kAgain);
    const std::lock_guard lock(here->mutex);
    return static_cast<CORBA::ULong>(here->ids.size() - here->next);
  }
  CORBA::Boolean next_n(CORBA::ULong n, CosTrading::OfferIdSeq_out ids) override {
    const auto here = table_.here<Ids>(kAgain);
    if (n == 0) none_asked_for();
    const std::lock_guard lock(here->mutex);
    CosTrading::OfferIdSeq_var out = new CosTrading::OfferIdSeq;
    const std::size_t most = std::min({std::size_t{n}, kMostIdsAtOnce, here->ids.size() - here->next});
    out->length(static_cast<CORBA::ULong>(most));
    for (CORBA::ULong i = 0; i < most; ++i) out[i] = to_digits(here->ids[here->next++]).c_str();
    ids = out._retn();
    return here->next < here->ids.size();
  }
  void destroy() override { table_.end_here(kAgain); }

 private:
  services::IteratorTable& table_;
};

Iterators::Iterators(PortableServer::POA_ptr parent) {
  offers_poa_ = services::make_adapter(parent, "iterators", false, new OffersServant(table_));
  ids_poa_ = services::make_adapter(parent, "id iterators", false, new IdsServant(table_));
}

Iterators::~Iterators() = default;

CosTrading::OfferIterator_var Iterators::make(std::unique_ptr<Source> source) {
  const std::size_t left = source->left();
  const std::uint64_t number = table_.add(std::make_shared<Offers>(std::move(source)), left);
  const CORBA::Object_var object =
      services::make_reference(offers_poa_.in(), number, CosTrading::OfferIterator::_repository_id());
  return CosTrading::OfferIterator::_unchecked_narrow(object.in());
}

CosTrading::OfferIdIterator_var Iterators::make(std::vector<OfferNumber>&& ids, std::size_t next,
                                                services::MemoryBound::Hold held) {
  const std::size_t left = ids.size() - next;
  const std::uint64_t number = table_.add(std::make_shared<Ids>(std::move(ids), next, std::move(held)), left);
  const CORBA::Object_var object =
      services::make_reference(ids_poa_.in(), number, CosTrading::OfferIdIterator::_repository_id());
  return CosTrading::OfferIdIterator::_unchecked_narrow(object.in());
}

}  // namespace callis::trading
