// SPDX-License-Identifier: Apache-2.0
// Sets: all sets of a service, by numbers and names, as a store has them.
//
//   set/NUMBER         what the set may have, and its name (CallisProperties::Kept)
//   value/NUMBER/NAME  a mode, '0' to '3', and a value
//
// A set is there when its first pair is: its properties go to the store before it when it is made, and behind it when it is
// destroyed. Pairs without a set, of a process that ended in between, are erased at the next start. Any thread.
#pragma once
#include <callis/orb/core/core.h>
#include <services/common/stats.h>
#include <services/common/store.h>
#include <services/properties/set.h>
#include <atomic>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

namespace callis::properties {

class Sets {
 public:
  // A set with what the service knows of it.
  class Known;
  using KnownPtr = std::shared_ptr<Known>;
  using Contents = std::vector<std::pair<std::string, Item>>;

  // Reads the store. All outlive this. Throws StoreFailed; what the store has and this cannot read is logged and left.
  Sets(orb::Core& orb, services::Store& store, const Bounds& bounds, std::size_t most);

  // name: empty: none. Throws IMP_LIMIT where there are too many, StoreFailed, and MultipleExceptions where some of the
  // contents are refused; then nothing has been made.
  KnownPtr make(bool has_modes, const std::string& name, Constraints constraints);
  KnownPtr make(bool has_modes, const CosPropertyService::PropertyDefs& contents, bool with_modes);
  // Made without constraints where there is none.
  KnownPtr named(const std::string& name);
  // nullptr: there is none.
  KnownPtr find(std::uint64_t number) const;
  KnownPtr find(const std::string& name) const;
  // False: there is none. Throws StoreFailed; then it may have been destroyed in part: its properties may be missing.
  bool destroy(std::uint64_t number);
  std::size_t size() const;
  std::size_t properties() const;
  const Bounds& bounds() const { return bounds_; }

 private:
  KnownPtr add(bool has_modes, const std::string& name, Constraints&& constraints, Contents&& contents);
  void read();
  void commit(services::Transaction&& transaction) { store_.commit(transaction); }

  orb::Core& orb_;
  services::Store& store_;
  const Bounds bounds_;
  const std::size_t most_;
  std::mutex making_;                // of sets with names: each name has one
  mutable std::shared_mutex mutex_;  // guards what follows
  std::unordered_map<std::uint64_t, KnownPtr> all_;
  std::map<std::string, KnownPtr, std::less<>> by_name_;
};

class Sets::Known final : public Keeper {
 public:
  Known(services::Store& store, std::uint64_t n, bool modes, std::string its_name, const Bounds& bounds,
        Constraints&& constraints)
      : number(n), has_modes(modes), name(std::move(its_name)), set(bounds, std::move(constraints), this), store_(store) {}

  const std::uint64_t number;
  const bool has_modes;
  const std::string name;
  Set set;

  // OBJECT_NOT_EXIST where it has been destroyed.
  void keep(std::span<const Change> changes) override;
  // Waits for changes that are being kept; later ones are refused. False: somebody else has done so.
  bool end();

 private:
  services::Store& store_;
  std::shared_mutex mutex_;
  bool ended_ = false;
};

}  // namespace callis::properties
