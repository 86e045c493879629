// SPDX-License-Identifier: Apache-2.0
// Home: where mobile objects live in a server, come to and go from (Life Cycle Service 1.2, 2.3).
//
//                  prepare                commit
//        ─────────→ Prepared: requests wait ─────────→ Here ──move──→ Moving: requests wait, those that run end
//                      │ abort                          ↑               │ prepare() there        │ it is refused
//                      ↓                                └───────────────┼────────────────────────┘
//                  as it was                                            ↓
//                                                      Moved: requests are forwarded, commit() there is repeated
//
// A request is executed while its object is Here, and by nobody else; a move begins to write the state when the
// last one has ended. So each call is executed once, by one of the homes. A reference to an object of any home
// stays good as long as its first home runs: that one forwards (LOCATION_FORWARD, CORBA 3.0.3, 15.4.3.2), and
// hears where the object is now.
//
// An operation of an object that calls the object itself would wait for itself during a move; so a move gives up
// after Options::drain, NotMovable.
//
// With Options::store objects, forwards and transfers survive a restart: restore() reads them. The store has an
// object's last state: from its making, its arrival, or the last Mobile::save(). A home that was ended within a move
// asks the other home, and serves the object once the other home has said no. An object whose other home never
// answers is among undecided(), for an operator.
//
// Only homes with the same secret exchange objects (trust.h). Any thread.
#pragma once
#include <callis/base/thread.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <services/common/stats.h>
#include <services/common/store.h>
#include <services/lifecycle/criteria.h>
#include <services/lifecycle/invitations.h>
#include <services/lifecycle/mobile.h>
#include <services/lifecycle/trust.h>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include "CallisLifeCycle.h"

