// SPDX-License-Identifier: Apache-2.0
// How objects leave a home, and come to it.
#include <callis/base/blocking_scope.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/lifecycle/criteria.h>
#include <services/lifecycle/finder.h>
#include <services/lifecycle/home.h>

namespace callis::life_cycle {

namespace {

constexpr std::size_t kMostAborted = 10'000;

// Why an object stays where it is.
struct Stays {
  std::string why;
};

std::string words_of(const CORBA::Exception& e) {
  const char* const words = e.what();
  return words && *words ? words : e._name();
}

}  // namespace

CallisLifeCycle::Residence_var Home::find_home(CosLifeCycle::FactoryFinder_ptr there,
                                          const std::string& implementation) const {
  const CosLifeCycle::Key key = key_of(implementation);
  if (CORBA::is_nil(there)) throw CosLifeCycle::NoFactory(key);
  const CosLifeCycle::Factories_var found = there->find_factories(key);
  for (CORBA::ULong i = 0; i < found->length(); ++i) {
    try {
      CallisLifeCycle::Residence_var home = CallisLifeCycle::Residence::_narrow(found[i]);
      if (!CORBA::is_nil(home.in()) && home->supports(key)) return home;
    } catch (const CORBA::SystemException& e) {
      log(LogLevel::Warning, {"a factory of ", implementation, " does not answer: ", e.what()});
    }
  }
  throw CosLifeCycle::NoFactory(key);
}

CORBA::Any Home::hold(const EntryPtr& entry, const char* what) {
  {
    Lock lock(mutex_);
    if (entry->state != State::Here) throw Stays{concat({"it cannot be ", what, " now: it is being moved"})};
    entry->state = State::Moving;
    const auto until = std::chrono::steady_clock::now() + options_.drain;
    const BlockingScope blocked;
    // The one that is left is the request to move.
    while (entry->running > 1) {
      if (changed_.wait_until(lock, until) != std::cv_status::timeout || entry->running <= 1) continue;
      entry->state = State::Here;
      changed_.notify_all();
      throw Stays{concat({Decimal(entry->running - 1), " of its requests have not ended within ",
                          Decimal(static_cast<std::uint64_t>(options_.drain.count())), " ms"})};
    }
  }
  try {
    return entry->mobile->write_state();
  } catch (...) {
    let_go(entry);
    throw;
  }
}

void Home::let_go(const EntryPtr& entry) {
  const std::lock_guard lock(mutex_);
  entry->state = State::Here;
  changed_.notify_all();
}

// What the new home says to it. Throws Stays; then the object is not there, or is aborted.
CORBA::Object_var Home::offer(CallisLifeCycle::Residence_ptr to, const CallisLifeCycle::Transfer& what) {
  try {
    CORBA::Object_var out = to->prepare(what);
    if (!CORBA::is_nil(out.in())) return out;
    throw Stays{"the new home has given no reference to it"};
  } catch (const CallisLifeCycle::Refused& e) {
    throw Stays{std::string("the new home refuses it: ") + e.why.in()};
  } catch (const CORBA::SystemException& e) {
    // It may be there: the new home is to forget it.
    if (e.completed() != CORBA::COMPLETED_NO)
      promise(CallisLifeCycle::Residence::_duplicate(to), what.id.in(), false);
    throw Stays{std::string("the new home cannot be asked: ") + e.what()};
  }
}

void Home::move(Mobile& object, CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria) {
  check_for_move(criteria);
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    entry = find(object.identity_);
  }
  const CallisLifeCycle::Residence_var to = find_home(there, entry->implementation);
  if (to->_is_equivalent(reference_.in())) return;  // it is there
  CallisLifeCycle::Transfer what;
  CallisLifeCycle::Residences former;
  CORBA::Object_var where;
  try {
    what.state = hold(entry, "moved");
    try {
      what.id = new_identity().c_str();
      what.identity = object.identity_.c_str();
      what.implementation = entry->implementation.c_str();
      what.version = entry->version + 1;
      // The last ones, without the new home, and this one behind them.
      const CORBA::ULong had = entry->former.length(), most = static_cast<CORBA::ULong>(options_.former);
      for (CORBA::ULong i = had > most ? had - most : 0; i < had; ++i) {
        if (entry->former[i]->_is_equivalent(to.in())) continue;
        const CORBA::ULong n = former.length();
        former.length(n + 1);
        former[n] = CallisLifeCycle::Residence::_duplicate(entry->former[i]);
      }
      what.former = former;
      const CORBA::ULong n = what.former.length();
      what.former.length(n + 1);
      what.former[n] = CallisLifeCycle::Residence::_duplicate(reference_.in());
      where = offer(to.in(), what);
    } catch (...) {
      let_go(entry);
      throw;
    }
    const std::lock_guard lock(mutex_);
    entry->state = State::Moved;
    entry->where = where;
    entry->version = what.version;
    entry->former.length(0);
    ++went_;
    changed_.notify_all();
  } catch (const Stays& stays) {
    throw CosLifeCycle::NotMovable(stays.why.c_str());
  }
  promise(to, what.id.in(), true);
  for (CORBA::ULong i = 0; i < former.length(); ++i) {
    try {
      former[i]->moved(object.identity_.c_str(), what.version, where.in());
    } catch (const CORBA::SystemException&) {}  // its clients go by another forward
  }
}

