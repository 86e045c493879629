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
// after Options::drain, NotMovable. Objects and forwards are in memory: they end with the process. Any thread.
#pragma once
#include <callis/base/thread.h>
#include <services/common/stats.h>
#include <services/lifecycle/mobile.h>
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

class Home {
 public:
  struct Options {
    Milliseconds drain{10'000};     // until the object's other requests have ended, or it is not moved
    Milliseconds patience{10'000};  // of a request that waits; then TRANSIENT
    Milliseconds again{250};        // between two tries to reach the new home
    std::size_t objects = 100'000;  // with those that are forwarded
    std::size_t former = 32;        // homes that hear of moves
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
  // A new object, Here. The caller owns the reference. Throws NoFactory, IMP_LIMIT, and what the Make throws.
  CORBA::Object_ptr create(const std::string& implementation, const CORBA::Any& state = {});
  // GenericFactory, too: what FactoryFinders find.
  CallisLifeCycle::Residence_var reference() const { return reference_; }

 private:
  friend class Mobile;
  class Locator;
  class Servant;
  enum class State { Prepared, Here, Moving, Moved };
  struct Entry {
    State state = State::Here;
    std::string implementation, transfer;  // transfer: by which it came, until it was committed
    PortableServer::Servant_var<PortableServer::ServantBase> servant;
    Mobile* mobile = nullptr;
    std::uint32_t running = 0;
    std::uint64_t version = 0;
    CORBA::Object_var where;  // Moved
    CallisLifeCycle::Residences former;
    std::shared_ptr<Entry> before;  // Prepared: what was here before
  };
  using EntryPtr = std::shared_ptr<Entry>;
  using Lock = std::unique_lock<std::mutex>;
  struct Promise {  // of a commit() or abort()
    CallisLifeCycle::Residence_var to;
    std::string transfer;
    bool commit;
  };

  EntryPtr make(const std::string& implementation, const CORBA::Any& state, const std::string& identity);
  CORBA::Object_var reference_to(const std::string& identity, const Entry& entry) const;
  void check_room() const;
  const EntryPtr& find(const std::string& identity) const;
  CallisLifeCycle::Residence_var find_home(CosLifeCycle::FactoryFinder_ptr there,
                                           const std::string& implementation) const;
  // The object's state with no other request of it running; let_go() ends that.
  CORBA::Any hold(const EntryPtr& entry, const char* what);
  void let_go(const EntryPtr& entry);

  void move(Mobile& object, CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria);
  CORBA::Object_var copy(Mobile& object, CosLifeCycle::FactoryFinder_ptr there,
                         const CosLifeCycle::Criteria& criteria);
  void remove(Mobile& object);

  CORBA::Object_var prepare(const CallisLifeCycle::Transfer& what);
  void commit(const std::string& transfer);
  void abort(const std::string& transfer);
  void moved(const std::string& identity, std::uint64_t version, CORBA::Object_ptr where);
  CORBA::Object_var offer(CallisLifeCycle::Residence_ptr to, const CallisLifeCycle::Transfer& what);
  // Keeps the promise now, or later.
  void promise(const CallisLifeCycle::Residence_var& to, const std::string& transfer, bool commit);
  static bool keep(const Promise& promise);
  void keep_promises();

  PortableServer::Servant begin_request(const std::string& identity, void*& cookie);
  void end_request(void* cookie);

  const Options options_;
  const CORBA::ORB_var orb_;
  PortableServer::POA_var poa_, own_poa_;
  CallisLifeCycle::Residence_var reference_;
  std::map<std::string, Make> makes_;
  services::Counters::Counter &came_, &went_, &forwarded_, &waited_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_, promised_;
  std::map<std::string, EntryPtr, std::less<>> entries_;
  std::map<std::string, std::string> transfers_;  // prepared: the object's identity
  std::set<std::string> aborted_;                 // before they were prepared
  std::deque<std::string> aborted_in_order_;
  std::deque<Promise> promises_;
  bool end_ = false;
  Thread keeper_;
};

}  // namespace callis::life_cycle