namespace callis::life_cycle {

using Milliseconds = std::chrono::milliseconds;

// The kind of store that homes keep their objects in.
services::StoreKind store_kind();

// An object that no home serves, since the other home of a transfer does not answer.
struct Undecided {
  std::string identity, implementation;
  bool came = false;  // it was to come here; otherwise it was leaving
  std::string other;  // the other home's reference
};

class Home {
 public:
  struct Options {
    Milliseconds drain{10'000};     // until the object's other requests have ended, or it is not moved
    Milliseconds patience{10'000};  // of a request that waits; then TRANSIENT
    Milliseconds again{250};        // between two tries to reach the other home of a transfer
    Milliseconds ask{2'000};        // of an object that has come, until its old home is asked what became of it
    Milliseconds answer{5'000};     // until another home has to answer
    // Of a move or copy in all: factories are found and asked, requests end, the new home prepares. Beyond it the
    // object stays. Each of many factories that do not answer gets its part of it.
    Milliseconds operation{30'000};
    std::size_t objects = 100'000;  // with those that are forwarded
    // The bound for objects and their states, counted by the client that has them made; NO_RESOURCES beyond the
    // bound. nullptr gives the home a bound of its own, with the defaults.
    services::MemoryBound* memory = nullptr;
    std::size_t former = 32;        // homes that hear of moves
    // The common secret of homes that exchange objects, of 16 bytes and more. If empty, objects neither come nor go.
    std::string secret;
    CallisLifeCycle::Place place;        // what criteria are met by
    services::Store* store = nullptr;    // not shared with other processes; nullptr: all is in memory
  };

  // Makes a persistent adapter of that name below root. All that is passed outlives this.
  Home(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, const std::string& name, services::Counters& counters,
       const Options& options);
  Home(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, const std::string& name, services::Counters& counters)
      : Home(orb, root, name, counters, Options()) {}
  ~Home();
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

  // Objects of that implementation are made so. Before requests come.
  void serves(const std::string& implementation, Make make);
  // Reads the store; after serves(), before requests come. Throws StoreFailed; BAD_PARAM, where an object's
  // implementation is not served here; and what the Make throws.
  void restore();
  // A new object, Here. The caller owns the reference. Throws NoFactory, IMP_LIMIT, and what the Make throws.
  CORBA::Object_ptr create(const std::string& implementation, const CORBA::Any& state = {});
  // GenericFactory, too: what FactoryFinders find.
  CallisLifeCycle::Residence_var reference() const { return reference_; }

  // Of all objects that are Here.
  std::vector<std::string> identities() const;
  // The caller owns it. OBJECT_NOT_EXIST: no such object is Here.
  CORBA::Object_ptr reference_of(const std::string& identity) const;

  // Objects whose other home has not answered yet, since this process began or the object came.
  std::vector<Undecided> undecided() const;
  // The decision of an operator about such an object, who knows that the other home has ended for good. here: the
  // object is served; otherwise it is dropped, as the other home has it. Returns false if there is no such object. If
  // the other home comes back all the same, and serves the object too, there are two objects. Throws a system
  // exception if the decision could not be stored.
  bool decide(const std::string& identity, bool here);

 private:
  friend class Mobile;
  class Locator;
  class Servant;
  // Leaving: restored from within a move, whose abort the new home has not answered.
  enum class State { Prepared, Here, Moving, Leaving, Moved };
  struct Entry {
    std::mutex keeping;  // held while the store is written; before mutex_
    State state = State::Here;
    bool gone = false, told = false;       // gone: removed, or not stored any more; told: the operator has been
    std::string implementation, transfer;  // transfer: by which it came, until it was committed, or is leaving
    CallisLifeCycle::Residence_var other;  // Prepared: the old home. Leaving: the new one
    std::string life;
    CORBA::Any state_then;                 // Prepared, Leaving: what it was made of
    std::chrono::steady_clock::time_point ask{};  // Prepared: when to ask the old home
    PortableServer::Servant_var<PortableServer::ServantBase> servant;
    Mobile* mobile = nullptr;
    std::uint32_t running = 0;
    std::uint64_t version = 0;
    CORBA::Object_var where;  // Moved
    CallisLifeCycle::Residences former;
    std::shared_ptr<Entry> before;  // Prepared: what was here before
    services::MemoryBound::Hold held;
  };
  using EntryPtr = std::shared_ptr<Entry>;
  using Lock = std::unique_lock<std::mutex>;
  struct News {  // for a former home
    CallisLifeCycle::Residence_var to;
    std::string identity, where;  // text; empty: nowhere
    std::uint64_t version;
    int tries;
  };
  struct Promise {  // of a commit() or abort()
    CallisLifeCycle::Residence_var to;
    bool commit;
  };
  // A home that has proved its knowledge of the secret.
  struct Known {
    CallisLifeCycle::Residence_var home;
    std::string text;  // its own reference
    CallisLifeCycle::Place place;
  };

  EntryPtr make(const std::string& implementation, const CORBA::Any& state, const std::string& identity);
  CORBA::Object_var reference_to(const std::string& identity, const Entry& entry) const;
  void check_room() const;
  static std::size_t cost_of(const CORBA::Any& state, const CallisLifeCycle::Residences& former);
  services::MemoryBound& memory() { return options_.memory ? *options_.memory : own_memory_; }
  const EntryPtr& find(const std::string& identity) const;
  // Returns the preferred home among homes that meet the criteria. Throws NoFactory, CannotMeetCriteria, Stays.
  Known find_home(CosLifeCycle::FactoryFinder_ptr there, const std::string& implementation, const Wanted& wanted,
                  const services::OperationTime& time) const;
  bool greet(CallisLifeCycle::Residence_ptr home, Known& known) const;
  // The id of a transfer there.
  std::string invitation_of(const Known& to, const services::OperationTime& time) const;
  // The object's state with no other request of it running; let_go() ends that.
  CORBA::Any hold(const EntryPtr& entry, const char* what, const services::OperationTime& time);
  void let_go(const EntryPtr& entry);

  void move(Mobile& object, CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria);
  CORBA::Object_var copy(Mobile& object, CosLifeCycle::FactoryFinder_ptr there,
                         const CosLifeCycle::Criteria& criteria);
  void remove(Mobile& object);

  CORBA::Object_var prepare(const CallisLifeCycle::Transfer& what, const std::string& shown);
  void commit(const std::string& transfer);
  void abort(const std::string& transfer);
  void moved(const std::string& identity, std::uint64_t version, const std::string& where);
  CallisLifeCycle::Fate outcome(const std::string& transfer, const std::string& life) const;
  // Prepared: it is served from now on. Leaving: it stays.
  void take(const std::string& identity, const EntryPtr& entry, const std::string& transfer);
  void drop(const std::string& identity, const EntryPtr& entry, const std::string& transfer);
  void forget(const std::string& identity, const EntryPtr& entry, const std::string& transfer);
  EntryPtr in_transfer(const std::string& transfer, std::string& identity) const;
  bool is_in_transfer(const Entry& entry, const std::string& transfer) const;
  CORBA::Object_var offer(const Known& to, const CallisLifeCycle::Transfer& what,
                          const services::OperationTime& time);
  void decide_to_leave(const std::string& identity, const EntryPtr& entry, const CallisLifeCycle::Transfer& what,
                       const CallisLifeCycle::Residence_var& to, const CORBA::Object_var& where);
  void stay(const std::string& identity, const EntryPtr& entry, const std::string& transfer, const CORBA::Any& state);
  // Some time from now. where: nil: the object is nowhere.
  void tell_moved(const CallisLifeCycle::Residences& homes, const std::string& identity, std::uint64_t version,
                  CORBA::Object_ptr where);
  void tell(Lock& lock);

  // Keeps the promise now, or later.
  void promise(const CallisLifeCycle::Residence_var& to, const std::string& transfer, bool commit);
  bool keep(const std::string& transfer, const Promise& promise) const;
  // False: the other home does not answer.
  bool keep_promise(const std::string& transfer, const Promise& promise);
  bool ask_old_home(const std::string& identity, const EntryPtr& entry);
  bool ask_new_home(const std::string& identity, const EntryPtr& entry);
  void tell_operator(const std::string& identity, const EntryPtr& entry, const std::string& why);
  void look_after_transfers();
  void keep_and_ask(const std::map<std::string, Promise>& promises,
                    const std::vector<std::pair<std::string, EntryPtr>>& waiting);
  bool ends() const;
  State state_of(const Entry& entry) const;

  // The store; they do nothing where there is none. Throw StoreFailed.
  CORBA::Any journal_form(const Entry& entry, State as, const CORBA::Any& state) const;
  void store(const std::string& identity, const Entry& entry, State as, const CORBA::Any& state,
             const std::string& promised = {}, const Promise* promise = nullptr) const;
  void erase(const std::string& identity) const;
  static std::string journal_form(const Promise& promise);
  void store_promise(const std::string& transfer, const Promise& promise) const;
  void store_taken(const std::string& transfer) const;
  void erase_promise(const std::string& transfer) const;
  void save(Mobile& object, const CORBA::Any& state);
  void restore_object(const std::string& identity, const CallisLifeCycle::KeptObject& kept);

  PortableServer::Servant begin_request(const std::string& identity, void*& cookie);
  void end_request(void* cookie);

  services::MemoryBound own_memory_;
  const Options options_;
  Invitations invitations_{std::chrono::steady_clock::now()};
  const CORBA::ORB_var orb_;
  PortableServer::POA_var poa_, own_poa_;
  CallisLifeCycle::Residence_var reference_;
  std::string own_text_, life_;
  const Trust trust_;
  std::map<std::string, Make> makes_;
  services::Counters::Counter &came_, &went_, &refused_, &forwarded_, &renewed_, &waited_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_, promised_;
  std::map<std::string, EntryPtr, std::less<>> entries_;
  std::map<std::string, std::string> transfers_;  // prepared: the object's identity
  std::set<std::string> aborted_;                 // before they were prepared
  std::deque<std::string> aborted_in_order_;
  std::set<std::string> taken_;                   // whose objects an operator has had served here
  std::set<std::string> offered_;                 // transfers from here that are neither committed nor aborted
  std::map<std::string, Promise> promises_;       // by transfer
  std::deque<News> news_;
  bool end_ = false;
  Thread keeper_;
};

}  // namespace callis::life_cycle
