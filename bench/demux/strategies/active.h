// SPDX-License-Identifier: Apache-2.0
// Strategies whose keys are made when an entry becomes active and end with it: callis's object table, and
// operations by slot. Tables as in tables.h; besides, retire(i) ends entry i: its key is stale from then on and
// leads nowhere, also when the place has a new entry. activate(i) makes it active again, with a new key.
//
// Threads: find() any.
#pragma once
#include <callis/poa/object/key.h>
#include <callis/poa/object/object_table.h>
#include "tables.h"

namespace bench::demux {

inline callis::ByteView bytes_of(std::string_view s) {
  return {reinterpret_cast<const callis::Byte*>(s.data()), s.size()};
}

// callis's ObjectTable, with no adapters around it.
class ObjectTableOwner : public callis::poa::ObjectTable::Owner {
 protected:
  callis::poa::ObjectTable table_{*this};
  void drained(std::uint32_t slot) noexcept override { table_.release(slot); }
  void idle() noexcept override {}
  void retire_slot(std::uint32_t slot) {
    if (table_.deactivate(slot)) table_.release(slot);
  }
};

// System keys: slot and generation, found in one step, whatever the adapters above are called.
template<class T>
class SlotTable final : private ObjectTableOwner {
 public:
  SlotTable(const Names& names, T* first) : first_(first), ids_(names.size()) {
    for (std::size_t i = 0; i < ids_.size(); ++i) activate(i);
  }
  std::string key(std::size_t i) const {
    callis::Byte key[callis::poa::kSystemKeyBytes];
    prefix_.build(ids_[i], key);
    return {reinterpret_cast<const char*>(key), sizeof key};
  }
  // As the registry of the adapters does; the pin is given back at once.
  T* find(std::string_view key) {
    callis::poa::SystemId id;
    if (!prefix_.parse(bytes_of(key), id)) return nullptr;
    callis::poa::Slot* const slot = table_.enter(id.slot, id.generation);
    if (!slot) return nullptr;
    T* const found = slot->adapter_tag == id.adapter && slot->key_bytes == 0 ? static_cast<T*>(slot->self) : nullptr;
    table_.leave(slot);
    return found;
  }
  void retire(std::size_t i) { retire_slot(ids_[i].slot); }
  void activate(std::size_t i) {
    const std::uint32_t slot = table_.activate({nullptr, first_ + i, nullptr, nullptr, kTag}, {});
    if (slot == callis::poa::kNoSlot) throw std::bad_alloc();
    ids_[i] = {kTag, slot, table_.at(slot)->generation()};
  }

 private:
  static constexpr std::uint32_t kTag = 0x10000;  // of the one adapter
  T* const first_;
  const callis::poa::SystemKeyPrefix prefix_{callis::poa::draw_nonce()};
  std::vector<callis::poa::SystemId> ids_;
};

// Ids that the application chose, in the index of the same table: hashed once, compared under a pin.
template<class T>
class KeyedTable final : private ObjectTableOwner {
 public:
  KeyedTable(const Names& names, T* first) : names_(names) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::uint32_t slot = table_.activate({nullptr, first + i, nullptr, nullptr, 0}, bytes_of(names_[i]));
      if (slot == callis::poa::kNoSlot) throw std::bad_alloc();
    }
  }
  std::string key(std::size_t i) const { return names_[i]; }
  T* find(std::string_view key) {
    callis::poa::Slot* const slot = table_.find(bytes_of(key)).slot;
    if (!slot) return nullptr;
    T* const found = static_cast<T*>(slot->self);
    table_.leave(slot);
    return found;
  }

 private:
  const Names names_;
};

// Operations by slot and generation: what a client was told beforehand and sends in the place of a name.
template<class T>
class ActiveOperations {
 public:
  ActiveOperations(const Names& names, T* first) {
    for (std::size_t i = 0; i < names.size(); ++i) slots_.push_back({first + i, first + i, 1});
  }
  std::string key(std::size_t i) const {
    const std::uint32_t key[2] = {static_cast<std::uint32_t>(i), slots_[i].generation};
    return {reinterpret_cast<const char*>(key), sizeof key};
  }
  T* find(std::string_view key) const {
    std::uint32_t id[2];
    if (key.size() != sizeof id) return nullptr;
    std::memcpy(id, key.data(), sizeof id);
    if (id[0] >= slots_.size() || slots_[id[0]].generation != id[1]) return nullptr;
    return slots_[id[0]].target;
  }
  void retire(std::size_t i) {
    slots_[i].target = nullptr;
    ++slots_[i].generation;
  }
  void activate(std::size_t i) { slots_[i].target = slots_[i].own; }

 private:
  struct Slot {
    T *target, *own;
    std::uint32_t generation;
  };
  std::vector<Slot> slots_;
};

}  // namespace bench::demux
