// SPDX-License-Identifier: Apache-2.0
// Registry: the object adapters of one ORB, their objects, and the lock over all that changes them.
//
//   RequestHandler (dispatch.h)
//        │ enter(key)                        no lock: prefix, slot, generation, gate; or the index
//        ▼
//   Registry ── ObjectTable ── Slot ── Adapter (gate, policies, names)      what requests touch
//        └── mutex, adapters by tag and by path, waiting threads            what administration touches
//
// Everything but the way of a request is done under one mutex, held by a Guard. A waiting thread (a held request, a
// destroy that waits for completion) sleeps on one condition variable, and looks again after each change. Code of the
// application (servants' counting, destructors) never runs under the mutex.
//
// The registry is counted. Its holders are every Adapter and Manager, and the ORB until its shutdown.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/string_map.h>
#include <callis/orb/base/counted.h>
#include <callis/orb/context/server_request.h>
#include <callis/orb/options/demultiplexing.h>
#include <callis/poa/adapter/references.h>
#include <callis/poa/object/key.h>
#include <callis/poa/object/object_table.h>
#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace callis::orb {
class MainThread;
}

namespace callis::poa {

class Adapter;
class Manager;

// How an adapter treats requests: by its manager's state, unless the adapter is being destroyed.
enum class Gate : std::uint8_t { Active, Holding, Discarding, Inactive, Destroying };

// Why a request does not get to an object.
enum class Refusal : std::uint8_t {
  None,
  NoAdapter,
  NoObject,
  Discarding,
  HeldTooLong,
  Inactive,
  Destroying,
  NoDefaultServant,
  NoServantManager,
  NotBidirectional
};

class Registry final : public ObjectTable::Owner {
 public:
  struct Options {
    Duration hold_timeout{30'000};  // of a held request; 0: none
    std::uint32_t max_held = 4096;  // requests held at once
    orb::Collocation collocation = orb::Collocation::ThroughAdapter;  // of adapters without the policy, like
    orb::Demultiplexing demultiplexing;
    orb::MainThread* main_thread = nullptr;  // for MAIN_THREAD_MODEL; nullptr: that is InvalidPolicy
  };

  // Nobody holds it yet (orb::Counted).
  Registry(std::unique_ptr<References> references, const Options& options);
  void add_ref() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // --- the way of a request ---

  struct Entry {
    Slot* slot;  // pinned; nullptr when refused
    Refusal refusal;
  };
  // key is hostile. May block while the object's adapter is holding. May call the application to make adapters and
  // servants, and throws whatever exception the application throws. The slot's servant is nullptr if a ServantLocator
  // is to be asked for each request.
  Entry enter(ByteView key) {
    Slot* slot = find_active(key);
    return slot ? Entry{slot, Refusal::None} : enter_slowly(key);
  }
  // The same for a request that came over a connection which this ORB has opened. Only adapters with the
  // BidirectionalPolicy BOTH accept it.
  Entry enter_back(ByteView key);
  // Like enter(), but neither waits nor calls the application. Returns nullptr if either would be needed, or if the
  // request would be refused.
  Slot* enter_at_once(ByteView key) { return find_active(key); }
  // Pins again an activation that enter() once found. The caller has a key that still names the activation. Returns
  // nullptr if the activation has ended or its adapter takes no requests; enter() then tells the reason.
  Slot* enter_again(Slot& slot, std::uint32_t generation);
  void leave(Slot* slot) { table_.leave(slot); }
  // Returns Here if the object is active, and also if its adapter serves no requests now but might make the object
  // active later. Returns Ask if only servant managers or adapter activators can tell. Calls neither, and does not
  // block for long.
  orb::Locate locate(ByteView key);
  // The collocation of the adapter that the key names.
  orb::Collocation collocation(ByteView key);
  // From now on requests to holding adapters are refused, also requests that already wait.
  void stop_holding();
  // Whether the ORB is being shut down, or has been; with the lock.
  bool stopping() const { return stopping_; }
  // Requests that wait for a holding adapter now.
  std::uint32_t held() {
    const std::lock_guard lock(mutex_);
    return held_;
  }

  // --- administration ---

  // Holds the lock. When it ends, adapters that are gone are let go, without the lock.
  class Guard final {
   public:
    explicit Guard(Registry& registry) : registry_(&registry), lock_(registry.mutex_) {}
    ~Guard() { unlock(); }  // also when it has been unlocked before
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Registry& registry() const { return *registry_; }
    void unlock();
    void relock() { lock_.lock(); }
    // Sleeps until something may have changed. The main thread runs its queued upcalls instead, since it might wait
    // for the end of such an upcall.
    void wait();
    // Returns false if the deadline passed first.
    bool wait_until(Deadline deadline);

