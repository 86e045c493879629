// SPDX-License-Identifier: Apache-2.0
// Model: all definitions of a repository, in memory, and the rules that they keep. One thread at a time.
//
//   begin() ── create(), edit(), remove() ──┬─→ commit(): the changes are handed to a Store first, which may refuse
//                                           └─→ rollback(): all is as it was at begin()
//
// Long changes are made in an overlay, while others read: a model of its own that sees another one's definitions.
//
//   overlay ── create(), edit() ──→ base.prepare(overlay): asks the store ──→ base.adopt(overlay), in portions
//
// What a caller may not do is a system exception with the OMG's minor code (BAD_PARAM 2 to 6, 15 to 20 and 31,
// BAD_INV_ORDER 1 and 2), or IMP_LIMIT; the change must be rolled back then.
#pragma once
#include <callis/corba.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <services/ifr/definition.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace callis::ifr {

// What one repository may hold.
struct Bounds {
  std::size_t definitions = 1'000'000;
  std::size_t bytes = std::size_t{1} << 30;  // of all definitions in memory, roughly
  std::size_t name_bytes = 1024;  // of names and versions
  std::size_t id_bytes = 4096;
  std::size_t members = 65'536;       // of one definition: members, parameters, bases ...
  std::size_t value_bytes = 1 << 20;  // of a constant or a label
  std::size_t answers = 100'000;      // definitions in the answer to one question
  std::size_t depth = 64;             // of containers in each other
  std::chrono::milliseconds time{20'000};  // that one change may take
};

// Where changes go before they count. A Store that throws has kept none of them.
class Store {
 public:
  virtual ~Store() = default;
  // changed: new ones, too. next: the number that comes next.
  virtual void write(const std::vector<const Definition*>& changed, const std::vector<Number>& removed,
                     Number next) = 0;
};

class Model {
 public:
  // memory: definitions are taken from it, for the client whose request makes them; nullptr: they are not counted.
  // It outlives this.
  explicit Model(const Bounds& bounds = {}, services::MemoryBound* memory = nullptr);
  // An overlay. create(), anonymous(), edit() and check() alone, by one thread; nobody changes base meanwhile. Both
  // outlive it. What takes longer than `time` is NO_RESOURCES.
  Model(const Model& base, services::OperationTime& time);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // --- reading ---

  // nullptr: there is none, or it has been destroyed.
  const Definition* find(Number number) const;
  const Definition& at(Number number) const;  // OBJECT_NOT_EXIST
  // kNone: no such.
  Number by_id(std::string_view id) const;
  Number in_container(Number container, std::string_view name) const;
  Number primitive(std::uint32_t kind) const { return kFirstPrimitive + kind; }
  // "::A::B"; "" of what has no name.
  std::string absolute_name(const Definition& d) const;
  // Bases of an interface or a value, direct or not, and what values support: each once; `d` itself not included.
  std::vector<Number> ancestors(const Definition& d) const;
  bool is_a(const Definition& d, std::string_view id) const;
  // What it contains; what it inherits, too, where that is asked for.
  std::vector<Number> contents(const Definition& d, bool inherited) const;
  // By the rules of scopes: "::A::b" from the repository, "A::b" from here outwards. kNone: no such.
  Number lookup(const Definition& from, std::string_view scoped_name) const;
  // Counts changes: what was derived from another generation is out of date.
  std::uint64_t generation() const { return generation_; }
  std::size_t size() const { return (base_ ? base_->size() : 0) + all_.size() - copied_; }
  // That the definitions take, roughly.
  std::size_t bytes() const { return bytes_; }
  const std::unordered_map<Number, Definition>& all() const { return all_; }

  // --- changing ---

