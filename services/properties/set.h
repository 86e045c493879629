// SPDX-License-Identifier: Apache-2.0
// Set: the properties of one object, and what may be among them (Property Service 1.0, formal/00-06-22, 1.2 and 1.3).
//
//   servant ──→ Set: names → value, mode      constraints: types, names, modes
//                │ changes, before they are made
//                ↓
//              Keeper: a store, or nothing
//
// Operations on one property throw the specification's exceptions. Those on several do what can be done, in the order
// of their elements, and then throw MultipleExceptions with the others, each with its name and its reason.
//
// A value's type is compared by TypeCode::equivalent. Fixed properties stay so: set_mode and define refuse another
// mode by UnsupportedMode. Beyond the bounds an operation on one property is IMP_LIMIT; of several the element is
// unsupported_property. Any thread.
//
// An operation on several lets others have their turn after each portion that it has kept, and ends after kLongest:
// NO_RESOURCES; what it has done until then stays.
#pragma once
#include <callis/corba.h>
#include <services/common/fair_shared_mutex.h>
#include <services/common/memory_bound.h>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "CosPropertyService.h"

namespace callis::properties {

using Mode = CosPropertyService::PropertyModeType;
using Reason = CosPropertyService::ExceptionReason;

struct Bounds {
  std::size_t name_bytes = 1'024;  // longer ones are no names: InvalidPropertyName
  std::size_t value_bytes = 256u << 10;
  std::size_t properties = 10'000;
  std::size_t set_bytes = 16u << 20;  // names and values together
  std::size_t types = 1'000;          // that a set is constrained to; more are ConstraintNotSupported
  // What properties take in memory counts here, which outlives the set; nullptr: nowhere. Beyond it: as beyond
  // bounds, but NO_RESOURCES.
  services::MemoryBound* memory = nullptr;
  bool twice = false;  // the keeper has all in memory once more
};

struct Item {
  CORBA::Any value;
  Mode mode = CosPropertyService::normal;
  std::size_t bytes = 0;  // of name and value
};

// What a set may have. Without types and properties: anything.
struct Constraints {
  struct Allowed {
    CORBA::Any value;  // its type is the property's; of tk_null or tk_void: any type
    Mode mode = CosPropertyService::undefined;  // the only one; undefined: any
  };
  std::vector<CORBA::TypeCode_var> types;
  std::map<std::string, Allowed, std::less<>> properties;

  // Throws ConstraintNotSupported: names that are empty, too long or twice there; a property of a type that is not
  // among the types; more than the bounds.
  static Constraints make(const CosPropertyService::PropertyTypes& types,
                          const CosPropertyService::PropertyDefs& defs, const Bounds& bounds);
  bool allows_type(CORBA::TypeCode_ptr type) const;
};

// Who is told of changes before they are made; what it throws ends the operation, with those changes not made.
class Keeper {
 public:
  struct Change {
    std::string_view name;
    const Item* item;  // nullptr: deleted
  };
  static constexpr std::size_t kMostChanges = 99, kMostBytes = 512u << 10;  // told at once, unless it is one change
  // Thrown by keep(): others have changed the set since, and nothing was kept. It is decided anew, after catch_up().
  struct Changed {};

  virtual ~Keeper() = default;
  virtual void keep(std::span<const Change> changes) = 0;
  // False: others change the set, too, and adopt() tells it. Then nothing is refused before catch_up(), which returns
  // when the set has all that others had done before the call. Called without the set's lock.
  virtual bool alone() const { return true; }
  virtual void catch_up() {}
};

class Set {
 public:
  using Hold = services::MemoryBound::Hold;
  static constexpr std::chrono::seconds kLongest{20};  // one operation

  explicit Set(const Bounds& bounds = {}, Constraints constraints = {}, Keeper* keeper = nullptr)
      : bounds_(bounds), constraints_(std::move(constraints)), keeper_(keeper) {}
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

  // What was kept, without being checked or kept again. Before anybody else has the set. hold: of take(); empty: it
  // counts for nobody.
  void restore(std::string name, Item&& item, Hold hold = {});
  // What a property takes in memory, for the client whose request is served. NO_RESOURCES. Empty: nothing is counted.
  Hold take(std::string_view name, const Item& item) const;
  // The same at any time, if newer() says so, under the set's lock. Nothing: deleted.
  void adopt(std::vector<std::pair<std::string, std::optional<Item>>>&& changes, const std::function<bool()>& newer);

  // The servant's own property, which clients may read alone: defined, or changed, whatever was there. Not kept.
  void define_own(const std::string& name, const CORBA::Any& value);

  // mode: nothing: the one that it has, that the constraints say, or normal.
  void define(const char* name, const CORBA::Any& value, std::optional<Mode> mode = {});
  void define(const CosPropertyService::Properties& all);
  void define(const CosPropertyService::PropertyDefs& all);
  void remove(const char* name);
  void remove(const CosPropertyService::PropertyNames& names);
  // Those that are not fixed; false: there were others.
  bool remove_all();

  std::size_t size() const { return size_.load(std::memory_order_relaxed); }  // without the lock
  CORBA::Any* value(const char* name) const;
  bool has(const char* name) const;
  // False: some of them are not there; their values are of tk_void.
  bool values(const CosPropertyService::PropertyNames& names, CosPropertyService::Properties& out) const;
  std::vector<std::string> names() const;
  std::vector<std::pair<std::string, CORBA::Any>> all() const;

  Mode mode(const char* name) const;
  // False: some of them are not there; their modes are undefined.
  bool modes(const CosPropertyService::PropertyNames& names, CosPropertyService::PropertyModes& out) const;
  void set_mode(const char* name, Mode mode);
  void set_modes(const CosPropertyService::PropertyModes& all);

  const Constraints& constraints() const { return constraints_; }

 private:
  struct Kept {
    Item item;
    Hold held;
  };
  using Items = std::map<std::string, Kept, std::less<>>;
  class Batch;
  using Refused = std::vector<std::pair<CORBA::ULong, Reason>>;
  using Each = std::function<std::optional<Reason>(CORBA::ULong, Batch&)>;

  // Does each(0) ... each(n - 1) and keeps what they change; those that were refused. Lets the lock go between
  // portions. Throws TRANSIENT where others change the set all the time, for kPatience; NO_RESOURCES after kLongest.
  Refused change(CORBA::ULong n, const Each& each);
  // Whether others may have changed what the set has: then they have been heard.
  bool hear_others() const;
  bool is_name(std::string_view name) const { return !name.empty() && name.size() <= bounds_.name_bytes; }
  std::optional<Reason> may_have(std::string_view name, CORBA::TypeCode_ptr type, std::optional<Mode> mode) const;
  // Each of these adds its change to the batch, or says why not. Under the lock.
  std::optional<Reason> define(std::string_view name, const CORBA::Any& value, std::optional<Mode> mode, Batch& batch,
                               bool alone);
  std::optional<Reason> remove(std::string_view name, Batch& batch);
  std::optional<Reason> change_mode(std::string_view name, Mode mode, Batch& batch);
  const Item* find(std::string_view name) const;
  std::size_t cost(std::string_view name, const Item& item) const;
  Item get(const char* name) const;

  const Bounds bounds_;
  const Constraints constraints_;
  Keeper* const keeper_;
  // Guards what follows; held while changes are kept, so that these keep their order.
  mutable services::FairSharedMutex mutex_;
  Items items_;
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> size_{0};  // of items_
};

// The exception of an operation on one property.
[[noreturn]] void raise(Reason reason);

}  // namespace callis::properties