   private:
    const orb::Counted<Registry> registry_;
    std::unique_lock<std::mutex> lock_;
  };

  const Options& options() const { return options_; }
  References& references() { return *references_; }
  const SystemKeyPrefix& prefix() const { return prefix_; }

  // The rest is for holders of a Guard.

  ObjectTable& table() { return table_; }
  void notify() { changed_.notify_all(); }

  // Ends the deactivation of a Reaping slot: tells the servant manager, frees the slot, lets the servant go. Called
  // without the lock. Does so at once, or when its adapter, which is being destroyed, executes no requests any more.
  void retire(std::uint32_t slot) noexcept;
  void retire_now(std::uint32_t slot) noexcept;
  // AdapterActivators are called one at a time.
  std::recursive_mutex& activation() { return activation_; }
  std::uint32_t activators = 0;  // adapters that have one

  // Gives the adapter a tag, by which requests find it. Returns false if there are too many adapters.
  bool add(Adapter& adapter, std::uint32_t& tag);
  // From now on requests find the adapter also by its path, if it has one.
  void publish(Adapter& adapter);
  // Undoes add() for an adapter that has not been published. keep_manager: keeps the manager even if this was its
  // last adapter.
  void withdraw(Adapter& adapter, bool keep_manager);
  // Takes over a count. Gives the count back without the lock, once the activations whose ends the adapter has put
  // off are ended.
  void let_go(Adapter& adapter);
  // Forgets the adapter and takes over the count that its parent held.
  void remove(Adapter& adapter);
  Adapter* find(const ParsedKey& key);
  // The adapter in which the servant is active; nullptr if there is none, or several. Looks at adapters with unique
  // ids alone.
  Adapter* sole_adapter_of(PortableServer::ServantBase* servant) const;

  // Managers: each is counted here until its last adapter, or the root, is gone.
  void add(Manager& manager);
  Manager* find_manager(std::string_view id);  // not counted
  const std::vector<Manager*>& managers() const { return managers_; }
  // Sets the gates of the manager's adapters, and wakes all waiting threads.
  void manager_changed(const Manager& manager);
  // A manager has been activated: the server is not starting any more.
  void note_activation() { started_ = true; }
  bool started() const { return started_; }
  // For a request whose adapter holds: sleeps until something may have changed. Returns false if the deadline passed
  // first.
  bool hold(Guard& guard, Deadline deadline);
  // Whether a request is in an adapter of the manager. If so, waiters are woken when this may have changed.
  bool busy(const Manager& manager);

  Adapter* root = nullptr;  // with the count that parents hold of the others; nullptr once it is gone

 private:
  ~Registry();
  void drained(std::uint32_t slot) noexcept override { retire(slot); }
  void idle() noexcept override;

  Slot* find_active(ByteView key);
  Slot* find_otherwise(ByteView key);
  // The first does the same without short cuts. The second goes on once the slot that a System key leads to has been
  // noted.
  Slot* find_active_slowly(ByteView key);
  Slot* judge(Slot* noted, ByteView key);
  Slot* find_by_key(ByteView key);
  Entry enter_slowly(ByteView key, bool back = false);
  Slot* enter_locked(ByteView key, const ParsedKey& parsed, Adapter& adapter, bool& ending);
  void forget(Manager& manager);

  static constexpr std::uint32_t kNoPlace = 0x10000;  // and their greatest number
  struct Place {
    Adapter* adapter = nullptr;
    std::uint16_t generation = 1;  // 0: used up
    std::uint32_t next_free = kNoPlace;
  };

  std::atomic<std::uint32_t> refs_{0};
  const std::unique_ptr<References> references_;
  const Options options_;
  const SystemKeyPrefix prefix_;
  ObjectTable table_;

  std::recursive_mutex activation_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Place> places_;  // by the low half of the tag
  std::uint32_t free_place_ = kNoPlace;
  StringMap<Adapter*> by_path_;  // the path's bytes
  std::vector<Manager*> managers_;
  Adapter* gone_ = nullptr;  // list of adapters to be let go, children before their parents
  Adapter** gone_end_ = &gone_;
  Manager* gone_managers_ = nullptr;
  std::uint32_t held_ = 0;
  bool stopping_ = false, started_ = false;
};

// Keeps an activation that has been entered until the reply has been written.
struct Pin {
  Registry& registry;
  Slot* slot;
  ~Pin() { registry.leave(slot); }
};

}  // namespace callis::poa