  void begin();
  // `d` without number. Checks its names, its container, and what it refers to.
  Number create(Definition d);
  // An anonymous type; the number of the same one where there is one.
  Number anonymous(Definition d);
  // To be changed by the caller, who then calls check(). Not id, name, version and container; not anonymous types,
  // which several definitions may use.
  Definition& edit(Number number);
  // In place of an anonymous type, for the definition that has it: BAD_INV_ORDER where several have. Checks it.
  void set_anonymous(Number number, Definition changed);
  // Whether the definition keeps the rules as it is now; the exception otherwise.
  void check(Number number) const;
  // With all that it contains. Nothing that stays may refer to it.
  // checked: check_removable() has been called, and nothing has changed since.
  void remove(Number number, bool checked = false);
  void rename(Number number, Number container, std::string name, std::string version);
  void set_id(Number number, std::string id);
  // Asks the store, if there is one, and then keeps what has been changed. What the store throws: nothing has
  // changed. IMP_LIMIT: the definitions have become more bytes than may be.
  void commit(Store* store);
  void rollback();
  // The overlay's definitions are stored, as commit() does; others may read this meanwhile, and nobody changes it.
  void prepare(Model& overlay, Store* store);
  // Then they become this one's, a portion with each call, until it returns true. Nobody reads within a call.
  bool adopt(Model& overlay);
  // Throws what remove() would. Others may read meanwhile.
  void check_removable(Number number) const;
  // --- from a store ---

  // All at once, before anything else. What is wrong with them; empty: nothing.
  std::string load(std::vector<Definition> stored, Number next);
  const Bounds& bounds() const { return bounds_; }

 private:
  std::string key(Number container, std::string_view name) const;
  void index(const Definition& d);
  void unindex(const Definition& d);
  void save(Number number);
  Definition& own(Number number);
  // A step of long work.
  void step() const {
    if (time_) time_->step();
  }
  std::vector<Number> take_memory(const std::vector<const Definition*>& changed);
  // With more_ and less_. Throws, and nothing has changed.
  void store(Store* store, const std::vector<const Definition*>& changed, const std::vector<Number>& removed,
             Number next);
  std::vector<Number> going_with(Number number, std::unordered_set<Number>& gone) const;
  void check_names(const Definition& d) const;
  void check_place(const Definition& d) const;
  void check_parts(const Definition& d) const;
  void check_cycles(const Definition& d) const;
  void check_inherited(const Definition& d) const;
  bool leads_back(const Definition& d, bool through_sequences) const;
  std::vector<Number> bases_of(const Definition& d) const;

  const Bounds bounds_;
  const Model* const base_ = nullptr;  // of an overlay
  std::size_t copied_ = 0;             // of base_'s, since they are changed
  std::vector<Definition> changed_;    // these, after prepare()
  services::OperationTime* time_ = nullptr;
  std::optional<services::OperationTime> own_time_;
  services::MemoryBound* const memory_ = nullptr;
  std::unordered_map<Number, services::MemoryBound::Hold> held_;  // of what clients have made
  services::MemoryBound::Hold loaded_;                            // of what was there at the start
  Number loaded_until_ = kFirstCreated;
  std::unordered_map<Number, Definition> all_;
  std::unordered_map<std::string, Number> by_id_;
  std::unordered_map<std::string, Number> by_name_;       // container and name, without case
  std::unordered_map<std::string, Number> by_structure_;  // anonymous types
  Number next_ = kFirstCreated;
  std::uint64_t generation_ = 0;
  std::size_t bytes_ = 0;
  std::size_t more_ = 0, less_ = 0;  // bytes of what a change has, and of what it replaces

  bool changing_ = false;
  Number next_before_ = 0;
  std::map<Number, std::optional<Definition>> before_;  // nothing: it was not there
};

// Makes all changes of its life count, or none: rolls back where commit() has not been called.
class Change {
 public:
  explicit Change(Model& model) : model_(model) { model_.begin(); }
  ~Change() {
    if (!done_) model_.rollback();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  void commit(Store* store) {
    model_.commit(store);
    done_ = true;
  }

 private:
  Model& model_;
  bool done_ = false;
};

// Whether IDL can have it as a name.
bool is_identifier(std::string_view name);
// "IDL:A/b:1.0", or of another format.
bool is_repository_id(std::string_view id);

}  // namespace callis::ifr