CORBA::Object_var Home::copy(Mobile& object, CosLifeCycle::FactoryFinder_ptr there,
                             const CosLifeCycle::Criteria& criteria) {
  check_for_move(criteria);
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    entry = find(object.identity_);
  }
  const CallisLifeCycle::Residence_var to = find_home(there, entry->implementation);
  CallisLifeCycle::Transfer what;
  what.id = new_identity().c_str();
  what.identity = new_identity().c_str();
  what.implementation = entry->implementation.c_str();
  what.version = 0;
  try {
    what.state = hold(entry, "copied");
    let_go(entry);
    CORBA::Object_var out = offer(to.in(), what);
    promise(to, what.id.in(), true);
    return out;
  } catch (const Stays& stays) {
    throw CosLifeCycle::NotCopyable(stays.why.c_str());
  } catch (const CosLifeCycle::NotMovable& e) {
    throw CosLifeCycle::NotCopyable(e.reason.in());
  }
}

void Home::remove(Mobile& object) {
  object.about_to_be_removed();
  CallisLifeCycle::Residences former;
  std::uint64_t version = 0;
  {
    const std::lock_guard lock(mutex_);
    const EntryPtr entry = find(object.identity_);
    if (entry->state != State::Here) throw CosLifeCycle::NotRemovable("it is being moved");
    former = entry->former;
    version = entry->version + 1;
    entries_.erase(object.identity_);
  }
  for (CORBA::ULong i = 0; i < former.length(); ++i) {
    try {
      former[i]->moved(object.identity_.c_str(), version, nullptr);
    } catch (const CORBA::SystemException&) {}  // its forward leads to nobody
  }
}

// --- coming ---

CORBA::Object_var Home::prepare(const CallisLifeCycle::Transfer& what) {
  const std::string id = what.id.in(), identity = what.identity.in();
  if (id.size() != kIdentityBytes || identity.size() != kIdentityBytes)
    throw CallisLifeCycle::Refused("its identity is none");
  if (what.former.length() > options_.former + 1) throw CallisLifeCycle::Refused("it has had too many homes");
  // What is here of it, under the lock: a forward that is older, or nothing.
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
  EntryPtr entry;
  try {
    entry = make(what.implementation.in(), what.state, identity);
  } catch (const CosLifeCycle::NoFactory&) {
    throw CallisLifeCycle::Refused("no such implementation is here");
  } catch (const CORBA::UserException& e) {
    throw CallisLifeCycle::Refused(("it cannot be made of its state: " + words_of(e)).c_str());
  }
  entry->state = State::Prepared;
  entry->transfer = id;
  entry->version = what.version;
  entry->former = what.former;
  CORBA::Object_var out = reference_to(identity, *entry);
  const std::lock_guard lock(mutex_);
  entry->before = before();
  entries_[identity] = entry;
  transfers_[id] = identity;
  return out;
}

