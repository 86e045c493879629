// SPDX-License-Identifier: Apache-2.0
// The two kinds of iterators, and which of them are there.
#include <services/trading/iterators.h>
#include <services/trading/keeper.h>
#include <algorithm>
#include "CosTrading_skel.h"

namespace callis::trading {

namespace {

constexpr std::size_t kMostIdsAtOnce = 10'000;

[[noreturn]] void gone() {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the iterator has ended, or it rested for too long");
}

[[noreturn]] void none_asked_for() { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "next_n for nothing"); }

}  // namespace

class Iterators::Offers final : public POA_CosTrading::OfferIterator {
 public:
  Offers(Iterators& all, EntryPtr entry, std::unique_ptr<Source> source)
      : all_(all), entry_(std::move(entry)), source_(std::move(source)) {}
  CORBA::ULong max_left() override {
    const std::lock_guard lock(mutex_);
    return static_cast<CORBA::ULong>(source_->left());
  }
  CORBA::Boolean next_n(CORBA::ULong n, CosTrading::OfferSeq_out offers) override {
    if (!all_.use(entry_.get())) gone();
    if (n == 0) none_asked_for();
    const std::lock_guard lock(mutex_);
    offers = source_->next(n);
    return source_->left() != 0;
  }
  void destroy() override {
    if (!all_.drop(entry_.get())) gone();
  }

 private:
  Iterators& all_;
  const EntryPtr entry_;
  std::mutex mutex_;
  const std::unique_ptr<Source> source_;
};

class Iterators::Ids final : public POA_CosTrading::OfferIdIterator {
 public:
  Ids(Iterators& all, EntryPtr entry, std::vector<OfferNumber>&& ids, std::size_t next)
      : all_(all), entry_(std::move(entry)), ids_(std::move(ids)), next_(next) {}
  CORBA::ULong max_left() override {
    const std::lock_guard lock(mutex_);
    return static_cast<CORBA::ULong>(ids_.size() - next_);
  }
  CORBA::Boolean next_n(CORBA::ULong n, CosTrading::OfferIdSeq_out ids) override {
    if (!all_.use(entry_.get())) gone();
    if (n == 0) none_asked_for();
    const std::lock_guard lock(mutex_);
    CosTrading::OfferIdSeq_var out = new CosTrading::OfferIdSeq;
    const std::size_t most = std::min({std::size_t{n}, kMostIdsAtOnce, ids_.size() - next_});
    out->length(static_cast<CORBA::ULong>(most));
    for (CORBA::ULong i = 0; i < most; ++i) out[i] = to_digits(ids_[next_++]).c_str();
    ids = out._retn();
    return next_ < ids_.size();
  }
  void destroy() override {
    if (!all_.drop(entry_.get())) gone();
  }

 private:
  Iterators& all_;
  const EntryPtr entry_;
  std::mutex mutex_;
  const std::vector<OfferNumber> ids_;
  std::size_t next_;
};

Iterators::Iterators(PortableServer::POA_ptr parent) {
  const PortableServer::POAManager_var manager = parent->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = parent->create_lifespan_policy(PortableServer::TRANSIENT);
  policies[1] = parent->create_id_assignment_policy(PortableServer::USER_ID);
  poa_ = parent->create_POA("iterators", manager.in(), policies);
}

Iterators::~Iterators() = default;

CORBA::Object_var Iterators::activate(PortableServer::ServantBase* servant, const EntryPtr& entry) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  entry->id = PortableServer::string_to_ObjectId((to_digits(draw()) + to_digits(draw())).c_str());
  entry->used = std::chrono::steady_clock::now();
  poa_->activate_object_with_id(entry->id.in(), servant);
  std::vector<EntryPtr> gone;
  {
    const std::lock_guard lock(mutex_);
    while (!entries_.empty() && (entries_.size() >= kMost || left_ + entry->left > kMostLeft)) {
      left_ -= entries_.front()->left;
      gone.push_back(std::move(entries_.front()));
      entries_.pop_front();
    }
    entries_.push_back(entry);
    left_ += entry->left;
  }
  deactivate(gone);
  return poa_->id_to_reference(entry->id.in());
}

CosTrading::OfferIterator_var Iterators::make(std::unique_ptr<Source> source) {
  const auto entry = std::make_shared<Entry>();
  entry->left = source->left();
  const CORBA::Object_var object = activate(new Offers(*this, entry, std::move(source)), entry);
  return CosTrading::OfferIterator::_unchecked_narrow(object.in());
}

CosTrading::OfferIdIterator_var Iterators::make(std::vector<OfferNumber>&& ids, std::size_t next) {
  const auto entry = std::make_shared<Entry>();
  entry->left = ids.size() - next;
  const CORBA::Object_var object = activate(new Ids(*this, entry, std::move(ids), next), entry);
  return CosTrading::OfferIdIterator::_unchecked_narrow(object.in());
}

bool Iterators::use(const Entry* entry) {
  const std::lock_guard lock(mutex_);
  // Most calls are for the youngest.
  const auto found =
      std::find_if(entries_.rbegin(), entries_.rend(), [&](const EntryPtr& e) { return e.get() == entry; });
  if (found == entries_.rend()) return false;
  (*found)->used = std::chrono::steady_clock::now();
  entries_.splice(entries_.end(), entries_, std::prev(found.base()));
  return true;
}

bool Iterators::drop(const Entry* entry) {
  std::vector<EntryPtr> gone;
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const EntryPtr& e) { return e.get() == entry; });
    if (found == entries_.end()) return false;
    left_ -= (*found)->left;
    gone.push_back(std::move(*found));
    entries_.erase(found);
  }
  deactivate(gone);
  return true;
}

void Iterators::reap(Time now) {
  std::vector<EntryPtr> gone;
  {
    const std::lock_guard lock(mutex_);
    while (!entries_.empty() && entries_.front()->used + kIdle <= now) {
      left_ -= entries_.front()->left;
      gone.push_back(std::move(entries_.front()));
      entries_.pop_front();
    }
  }
  deactivate(gone);
}

void Iterators::deactivate(const std::vector<EntryPtr>& gone) {
  for (const EntryPtr& e : gone) {
    try {
      poa_->deactivate_object(e->id.in());
    } catch (const CORBA::Exception&) {  // the adapter has gone
    }
  }
}

std::size_t Iterators::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace callis::trading
