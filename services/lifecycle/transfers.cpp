// SPDX-License-Identifier: Apache-2.0
// The end of transfers: promises to other homes are kept, homes are asked, former homes are told, and an operator is
// told of unknown outcomes.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/lifecycle/home.h>
#include <algorithm>

namespace callis::life_cycle {

namespace {

constexpr std::size_t kMostNews = 10'000;
constexpr int kMostTries = 3;

}  // namespace

// --- promises ---

void Home::promise(const CallisLifeCycle::Residence_var& to, const std::string& transfer, bool commit) {
  const Promise one{to, commit};
  bool known = false;
  {
    const std::lock_guard lock(mutex_);
    known = promises_.count(transfer) != 0;
  }
  if (!known) {
    try {
      store_promise(transfer, one);
    } catch (const services::StoreFailed& failed) {
      if (commit) throw;
      log(LogLevel::Error, {"that a transfer is to be aborted cannot be stored: ", failed.what()});
    }
    const std::lock_guard lock(mutex_);
    promises_[transfer] = one;
  }
  keep_promise(transfer, one);
}

bool Home::keep(const std::string& transfer, const Promise& promise) const {
  const ThreadDeadline limit(options_.answer);
  const std::string shown = trust_.proof({promise.commit ? "commit" : "abort", transfer});
  try {
    if (promise.commit) promise.to->commit(transfer.c_str(), shown.c_str());
    else promise.to->abort(transfer.c_str(), shown.c_str());
  } catch (const CallisLifeCycle::Refused& e) {
    const char* const what = promise.commit ? "an object that has been moved is not in its new home: "
                                            : "an object that has not been moved is served by two homes: ";
    log(LogLevel::Error, {what, e.why.in()});
  } catch (const CORBA::NO_PERMISSION& e) {
    log(LogLevel::Error, {"the new home of an object has another secret now: ", e.what()});
    return false;
  } catch (const CORBA::SystemException& e) {
    // OBJECT_NOT_EXIST, too: another program may have its port until it comes back.
    log(LogLevel::Debug, {"the new home of an object does not answer: ", e.what()});
    return false;
  }
  return true;
}

bool Home::keep_promise(const std::string& transfer, const Promise& promise) {
  if (!keep(transfer, promise)) {
    const std::lock_guard lock(mutex_);
    promised_.notify_all();
    return false;
  }
  try {
    erase_promise(transfer);
  } catch (const services::StoreFailed& failed) {  // it is kept once more after a restart, without harm
    log(LogLevel::Error, {"a promise that has been kept is stored still: ", failed.what()});
  }
  const std::lock_guard lock(mutex_);
  promises_.erase(transfer);
  return true;
}

// --- asking ---

void Home::tell_operator(const std::string& identity, const EntryPtr& entry, const std::string& why) {
  bool leaving = false;
  {
    const std::lock_guard lock(mutex_);
    if (entry->told) return;
    entry->told = true;
    leaving = entry->state == State::Leaving;
  }
  log(LogLevel::Error,
      {"the object ", identity, " (", entry->implementation, ") is not served: the home that it ",
       leaving ? "was to go to" : "was to come from", " cannot say whether it has it: ", why,
       "; it is asked again. Where that home has ended for good: Home::decide()"});
}

bool Home::ask_old_home(const std::string& identity, const EntryPtr& entry) {
  const std::string transfer = entry->transfer, life = entry->life;
  try {
    const CallisLifeCycle::Fate outcome =
        entry->other->outcome(transfer.c_str(), life.c_str(), trust_.proof({"outcome", transfer, life}).c_str());
    if (outcome == CallisLifeCycle::Committed) take(identity, entry, transfer);
    else if (outcome == CallisLifeCycle::Aborted) drop(identity, entry, transfer);
  } catch (const CallisLifeCycle::Forgotten&) {
    tell_operator(identity, entry, "it had no store, or another one");
  } catch (const CORBA::Exception& e) {
    tell_operator(identity, entry, e.what());
    return false;
  }
  return true;
}

bool Home::ask_new_home(const std::string& identity, const EntryPtr& entry) {
  const std::string transfer = entry->transfer;
  try {
    entry->other->abort(transfer.c_str(), trust_.proof({"abort", transfer}).c_str());
    take(identity, entry, transfer);
  } catch (const CallisLifeCycle::Refused& e) {
    tell_operator(identity, entry, e.why.in());
  } catch (const CORBA::Exception& e) {
    tell_operator(identity, entry, e.what());
    return false;
  }
  return true;
}

// --- news ---

void Home::tell_moved(const CallisLifeCycle::Residences& homes, const std::string& identity, std::uint64_t version,
                      CORBA::Object_ptr where) {
  const CORBA::String_var text =
      CORBA::is_nil(where) ? CORBA::string_dup("") : orb_->object_to_string(where);
  const std::lock_guard lock(mutex_);
  for (CORBA::ULong i = 0; i < homes.length() && news_.size() < kMostNews; ++i)
    news_.push_back({CallisLifeCycle::Residence::_duplicate(homes[i]), identity, text.in(), version, 0});
  promised_.notify_all();
}

// A home that does not hear of the move leads to another former home, or to a home that knows no such object.
void Home::tell(Lock& lock) {
  News one = std::move(news_.front());
  news_.pop_front();
  lock.unlock();
  bool heard = true;
  try {
    const ThreadDeadline limit(options_.answer);
    const std::string shown = trust_.proof({"moved", one.identity, concat({Decimal(one.version)}), one.where});
    one.to->moved(one.identity.c_str(), one.version, one.where.c_str(), shown.c_str());
  } catch (const CORBA::SystemException& e) {
    log(LogLevel::Debug, {"a former home of an object does not hear where it is: ", e.what()});
    heard = false;
  }
  lock.lock();
  if (heard) return;
  // Other news for this home counts as tried in vain, too: so the home holds up news for others by three calls in
  // all.
  for (News& other : news_)
    if (other.to->_is_equivalent(one.to.in())) ++other.tries;
  ++one.tries;
  news_.push_back(std::move(one));
  std::erase_if(news_, [](const News& each) { return each.tries >= kMostTries; });
}

void Home::look_after_transfers() {
  Lock lock(mutex_);
  std::chrono::steady_clock::time_point look{};  // at promises and transfers
  while (!end_) {
    const auto now = std::chrono::steady_clock::now();
    const bool waits = promises_.empty() && transfers_.empty();
    if (waits || now < look) {
      if (!news_.empty()) tell(lock);
      else if (waits) promised_.wait(lock);
      else promised_.wait_until(lock, look, [this] { return end_ || !news_.empty(); });
      if (waits) look = std::chrono::steady_clock::now() + options_.again;
      continue;
    }
    const std::map<std::string, Promise> promises = promises_;
    std::vector<std::pair<std::string, EntryPtr>> waiting;
    for (const auto& [transfer, identity] : transfers_) {
      const auto found = entries_.find(identity);
      if (found == entries_.end() || found->second->ask > now) continue;
      if (CORBA::is_nil(found->second->other.in())) continue;
      waiting.emplace_back(identity, found->second);
    }
    lock.unlock();
    keep_and_ask(promises, waiting);
    lock.lock();
    look = std::chrono::steady_clock::now() + options_.again;
  }
  if (!promises_.empty() && !options_.store)
    log(LogLevel::Error, {"objects that have been moved wait in their new home to be told so; this home ends"});
}

// A home that does not answer is asked once in a round, for any number of questions: so the home holds others up by
// one call.
void Home::keep_and_ask(const std::map<std::string, Promise>& promises,
                        const std::vector<std::pair<std::string, EntryPtr>>& waiting) {
  std::vector<CallisLifeCycle::Residence_var> silent;
  const auto is_silent = [&](CallisLifeCycle::Residence_ptr home) {
    return std::any_of(silent.begin(), silent.end(), [&](const auto& one) { return one->_is_equivalent(home); });
  };
  for (const auto& [transfer, promise] : promises) {
    if (ends()) return;
    if (!is_silent(promise.to.in()) && !keep_promise(transfer, promise)) silent.push_back(promise.to);
  }
  const ThreadDeadline limit(options_.answer);
  for (const auto& [identity, entry] : waiting) {
    if (ends()) return;
    if (is_silent(entry->other.in())) continue;
    try {
      const bool answered =
          state_of(*entry) == State::Leaving ? ask_new_home(identity, entry) : ask_old_home(identity, entry);
      if (!answered) silent.push_back(entry->other);
    } catch (const services::StoreFailed& failed) {
      log(LogLevel::Error, {"what has become of a transfer cannot be stored: ", failed.what()});
    }
  }
}

bool Home::ends() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

Home::State Home::state_of(const Entry& entry) const {
  const std::lock_guard lock(mutex_);
  return entry.state;
}

// --- an operator ---

std::vector<Undecided> Home::undecided() const {
  std::vector<Undecided> out;
  const std::lock_guard lock(mutex_);
  for (const auto& [transfer, identity] : transfers_) {
    const auto found = entries_.find(identity);
    if (found == entries_.end() || !found->second->told) continue;
    const Entry& entry = *found->second;
    const CORBA::String_var other = orb_->object_to_string(entry.other.in());
    out.push_back({identity, entry.implementation, entry.state == State::Prepared, other.in()});
  }
  return out;
}

bool Home::decide(const std::string& identity, bool here) {
  EntryPtr entry;
  std::string transfer;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(identity);
    if (found == entries_.end() || !found->second->told) return false;
    entry = found->second;
    transfer = entry->transfer;
    if (transfers_.count(transfer) == 0) return false;
    if (here && entry->state == State::Prepared) taken_.insert(transfer);
  }
  try {
    if (here && state_of(*entry) == State::Prepared) store_taken(transfer);
    if (here) take(identity, entry, transfer);
    else drop(identity, entry, transfer);
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
  return true;
}

}  // namespace callis::life_cycle