void Home::commit(const std::string& transfer) {
  const std::lock_guard lock(mutex_);
  if (aborted_.count(transfer) != 0) throw CallisLifeCycle::Refused("that transfer has been aborted");
  const auto found = transfers_.find(transfer);
  if (found == transfers_.end()) return;  // it has been committed before
  const auto entry = entries_.find(found->second);
  if (entry != entries_.end() && entry->second->state == State::Prepared) {
    entry->second->state = State::Here;
    entry->second->before = nullptr;
    ++came_;
  }
  transfers_.erase(found);
  changed_.notify_all();
}

void Home::abort(const std::string& transfer) {
  EntryPtr gone;  // let go without the lock
  const std::lock_guard lock(mutex_);
  const auto found = transfers_.find(transfer);
  if (found == transfers_.end()) {
    if (transfer.size() != kIdentityBytes || !aborted_.insert(transfer).second) return;
    aborted_in_order_.push_back(transfer);
    if (aborted_in_order_.size() <= kMostAborted) return;
    aborted_.erase(aborted_in_order_.front());
    aborted_in_order_.pop_front();
    return;
  }
  const auto entry = entries_.find(found->second);
  if (entry != entries_.end() && entry->second->state == State::Prepared) {
    gone = entry->second;
    if (gone->before) entry->second = gone->before;
    else entries_.erase(entry);
  }
  transfers_.erase(found);
  changed_.notify_all();
}

void Home::moved(const std::string& identity, std::uint64_t version, CORBA::Object_ptr where) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(identity);
  if (found == entries_.end() || found->second->state != State::Moved || found->second->version >= version) return;
  if (CORBA::is_nil(where)) {
    entries_.erase(found);
    return;
  }
  found->second->version = version;
  found->second->where = CORBA::Object::_duplicate(where);
}

// --- promises ---

void Home::promise(const CallisLifeCycle::Residence_var& to, const std::string& transfer, bool commit) {
  const Promise one{to, transfer, commit};
  if (keep(one)) return;
  const std::lock_guard lock(mutex_);
  promises_.push_back(one);
  promised_.notify_all();
}

bool Home::keep(const Promise& promise) {
  try {
    if (promise.commit) promise.to->commit(promise.transfer.c_str());
    else promise.to->abort(promise.transfer.c_str());
  } catch (const CallisLifeCycle::Refused& e) {
    log(LogLevel::Error, {"an object that has been moved is not in its new home: ", e.why.in()});
  } catch (const CORBA::OBJECT_NOT_EXIST& e) {
    log(LogLevel::Error, {"the new home of an object that has been moved has gone: ", e.what()});
  } catch (const CORBA::SystemException&) {
    return false;
  }
  return true;
}

void Home::keep_promises() {
  Lock lock(mutex_);
  while (!end_) {
    if (promises_.empty()) {
      promised_.wait(lock);
      continue;
    }
    promised_.wait_for(lock, options_.again, [this] { return end_; });
    for (std::size_t n = promises_.size(); n != 0 && !end_; --n) {
      const Promise one = promises_.front();
      promises_.pop_front();
      lock.unlock();
      const bool kept = keep(one);
      lock.lock();
      if (!kept) promises_.push_back(one);
    }
  }
  if (!promises_.empty())
    log(LogLevel::Error, {"objects that have been moved wait in their new home to be told so; this home ends"});
}

}  // namespace callis::life_cycle
