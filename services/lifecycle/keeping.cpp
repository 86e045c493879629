// SPDX-License-Identifier: Apache-2.0
// The contents of a home's store: an object's standing under "o/" and its identity, promises under "p/" and the
// transfer's id, an operator's decisions about transfers under "t/", and "life". Values are Anys of
// CallisLifeCycle.idl's structs, as bytes.
#include <callis/base/log.h>
#include <callis/orb/core/core.h>
#include <services/lifecycle/home.h>
#include <services/properties/value_bytes.h>

namespace callis::life_cycle {

namespace {

std::string bytes_of(const CORBA::Any& value) { return properties::to_bytes(value); }

[[noreturn]] void damaged(const std::string& key) {
  throw services::StoreFailed(services::StoreFailed::Damaged, "the store of a home has no such thing as " + key);
}

}  // namespace

services::StoreKind store_kind() { return {"lifecycle", 1, {}}; }

CORBA::Any Home::journal_form(const Entry& entry, State as, const CORBA::Any& state) const {
  CallisLifeCycle::KeptObject kept;
  kept.is = as == State::Here       ? CallisLifeCycle::IsHere
            : as == State::Leaving  ? CallisLifeCycle::IsLeaving
            : as == State::Prepared ? CallisLifeCycle::IsPrepared
                                    : CallisLifeCycle::HasMoved;
  kept.implementation = entry.implementation.c_str();
  kept.version = entry.version;
  kept.before = 0;
  if (as != State::Moved) {
    kept.state = state;
    kept.former = entry.former;
  }
  if (as == State::Leaving || as == State::Prepared) {
    kept.transfer = entry.transfer.c_str();
    kept.other = entry.other;
    kept.life = entry.life.c_str();
  }
  if (as == State::Moved) kept.where = entry.where;
  if (as == State::Prepared && entry.before) {
    kept.where = entry.before->where;
    kept.before = entry.before->version;
  }
  CORBA::Any out;
  out <<= kept;
  return out;
}

void Home::store(const std::string& identity, const Entry& entry, State as, const CORBA::Any& state,
                 const std::string& promised, const Promise* promise) const {
  if (!options_.store) return;
  services::Transaction transaction;
  transaction.puts.emplace_back("o/" + identity, bytes_of(journal_form(entry, as, state)));
  if (promise) transaction.puts.emplace_back("p/" + promised, journal_form(*promise));
  (void)options_.store->commit(transaction);
}

std::string Home::journal_form(const Promise& promise) {
  CallisLifeCycle::KeptPromise kept;
  kept.to = promise.to;
  kept.commit = promise.commit;
  CORBA::Any out;
  out <<= kept;
  return bytes_of(out);
}

void Home::store_promise(const std::string& transfer, const Promise& promise) const {
  if (!options_.store) return;
  services::Transaction transaction;
  transaction.puts.emplace_back("p/" + transfer, journal_form(promise));
  (void)options_.store->commit(transaction);
}

void Home::erase_promise(const std::string& transfer) const {
  if (!options_.store) return;
  services::Transaction transaction;
  transaction.erased.push_back("p/" + transfer);
  (void)options_.store->commit(transaction);
}

void Home::store_taken(const std::string& transfer) const {
  if (!options_.store) return;
  services::Transaction transaction;
  transaction.puts.emplace_back("t/" + transfer, "taken");
  (void)options_.store->commit(transaction);
}

void Home::erase(const std::string& identity) const {
  if (!options_.store) return;
  services::Transaction transaction;
  transaction.erased.push_back("o/" + identity);
  (void)options_.store->commit(transaction);
}

void Home::save(Mobile& object, const CORBA::Any& state) {
  if (!options_.store) return;
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    entry = find(object.identity_);
  }
  const std::lock_guard keeping(entry->keeping);
  if (entry->gone) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the object has been removed");
  try {
    store(object.identity_, *entry, State::Here, state);
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

// --- a restart ---

void Home::restore_object(const std::string& identity, const CallisLifeCycle::KeptObject& kept) {
  const std::string implementation = kept.implementation.in();
  EntryPtr entry;
  if (kept.is == CallisLifeCycle::HasMoved) {
    entry = std::make_shared<Entry>();
    entry->implementation = implementation;
    entry->state = State::Moved;
    entry->where = kept.where;
  } else {
    try {
      entry = make(implementation, kept.state, identity);
    } catch (const CosLifeCycle::NoFactory&) {
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "the store has an object of " + implementation + ", which this home does not serve");
    }
    entry->former = kept.former;
  }
  entry->version = kept.version;
  if (kept.is == CallisLifeCycle::IsLeaving || kept.is == CallisLifeCycle::IsPrepared) {
    entry->state = kept.is == CallisLifeCycle::IsLeaving ? State::Leaving : State::Prepared;
    entry->transfer = kept.transfer.in();
    entry->other = kept.other;
    entry->life = kept.life.in();
    entry->state_then = kept.state;
    if (kept.is == CallisLifeCycle::IsPrepared && !CORBA::is_nil(kept.where.in())) {
      entry->before = std::make_shared<Entry>();
      entry->before->implementation = implementation;
      entry->before->state = State::Moved;
      entry->before->where = kept.where;
      entry->before->version = kept.before;
    }
    transfers_[entry->transfer] = identity;
  }
  entry->held = memory().adopt(cost_of(kept.state, kept.former));
  entries_[identity] = entry;
}

void Home::restore() {
  if (!options_.store) return;
  std::vector<services::Pair> all;
  (void)options_.store->read("", [&](services::Pair&& pair) { all.push_back(std::move(pair)); });
  orb::OrbContext& context = *static_cast<orb::Core*>(orb_.in());
  const std::lock_guard lock(mutex_);
  bool born = false;
  for (const services::Pair& pair : all) {
    if (pair.key == "life") {
      life_ = pair.value;
      born = true;
      continue;
    }
    if (pair.key.starts_with("t/")) {
      taken_.insert(pair.key.substr(2));
      continue;
    }
    CORBA::Any value;
    const CallisLifeCycle::KeptObject* object = nullptr;
    const CallisLifeCycle::KeptPromise* promise = nullptr;
    if (!properties::from_bytes(pair.value, context, value)) damaged(pair.key);
    if (pair.key.starts_with("o/") && (value >>= object)) restore_object(pair.key.substr(2), *object);
    else if (pair.key.starts_with("p/") && (value >>= promise))
      promises_[pair.key.substr(2)] = Promise{promise->to, promise->commit != 0};
    else damaged(pair.key);
  }
  if (!born) {
    services::Transaction transaction;
    transaction.puts.emplace_back("life", life_);
    (void)options_.store->commit(transaction);
  }
  promised_.notify_all();
}

}  // namespace callis::life_cycle
