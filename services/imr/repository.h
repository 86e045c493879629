// SPDX-License-Identifier: Apache-2.0
// Repository: all registered servers, and the way of a request to one of them.
//
//   a request's thread ── way(key) ──→ Entry, Machine ──→ forward, refuse, or wait until something changes
//                                           │ Action
//                                           ↓
//   the worker's thread ── launches, kills, watches the time ──→ Launcher, Store
//                          asks servers and activators ──→ Errands ──→ Peers, Launcher
//                                           ↑
//   servers ── up(), going_down()           └── ended(): the launcher's thread
//
// One lock guards all entries; nobody waits for a process, a peer or the disk while holding it. Another one lets
// operators register and remove servers one behind the other: what one of them has found to be free nobody else takes
// before the store has it.
//
// Waiting is not shared. A server that does not come, and a client that asks for such servers, use up their own part
// of the requests that may wait (Settings), and the others wait for their own servers.
#pragma once
#include <callis/base/thread.h>
#include <callis/transport/peer.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <services/common/stats.h>
#include <services/common/store.h>
#include <services/imr/entry.h>
#include <services/imr/errands.h>
#include <services/imr/launcher.h>
#include <services/imr/peers.h>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace callis::imr {

struct Settings {
  std::uint32_t max_waiting = 1000;  // requests, for all servers together
  // Of these: for one server, and of one client. 0: a quarter and a half, and at least one.
  std::uint32_t max_waiting_for_one = 0, max_waiting_of_one = 0;
  Milliseconds patience{120'000};  // of one that waits, with all that is asked and started for it
  std::size_t max_servers = 10'000;
  services::MemoryBound* memory = nullptr;  // outlives the repository; nullptr: it has its own, with the defaults
};

// What an operator asked for cannot be done; what() says why.
struct NotDone final : std::runtime_error {
  enum class Why { Unknown, Exists, Invalid, Refused };
  NotDone(Why w, const std::string& text) : std::runtime_error(text), why(w) {}
  Why why;
};

// Any thread. Functions that change the store throw services::StoreFailed, with nothing changed.
class Repository final : public Launcher::Listener {
 public:
  // All outlive it.
  Repository(services::Store& store, services::Counters& counters, const Settings& settings);
  ~Repository();

  // Once: reads the store, and starts what is to run always. reference: of the repository, for servers. launcher
  // outlives stop().
  void begin(Launcher& launcher, const std::string& reference);
  // Refuses those that wait, and those that come. Does not wait.
  void refuse();
  // refuse(), and ends the worker. Servers go on.
  void stop();

  // --- Requests ---

  struct Way {
    enum class Kind { Nobody, Forward, Refused } kind = Kind::Nobody;
    ior::Ior to;
    std::string why;
  };
  // Whether the key is one of a registered server; and of one with a process for each client. key: from the peer.
  // Allocates nothing.
  enum class Leads { Nowhere, ToOne, ToOneForEachClient };
  Leads leads(ByteView key) const;
  // Starts the server if need be, and waits until it is there. client: who asks; nullptr: not known.
  Way way(ByteView key, const transport::Peer* client);

  // --- Operators; throw NotDone ---

  // NO_RESOURCES, too: the operator's share of memory is used up.
  void add(const Record& record, bool replace);
  void remove(const std::string& name);
  void start(const std::string& name);
  void halt(const std::string& name);

  struct Status {
    Record record;
    Machine::State state;
    std::int64_t pid;
    std::uint32_t failures;
    std::uint64_t launches;
    std::uint32_t waiting;
    std::string reason;
    std::size_t processes;
  };
  Status status(const std::string& name) const;
  // Behind that name, in order.
  std::vector<Status> list(const std::string& after, std::size_t most) const;

  // --- Servers ---

  void up(const std::string& name, const std::string& start, std::int64_t pid, const ior::Ior& self);
  void going_down(const std::string& name, const std::string& start);
  void ended(const std::string& server, const std::string& start, const std::string& how) override;
  // The activator of that name has these processes alone.
  void reconcile(const std::string& activator, const std::set<std::string>& living);

 private:
  using Lock = std::unique_lock<std::mutex>;
  using EntryPtr = std::shared_ptr<Entry>;
  using State = Machine::State;
  struct Job {
    enum class What { Launch, Ask, Kill, Keep } what;
    EntryPtr entry;
    std::string start;
  };
  class Waiting;

  static Time now() { return std::chrono::steady_clock::now(); }
  // Of the server that has the key; inner: the key that it knows itself. Under the lock.
  const EntryPtr* find(ByteView key, ByteView& inner) const;
  const EntryPtr& named(const std::string& name) const;
  // Under the lock. Throws NotDone.
  void check_may_add(const Record& record, bool replace) const;
  void index(const EntryPtr& entry);
  void forget_prefixes(const Record& record);
  void read_store();
  static Status status_of(const Entry& entry);
  // The process that was launched so; the server's entry where none was.
  static EntryPtr launched_as(const EntryPtr& server, const std::string& start);
  // The client's own process, by its stream, launched if there is none; nullptr: refused, and why says so.
  EntryPtr of_client(const EntryPtr& server, const transport::Peer* peer, std::string& why);
  // After an event of its machine: a client's process that has ended is forgotten, and its failure counted.
  void settle(const EntryPtr& entry, State before, std::uint32_t failures);

  // Under the lock: lets the worker do it, and wakes those that wait.
  void act(const EntryPtr& entry, Machine::Action action);
  void keep(const EntryPtr& entry);
  // Of a look at a process that took a while. Changed: another process is there since, or none.
  enum class Seen : std::uint8_t { Answers, Nobody, Changed };
  Seen look(Entry& entry, Time asked, Lock& lock);
  bool has_object(Entry& entry, ByteView inner, Lock& lock);
  void not_there(const EntryPtr& entry);
  // Whether a process that was launched on this host, maybe by a former life of the repository, has not ended.
  static bool still_runs(const Entry& entry);
  bool took_over(const EntryPtr& entry, Lock& lock);
  Way forward(const Entry& entry, ByteView inner) const;

  void work();
  Time pass_time();
  // Has somebody look whether the server is there, and then does `seen`, under the lock.
  void send_to_look(const EntryPtr& entry, Time& next, std::function<void(Seen)> seen);
  void run(const Job& job);
  void launch(const Job& job);
  void ask(const Job& job);
  void write_running(const Job& job);

  services::Store& store_;
  services::MemoryBound own_memory_;
  const Settings settings_;
  services::Counters::Counter &forwarded_, &refused_, &launches_, &failures_, &waiting_;
  services::Counters::Source servers_;
  Peers peers_;
  Launcher* launcher_ = nullptr;  // until begin()
  std::string reference_;

  std::mutex registering_;    // of add() and remove(), with the store; before mutex_
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_, work_;
  std::map<std::string, EntryPtr, std::less<>> entries_;
  std::map<std::string, EntryPtr, std::less<>> prefixes_;
  std::map<std::string, std::uint32_t, std::less<>> waiting_of_;  // by the client as it is counted
  std::deque<Job> jobs_;
  Time watch_at_{};
  bool stop_ = false;
  Thread worker_;
  Errands errands_;
};

}  // namespace callis::imr
