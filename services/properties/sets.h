// SPDX-License-Identifier: Apache-2.0
// Sets: all sets of a service, by numbers and names, as a store has them.
//
//   set/NUMBER         what the set may have, and its name (CallisProperties::Kept)
//   value/NUMBER/NAME  a mode, '0' to '3', and a value
//   name/NAME          of shared stores: the set's number, so that a name has one set
//   turn/NUMBER        of shared stores: put by each change of the set, if it is still as the instance knows it
//
// A set is there when its first pair is: its properties go to the store before it when it is made, and behind it when
// it is destroyed. Pairs without a set, of a process that ended in between, are erased at the next start; in a shared
// store by an instance that is alone.
//
// Several instances on one shared store are one service. What one has done the store tells the others (told); so an
// instance that finds nothing, or is to refuse something, first hears all that others have been told is done
// (catch_up). A change that was decided before that is decided anew: its condition does not hold. Any thread.
#pragma once
#include <callis/orb/core/core.h>
#include <services/common/fair_shared_mutex.h>
#include <services/common/relay.h>
#include <services/common/stats.h>
#include <services/common/store.h>
#include <services/properties/set.h>
#include <condition_variable>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

namespace callis::properties {

class Sets final : private services::Watcher {
 public:
  // A set with what the service knows of it.
  class Known;
  using KnownPtr = std::shared_ptr<Known>;
  using Contents = std::vector<std::pair<std::string, Item>>;
  // What a set takes in memory, without properties. Also: no client has all of the sets that there may be.
  static constexpr std::size_t kSetBytes = 10 * services::MemoryBound::kOverhead;
  // kept: as the store has it. TypeCodes and values take some times what they do there.
  static std::size_t bytes_of(const Constraints& constraints, std::string_view kept);

  // Reads the store. All outlive this. relay: of a shared store, whose watcher it is from now on; otherwise nullptr.
  // Throws StoreFailed; what the store has and this cannot read is logged, and left.
  Sets(orb::Core& orb, services::Store& store, services::Relay* relay, const Bounds& bounds, std::size_t most);
  ~Sets() override;
  Sets(const Sets&) = delete;
  Sets& operator=(const Sets&) = delete;

  // name: empty: none. Throws IMP_LIMIT where there are too many, TRANSIENT where a shared store does not tell what
  // it has, StoreFailed, and MultipleExceptions where some of the contents are refused; then nothing has been made.
  KnownPtr make(bool has_modes, const std::string& name, Constraints constraints);
  KnownPtr make(bool has_modes, const CosPropertyService::PropertyDefs& contents, bool with_modes);
  // Made without constraints where there is none.
  KnownPtr named(const std::string& name);
  // nullptr: there is none. Throw StoreFailed and TRANSIENT where a shared store cannot say so.
  KnownPtr find(std::uint64_t number);
  KnownPtr find(const std::string& name);
  // False: there is none. Throws StoreFailed; then it may have been destroyed in part: its properties may be missing.
  bool destroy(std::uint64_t number);
  std::size_t size() const;
  std::size_t properties() const;
  const Bounds& bounds() const { return bounds_; }
  // What a shared store tells of changes.
  services::Watcher& watcher() { return *this; }

 private:
  using Revision = services::Revision;
  using Texts = std::map<std::string, std::string>;
  // What a store has of one set.
  struct Stored {
    std::string kept;
    Revision made = 0, turn = 0;
    Texts values;
  };

  KnownPtr add(bool has_modes, const std::string& name, Constraints&& constraints, Contents&& contents);
  KnownPtr known(std::uint64_t number) const;
  KnownPtr known(const std::string& name) const;
  void insert(const KnownPtr& known);
  // nullptr: it was not there.
  KnownPtr take_out(std::uint64_t number);

  Revision read_all(bool first);
  KnownPtr made_of(std::uint64_t number, const Stored& stored);
  std::optional<Item> item_of(const std::string& key, std::string_view text) const;
  void erase_unowned(const std::map<std::string, Revision>& keys);
  // Returns when this knows all that was done before the call.
  void catch_up();
  bool wait_for(Revision revision);
  void told(Revision revision, const std::vector<services::Change>& changes) override;
  void lost() override;
  // Of the pairs told before the set that they belong to.
  void tell_values(Revision revision, const std::vector<services::Change>& changes);

  orb::Core& orb_;
  services::Store& store_;
  services::Relay* const relay_;
  const Bounds bounds_;
  const std::size_t most_;
  std::mutex making_;                // of sets with names: each name has one
  mutable services::FairSharedMutex mutex_;  // guards what follows
  std::unordered_map<std::uint64_t, KnownPtr> all_;
  std::map<std::string, KnownPtr, std::less<>> by_name_;
  std::map<std::uint64_t, Texts> early_;  // of sets that are being made; of the watcher's thread
  std::mutex seen_mutex_;                 // guards what follows
  std::condition_variable seen_changed_;
  Revision seen_ = 0;
};

class Sets::Known final : public Keeper {
 public:
  Known(Sets& sets, std::uint64_t n, bool modes, std::string its_name, Constraints&& constraints)
      : number(n),
        has_modes(modes),
        name(std::move(its_name)),
        set(sets.bounds_, std::move(constraints), this),
        sets_(sets) {}

  const std::uint64_t number;
  const bool has_modes;
  const std::string name;
  Revision made = 0;  // of its first pair
  services::MemoryBound::Hold held;  // the set without its properties
  Set set;

  // OBJECT_NOT_EXIST where it has been destroyed.
  void keep(std::span<const Change> changes) override;
  bool alone() const override { return !sets_.relay_; }
  void catch_up() override { sets_.catch_up(); }
  // Waits for changes that are being kept; later ones are refused. False: somebody else has done so.
  bool end();
  // Of the store, which tells of a revision: false where it is known already. Under the set's lock.
  bool is_news(Revision turn);

 private:
  Sets& sets_;
  services::FairSharedMutex mutex_;
  bool ended_ = false;
  Revision turn_ = 0;  // of shared stores: the set's last change that is in it. Under the set's lock
};

}  // namespace callis::properties
