// SPDX-License-Identifier: Apache-2.0
// How objects come to a home: they are prepared, then committed or aborted; and what a former home hears.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/lifecycle/home.h>

namespace callis::life_cycle {

namespace {

constexpr std::size_t kMostAborted = 10'000;
constexpr const char* kNotInvited =
    "its id is none that this home has given for a transfer (invite), or is not good any more";

std::string words_of(const CORBA::Exception& e) {
  const char* const words = e.what();
  return words && *words ? words : e._name();
}

}  // namespace

CORBA::Object_var Home::prepare(const CallisLifeCycle::Transfer& what, const std::string& shown) {
  const std::string id = what.id.in(), identity = what.identity.in();
  if (!trust_.holds(shown, {"prepare", id, identity, what.implementation.in(), concat({Decimal(what.version)}),
                            own_text_})) {
    ++refused_;
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, "the caller has not shown that it knows the homes' secret");
  }
  if (id.size() != kIdentityBytes || identity.size() != kIdentityBytes)
    throw CallisLifeCycle::Refused("its identity is none");
  if (what.former.length() > options_.former + 1) throw CallisLifeCycle::Refused("it has had too many homes");
  try {
    Wanted(what.wanted, Wanted::For::Move).check(options_.place);
  } catch (const CosLifeCycle::InvalidCriteria&) {
    throw CallisLifeCycle::Refused("its criteria are none");
  }
  // The object's present entry, under the lock: an older forward, or nothing.
  const auto before = [&]() -> EntryPtr {
    if (aborted_.count(id) != 0) throw CallisLifeCycle::Refused("that transfer has been aborted");
    const auto found = entries_.find(identity);
    if (found == entries_.end()) return nullptr;
    if (found->second->state == State::Moved && found->second->version < what.version) return found->second;
    throw CallisLifeCycle::Refused("an object of that identity is here");
  };
  {
    const std::lock_guard lock(mutex_);
    if (!before()) check_room();
  }
  if (!invitations_.good(id, std::chrono::steady_clock::now())) throw CallisLifeCycle::Refused(kNotInvited);
  services::MemoryBound::Hold held = memory().take(cost_of(what.state, what.former));
  EntryPtr entry;
  try {
    entry = make(what.implementation.in(), what.state, identity);
  } catch (const CosLifeCycle::NoFactory&) {
    throw CallisLifeCycle::Refused("no such implementation is here");
  } catch (const CORBA::UserException& e) {
    throw CallisLifeCycle::Refused(("it cannot be made of its state: " + words_of(e)).c_str());
  }
  entry->held = std::move(held);
  entry->state = State::Prepared;
  entry->transfer = id;
  entry->version = what.version;
  entry->former = what.former;
  entry->other = what.from;
  entry->life = what.life.in();
  entry->state_then = what.state;
  entry->ask = std::chrono::steady_clock::now() + options_.ask;
  CORBA::Object_var out = reference_to(identity, *entry);
  const std::lock_guard keeping(entry->keeping);
  {
    const std::lock_guard lock(mutex_);
    entry->before = before();
    // From here on what was recorded of this request is worth nothing.
    if (!invitations_.use(id, std::chrono::steady_clock::now())) throw CallisLifeCycle::Refused(kNotInvited);
    entries_[identity] = entry;
    transfers_[id] = identity;
    promised_.notify_all();
  }
  try {
    store(identity, *entry, State::Prepared, what.state);
  } catch (const services::StoreFailed& failed) {
    forget(identity, entry, id);
    throw CallisLifeCycle::Refused((std::string("it cannot be stored: ") + failed.what()).c_str());
  }
  return out;
}

// The memory's part of an abort.
void Home::forget(const std::string& identity, const EntryPtr& entry, const std::string& transfer) {
  const std::lock_guard lock(mutex_);
  entry->gone = true;
  const auto found = entries_.find(identity);
  if (found != entries_.end() && found->second == entry) {
    if (entry->before) found->second = entry->before;
    else entries_.erase(found);
  }
  transfers_.erase(transfer);
  changed_.notify_all();
}

