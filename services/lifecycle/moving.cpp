// SPDX-License-Identifier: Apache-2.0
// How objects leave a home: they are moved, copied and removed.
#include <callis/base/blocking_scope.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/lifecycle/criteria.h>
#include <services/lifecycle/finder.h>
#include <services/lifecycle/home.h>
#include <algorithm>

namespace callis::life_cycle {

namespace {

constexpr CORBA::ULong kMostHomes = 100;  // that are asked for one move

// Why an object stays where it is.
struct Stays {
  std::string why;
};

constexpr const char* kTooLong = "finding its new home takes longer than a move may (Home::Options::operation)";

}  // namespace

bool Home::greet(CallisLifeCycle::Residence_ptr home, Known& known) const {
  const std::string challenge = new_identity();
  CORBA::String_var shown;
  const CORBA::String_var text = home->greet(challenge.c_str(), shown.out());
  if (!trust_.holds(shown.in(), {"greet", challenge, text.in()})) return false;
  // From here on to whom has shown it, which need not be who was found.
  const CORBA::Object_var object = orb_->string_to_object(text.in());
  known.home = CallisLifeCycle::Residence::_unchecked_narrow(object.in());
  known.text = text.in();
  known.place = *CallisLifeCycle::Place_var(known.home->describe()).operator->();
  return true;
}

Home::Known Home::find_home(CosLifeCycle::FactoryFinder_ptr there, const std::string& implementation,
                            const Wanted& wanted, const services::OperationTime& time) const {
  const CosLifeCycle::Key key = key_of(implementation);
  if (CORBA::is_nil(there)) throw CosLifeCycle::NoFactory(key);
  if (!trust_.exists()) throw Stays{"its home has no secret in common with others, so no other home may have it"};
  CosLifeCycle::Factories_var found;
  {
    const ThreadDeadline limit(time.part(options_.answer, 1));
    found = there->find_factories(key);
  }
  const CORBA::ULong homes = std::min(found->length(), kMostHomes);
  std::vector<Known> all;
  std::vector<CallisLifeCycle::Place> places;
  CosLifeCycle::Criteria unmet;
  bool strange = false;
  for (CORBA::ULong i = 0; i < homes; ++i) {
    if (time.over()) break;
    // A home that does not answer leaves the others their part, and the move itself about a tenth.
    const ThreadDeadline limit(time.part(options_.answer, 2 * (homes - i)));
    try {
      Known known;
      if (!CORBA::is_nil(found[i]) && reference_->_is_equivalent(found[i])) {
        // Not asked: where a reference leads through an Implementation Repository, -ORBForwardTo may forbid the way
        // back to this ORB.
        if (makes_.count(implementation) == 0) continue;
        known = {reference_, own_text_, options_.place};
      } else {
        const CallisLifeCycle::Residence_var home = CallisLifeCycle::Residence::_narrow(found[i]);
        if (CORBA::is_nil(home.in()) || !home->supports(key)) continue;
        if (!greet(home.in(), known)) {
          strange = true;
          continue;
        }
      }
      const CosLifeCycle::Criteria misses = wanted.unmet_by(known.place);
      if (misses.length() != 0) {
        unmet = misses;
        continue;
      }
      places.push_back(known.place);
      all.push_back(std::move(known));
    } catch (const CallisLifeCycle::Refused&) {
      strange = true;
    } catch (const CORBA::SystemException& e) {
      log(LogLevel::Warning, {"a factory of ", implementation, " does not answer: ", e.what()});
    }
  }
  if (!all.empty()) return all[wanted.order(places)[0]];
  if (time.over()) throw Stays{kTooLong};
  if (unmet.length() != 0) throw CosLifeCycle::CannotMeetCriteria(unmet);
  if (strange) throw Stays{"the new home does not know the secret of this one"};
  throw CosLifeCycle::NoFactory(key);
}

// An older home gives no ids: then it is one of this home's.
std::string Home::invitation_of(const Known& to, const services::OperationTime& time) const {
  const ThreadDeadline limit(time.part(options_.answer, 1));
  std::string id;
  try {
    id = CORBA::String_var(to.home->invite()).in();
  } catch (const CallisLifeCycle::Refused& e) {
    throw Stays{std::string("the new home refuses it: ") + e.why.in()};
  } catch (const CORBA::BAD_OPERATION&) {
    return new_identity();
  } catch (const CORBA::SystemException& e) {
    throw Stays{std::string("the new home cannot be asked: ") + e.what()};
  }
  const std::lock_guard lock(mutex_);
  if (id.size() != kIdentityBytes || offered_.count(id) != 0 || promises_.count(id) != 0 || transfers_.count(id) != 0)
    throw Stays{"the new home gives an id that is none, or of another transfer"};
  return id;
}

CORBA::Any Home::hold(const EntryPtr& entry, const char* what, const services::OperationTime& time) {
  {
    Lock lock(mutex_);
    if (entry->state != State::Here) throw Stays{concat({"it cannot be ", what, " now: it is being moved"})};
    entry->state = State::Moving;
    const auto until =
        std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(options_.drain, time.left());
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

// Returns the new home's answer. Throws Stays and CannotMeetCriteria; then the object is not there, or is aborted.
CORBA::Object_var Home::offer(const Known& to, const CallisLifeCycle::Transfer& what,
                              const services::OperationTime& time) {
  const std::string shown = trust_.proof({"prepare", what.id.in(), what.identity.in(), what.implementation.in(),
                                          concat({Decimal(what.version)}), to.text});
  const ThreadDeadline limit(time.part(options_.answer, 1));
  try {
    CORBA::Object_var out = to.home->prepare(what, shown.c_str());
    if (!CORBA::is_nil(out.in())) return out;
    throw Stays{"the new home has given no reference to it"};
  } catch (const CallisLifeCycle::Refused& e) {
    throw Stays{std::string("the new home refuses it: ") + e.why.in()};
  } catch (const CORBA::SystemException& e) {
    // It may be there: the new home is to forget it.
    if (e.completed() != CORBA::COMPLETED_NO) promise(to.home, what.id.in(), false);
    throw Stays{std::string("the new home cannot be asked: ") + e.what()};
  }
}

void Home::move(Mobile& object, CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria) {
  const Wanted wanted(criteria, Wanted::For::Move);
  const services::OperationTime time(options_.operation);
  const std::string identity = object.identity_;
  std::string id;
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    entry = find(identity);
  }
  CallisLifeCycle::Transfer what;
  CallisLifeCycle::Residences former;
  Known to;
  CORBA::Object_var where;
  try {
    to = find_home(there, entry->implementation, wanted, time);
    if (to.text == own_text_) return;  // it is there
    what.state = hold(entry, "moved", time);
    try {
      id = invitation_of(to, time);
      {
        const std::lock_guard lock(mutex_);
        entry->transfer = id;
        entry->other = to.home;
        offered_.insert(id);
      }
      what.id = id.c_str();
      what.identity = identity.c_str();
      what.implementation = entry->implementation.c_str();
      what.version = entry->version + 1;
      what.wanted = criteria;
      what.from = CallisLifeCycle::Residence::_duplicate(reference_.in());
      what.life = life_.c_str();
      // The last ones, without the new home, and this one behind them.
      const CORBA::ULong had = entry->former.length(), most = static_cast<CORBA::ULong>(options_.former);
      for (CORBA::ULong i = had > most ? had - most : 0; i < had; ++i) {
        if (entry->former[i]->_is_equivalent(to.home.in())) continue;
        const CORBA::ULong n = former.length();
        former.length(n + 1);
        former[n] = CallisLifeCycle::Residence::_duplicate(entry->former[i]);
      }
      what.former = former;
      const CORBA::ULong n = what.former.length();
      what.former.length(n + 1);
      what.former[n] = CallisLifeCycle::Residence::_duplicate(reference_.in());
      const std::lock_guard keeping(entry->keeping);
      store(identity, *entry, State::Leaving, what.state);
      where = offer(to, what, time);
      decide_to_leave(identity, entry, what, to.home, where);
    } catch (...) {
      stay(identity, entry, id, what.state);
      throw;
    }
  } catch (const Stays& stays) {
    throw CosLifeCycle::NotMovable(stays.why.c_str());
  } catch (const services::StoreFailed& failed) {
    throw CosLifeCycle::NotMovable((std::string("it cannot be stored: ") + failed.what()).c_str());
  }
  promise(to.home, id, true);
  tell_moved(former, identity, what.version, where.in());
}

// The old home's decision: from its transaction on, the object is in the new one.
void Home::decide_to_leave(const std::string& identity, const EntryPtr& entry, const CallisLifeCycle::Transfer& what,
                           const CallisLifeCycle::Residence_var& to, const CORBA::Object_var& where) {
  Entry after;
  after.implementation = entry->implementation;
  after.version = what.version;
  after.where = where;
  const Promise commit{to, true};
  try {
    store(identity, after, State::Moved, {}, what.id.in(), &commit);
  } catch (const services::StoreFailed& failed) {
    if (failed.maybe_applied()) {  // the new home is asked to forget it; then it stays, and the store is told so
      const std::lock_guard lock(mutex_);
      entry->state = State::Leaving;
      entry->state_then = what.state;
      transfers_[what.id.in()] = identity;
      promised_.notify_all();
    } else {
      promise(to, what.id.in(), false);
    }
    throw;
  }
  const std::lock_guard lock(mutex_);
  entry->state = State::Moved;
  entry->where = where;
  entry->version = what.version;
  entry->former.length(0);
  entry->held.resize(cost_of({}, {}));
  offered_.erase(what.id.in());
  promises_[what.id.in()] = commit;
  ++went_;
  changed_.notify_all();
}

// Called after a move that has failed. The store may still say that the object is leaving: the state is the same, and
// a home that reads this asks the new home.
void Home::stay(const std::string& identity, const EntryPtr& entry, const std::string& transfer,
                const CORBA::Any& state) {
  {
    const std::lock_guard lock(mutex_);
    offered_.erase(transfer);
    if (entry->state != State::Moving) return;
  }
  const std::lock_guard keeping(entry->keeping);
  try {
    store(identity, *entry, State::Here, state);
  } catch (const services::StoreFailed& failed) {
    log(LogLevel::Error, {"an object that has not been moved after all cannot be stored: ", failed.what()});
  }
  let_go(entry);
}

CORBA::Object_var Home::copy(Mobile& object, CosLifeCycle::FactoryFinder_ptr there,
                             const CosLifeCycle::Criteria& criteria) {
  const Wanted wanted(criteria, Wanted::For::Move);
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    entry = find(object.identity_);
  }
  const services::OperationTime time(options_.operation);
  std::string id;
  CallisLifeCycle::Transfer what;
  what.identity = new_identity().c_str();
  what.implementation = entry->implementation.c_str();
  what.version = 0;
  what.from = CallisLifeCycle::Residence::_duplicate(reference_.in());
  what.life = life_.c_str();
  what.wanted = criteria;
  const auto end_offer = [&] {
    const std::lock_guard lock(mutex_);
    offered_.erase(id);
  };
  try {
    const Known to = find_home(there, entry->implementation, wanted, time);
    what.state = hold(entry, "copied", time);
    let_go(entry);
    id = invitation_of(to, time);
    what.id = id.c_str();
    {
      const std::lock_guard lock(mutex_);
      offered_.insert(id);
    }
    CORBA::Object_var out;
    try {
      out = offer(to, what, time);
      promise(to.home, id, true);
    } catch (...) {
      end_offer();
      throw;
    }
    end_offer();
    return out;
  } catch (const Stays& stays) {
    throw CosLifeCycle::NotCopyable(stays.why.c_str());
  } catch (const CosLifeCycle::NotMovable& e) {
    throw CosLifeCycle::NotCopyable(e.reason.in());
  } catch (const services::StoreFailed& failed) {
    throw CosLifeCycle::NotCopyable((std::string("it cannot be stored: ") + failed.what()).c_str());
  }
}

void Home::remove(Mobile& object) {
  object.about_to_be_removed();
  const std::string identity = object.identity_;
  EntryPtr entry;
  {
    const std::lock_guard lock(mutex_);
    entry = find(identity);
  }
  const std::lock_guard keeping(entry->keeping);
  {
    const std::lock_guard lock(mutex_);
    (void)find(identity);
    if (entry->state != State::Here) throw CosLifeCycle::NotRemovable("it is being moved");
  }
  try {
    erase(identity);
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
  {
    const std::lock_guard lock(mutex_);
    entry->gone = true;
    entries_.erase(identity);
    changed_.notify_all();
  }
  tell_moved(entry->former, identity, entry->version + 1, nullptr);
}

}  // namespace callis::life_cycle
