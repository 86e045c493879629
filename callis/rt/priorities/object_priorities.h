// SPDX-License-Identifier: Apache-2.0
// ObjectPriorities: the objects of one ORB that have a priority of their own (RTPortableServer::POA), found by the
// object key in a request.
//
//   find()       any thread, without a lock and without waiting: upcalls' threads look here
//   set() ...    one after the other, under a mutex
//
//   table_ ──→ Table [Entry | Entry | ...]      an entry is written once, then read, then dead
//   old_   ──→ tables that a reader may still be in; freed when no reader is in any
//
// Two keys are the same if they differ only in the hint that they may carry (-ORBObjectLookup hint). The key of an
// active object counts until the object's deactivation. The key of a reference without an active object counts until
// the end of its adapter. So the number of active objects, and kMostReferences, bound the table.
#pragma once
#include <callis/base/bytes.h>
#include <callis/idl/RTCORBA.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace callis::poa {
struct Slot;
}

namespace callis::rt {

class ObjectPriorities final {
 public:
  static constexpr std::size_t kMostReferences = 65536;  // without an active object

  ObjectPriorities();
  ~ObjectPriorities();
  ObjectPriorities(const ObjectPriorities&) = delete;
  ObjectPriorities& operator=(const ObjectPriorities&) = delete;

  // Tells how long a key counts.
  struct Life {
    const void* adapter = nullptr;    // until forget_adapter()
    const poa::Slot* slot = nullptr;  // and while that activation is in it; nullptr: no matter. Outlives this
    std::uint32_t generation = 0;
  };
  // Instead of what was set for the key before. NO_RESOURCES for too many; std::bad_alloc: nothing has changed.
  void set(ByteView object_key, RTCORBA::Priority priority, const Life& life);
  void set(ByteView object_key, RTCORBA::Priority priority) { set(object_key, priority, {}); }
  void forget(ByteView object_key);
  void forget_adapter(const void* adapter);

  // object_key: from the peer.
  std::optional<RTCORBA::Priority> find(ByteView object_key) const;
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  // Returns the number of kept entries, some of which may count no more.
  std::size_t size() const { return count_.load(std::memory_order_acquire); }

 private:
  struct Entry;
  struct Last;
  struct Table;
  struct Pieces;

  // Called by writers. Returns nullptr for none.
  Entry* find_entry(const Pieces& key) const;
  void kill(Entry& entry);
  void make_room();
  void free_old();

  std::atomic<std::uint64_t> version_;  // another one after each change
  std::atomic<Table*> table_{nullptr};
  mutable std::atomic<std::uint32_t> readers_{0};
  std::atomic<std::size_t> count_{0};
  std::size_t references_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Table>> old_;
};

}  // namespace callis::rt