Home::EntryPtr Home::in_transfer(const std::string& transfer, std::string& identity) const {
  const std::lock_guard lock(mutex_);
  const auto found = transfers_.find(transfer);
  if (found == transfers_.end()) return nullptr;
  identity = found->second;
  const auto entry = entries_.find(identity);
  return entry == entries_.end() ? nullptr : entry->second;
}

bool Home::is_in_transfer(const Entry& entry, const std::string& transfer) const {
  const std::lock_guard lock(mutex_);
  return !entry.gone && entry.transfer == transfer &&
         (entry.state == State::Prepared || entry.state == State::Leaving);
}

void Home::take(const std::string& identity, const EntryPtr& entry, const std::string& transfer) {
  const std::lock_guard keeping(entry->keeping);
  if (!is_in_transfer(*entry, transfer)) return;
  store(identity, *entry, State::Here, entry->state_then);
  const std::lock_guard lock(mutex_);
  if (entry->state == State::Prepared) ++came_;
  entry->state = State::Here;
  entry->before = nullptr;
  entry->state_then = CORBA::Any();
  transfers_.erase(transfer);
  changed_.notify_all();
}

void Home::drop(const std::string& identity, const EntryPtr& entry, const std::string& transfer) {
  const std::lock_guard keeping(entry->keeping);
  if (!is_in_transfer(*entry, transfer)) return;
  if (entry->before) store(identity, *entry->before, State::Moved, {});
  else erase(identity);
  forget(identity, entry, transfer);
}

void Home::commit(const std::string& transfer) {
  {
    const std::lock_guard lock(mutex_);
    if (aborted_.count(transfer) != 0) throw CallisLifeCycle::Refused("that transfer has been aborted");
  }
  std::string identity;
  const EntryPtr entry = in_transfer(transfer, identity);
  if (!entry) return;  // it has been committed before
  try {
    take(identity, entry, transfer);
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

void Home::abort(const std::string& transfer) {
  std::string identity;
  const EntryPtr entry = in_transfer(transfer, identity);
  if (!entry) {
    const std::lock_guard lock(mutex_);
    if (taken_.count(transfer) != 0) throw CallisLifeCycle::Refused("an operator has had the object served here");
    if (transfer.size() != kIdentityBytes || !aborted_.insert(transfer).second) return;
    aborted_in_order_.push_back(transfer);
    if (aborted_in_order_.size() <= kMostAborted) return;
    aborted_.erase(aborted_in_order_.front());
    aborted_in_order_.pop_front();
    return;
  }
  try {
    drop(identity, entry, transfer);
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

void Home::moved(const std::string& identity, std::uint64_t version, const std::string& where) {
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(identity);
    if (found == entries_.end()) return;
    entry = found->second;
  }
  const std::lock_guard keeping(entry->keeping);
  {
    const std::lock_guard lock(mutex_);
    if (entry->gone || entry->state != State::Moved || entry->version >= version) return;
    if (where.empty()) {
      entry->gone = true;
      entries_.erase(identity);
    } else {
      entry->where = orb_->string_to_object(where.c_str());
      entry->version = version;
    }
    ++renewed_;
  }
  try {
    if (where.empty()) erase(identity);
    else store(identity, *entry, State::Moved, {});
  } catch (const services::StoreFailed& failed) {
    log(LogLevel::Error, {"where an object is now cannot be stored, and is forgotten at the end of this process: ",
                          failed.what()});
  }
}

CallisLifeCycle::Fate Home::outcome(const std::string& transfer, const std::string& life) const {
  if (life != life_) throw CallisLifeCycle::Forgotten();
  const std::lock_guard lock(mutex_);
  const auto found = promises_.find(transfer);
  if (found != promises_.end() && found->second.commit) return CallisLifeCycle::Committed;
  return offered_.count(transfer) != 0 ? CallisLifeCycle::Pending : CallisLifeCycle::Aborted;
}

}  // namespace callis::life_cycle
