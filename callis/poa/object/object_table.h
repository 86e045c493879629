// SPDX-License-Identifier: Apache-2.0
// ObjectTable: every active object of one ORB, found from its key without a lock and without a copy.
//
//   chunks ──→ [Slot 0..63] [Slot 64..127] [Slot 128..255] ...     addresses never change
//   pages  ──→ the first of each 64 slots: from a number to its slot in two loads
//   Slot (one cache line) = word | servant, its table, its adapter | key, hash, next in bucket
//   word = generation:32 | state:8 | pins:24                         one atomic
//
//   Free ──activate──→ Active ──deactivate──→ Draining ──last pin gone──→ Reaping ──release──→ Free, generation + 1
//
// A System key says {slot, generation}: enter() is a bounds test, a note in the thread's own record
// (orb/base/pins.h), one load and one comparison. Objects whose ids the application chose are found by hashing their
// whole key: buckets are chains through the slots themselves. Slots are never given back to the heap before the table
// ends. So a reader may wander onto another chain but never into freed memory. A reader compares the key under the
// pin. If a reader finds nothing while a writer is at work, the result is unsure, and the caller looks again under
// the lock.
//
// A pin keeps the activation: servant, adapter and key stay valid, and its deactivation waits. A pin attempt on the
// wrong generation is also noted and taken away; every transition tolerates such notes. Pins are counted in the word
// only when a thread has more at once than its record has room for.
//
// Any thread may call enter(), find() and leave(); everything else is called under the owner's one lock. Nothing
// throws.
#pragma once
#include <callis/base/bytes.h>
#include <callis/orb/base/pins.h>
#include <atomic>
#include <bit>
#include <memory>
#include <new>

namespace PortableServer::inline callis_orb {
class ServantBase;
}

namespace callis::poa {

class Adapter;
struct Skeleton;

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

enum class SlotState : std::uint8_t { Free, Active, Draining, Reaping };

struct alignas(64) Slot {
  std::atomic<std::uint64_t> word{0};
  // Written while Free or Reaping, read under a pin or the lock.
  PortableServer::ServantBase* servant = nullptr;
  void* self = nullptr;                // the thunks' first argument
  const Skeleton* skeleton = nullptr;
  Adapter* adapter = nullptr;
  std::unique_ptr<Byte[]> key;         // null: none in the index
  std::uint32_t key_bytes = 0;         // 0: the System key of adapter, slot and generation leads here; see kHidden
  std::uint32_t adapter_tag = 0;
  std::atomic<std::uint32_t> hash{0};
  std::atomic<std::uint32_t> next{kNoSlot};  // in the bucket, or in the list of free slots

  std::uint32_t generation() const { return static_cast<std::uint32_t>(word.load(std::memory_order_acquire) >> 32); }
  SlotState state() const { return static_cast<SlotState>(word.load(std::memory_order_acquire) >> 24 & 0x7f); }
  static constexpr std::uint32_t kHidden = 0x80000000, kIncarnated = 0x40000000;  // see Activation
  ByteView key_view() const { return {key.get(), key_bytes & ~(kHidden | kIncarnated)}; }
  // Whether the System key of that adapter leads here. One comparison covers both numbers.
  bool is_of_system_key(std::uint32_t tag) const {
    return ((key_bytes | std::uint64_t{adapter_tag} << 32) ^ std::uint64_t{tag} << 32) == 0;
  }
  bool hidden() const { return (key_bytes & kHidden) != 0; }
  bool incarnated() const { return (key_bytes & kIncarnated) != 0; }
};
static_assert(sizeof(void*) != 8 || sizeof(Slot) == 64);

// The contents that a new activation puts into its slot.
struct Activation {
  PortableServer::ServantBase* servant;
  void* self;
  const Skeleton* skeleton;
  Adapter* adapter;
  std::uint32_t adapter_tag;
  // Slot::kHidden: the activation stands for an adapter's missing objects, and only find_hidden() leads here.
  // Slot::kIncarnated: a ServantActivator's incarnate() has returned the servant. Both need a key.
  std::uint32_t flags = 0;
};

class ObjectTable final {
 public:
  // drained() is called by leave(), without the lock, in the thread that let go of an activation's last pin. The slot
  // is Reaping, and belongs to the callee alone until the callee calls release(). idle() is called when the last pin
  // of a watched slot has gone.
  class Owner {
   public:
    virtual void drained(std::uint32_t slot) noexcept = 0;
    virtual void idle() noexcept = 0;

   protected:
    ~Owner() = default;
  };

  // Two secrets, so that a client that chooses ids cannot choose colliding ids.
  explicit ObjectTable(Owner& owner, std::uint64_t hash_seed = 0, std::uint64_t hash_factor = 0x9e3779b97f4a7c15u)
      : owner_(owner), hash_seed_(hash_seed), hash_factor_(hash_factor | 1) {}
  ~ObjectTable();
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  // Pins the activation. Returns nullptr if it is not active. slot and generation may have any value.
  Slot* enter(std::uint32_t slot, std::uint32_t generation) {
    if (slot >= size_.load(std::memory_order_acquire)) return nullptr;
    return pin(slot_at(slot), generation);
  }
  // Notes a pin of slot < size() in a record that takes_two(). leave() must follow, whether or not the note
  // pins_plainly().
  Slot& note(std::uint32_t slot, orb::PinRecord& record) {
    Slot& s = slot_at(slot);
    record.note_at(record.depth, &s);
    return s;
  }
  // Whether a note pins that activation: its slot is active, and nobody watches it or has counted a pin.
  static bool pins_plainly(const Slot& slot, std::uint32_t generation) {
    return slot.word.load(std::memory_order_seq_cst) == word_of(generation, SlotState::Active);
  }
  // The same for any note.
  static bool pins(const Slot& slot, std::uint32_t generation) {
    return (slot.word.load(std::memory_order_seq_cst) & ~(kPins | kWatched)) ==
           word_of(generation, SlotState::Active);
  }
  // The same for a slot of this table that has been found before, with an activation of that generation.
  Slot* enter(Slot& slot, std::uint32_t generation) { return pin(slot, generation); }
  // Pins the activation whose stored key equals key.
  struct Found {
    Slot* slot;   // pinned, or nullptr
    bool unsure;  // with nullptr: a writer was at work
  };
  Found find(ByteView key) { return find(key, 0); }
  // The same, by comparison with one slot after the other.
  Found find_linear(ByteView key);
  // The same as find() for a hidden activation.
  Found find_hidden(ByteView key) {
    if (hidden_.load(std::memory_order_acquire) == 0) return {nullptr, false};
    return find(key, Slot::kHidden);
  }
  // Pins of one thread are let go in the reverse order of their making.
  void leave(Slot* slot) {
    orb::PinRecord* const mine = orb::pin_record;
    if (!mine) [[unlikely]] return leave_counted(*slot);
    const std::uint32_t top = mine->depth - 1;
    if (!mine->is_plain(top) || !mine->is_at(top, slot)) [[unlikely]] return leave_otherwise(*mine, *slot);
    mine->clear_at(top);
    const std::uint64_t now = slot->word.load(std::memory_order_seq_cst);
    if ((now & (kStateBits | kWatched)) != word_of(0, SlotState::Active)) [[unlikely]] left(*slot, now);
  }
  // Keeps a note at that depth of a record as long as it lives. The record has room. The slot may have another
  // generation.
  class NotedAt final {
   public:
    NotedAt(ObjectTable& table, orb::PinRecord& record, std::uint32_t depth, Slot& slot)
        : table_(table), record_(record), depth_(depth), slot_(slot) {
      record.note_at(depth, &slot);
    }
    ~NotedAt() {
      record_.clear_at(depth_);
      const std::uint64_t now = slot_.word.load(std::memory_order_seq_cst);
      if ((now & (kStateBits | kWatched)) != word_of(0, SlotState::Active)) [[unlikely]] table_.left(slot_, now);
    }
    NotedAt(const NotedAt&) = delete;
    NotedAt& operator=(const NotedAt&) = delete;
    bool pins(std::uint32_t generation) const { return ObjectTable::pins(slot_, generation); }

   private:
    ObjectTable& table_;
    orb::PinRecord& record_;
    const std::uint32_t depth_;
    Slot& slot_;
  };
  std::uint32_t index_of(const Slot* slot) const;

  // --- under the lock ---

  // Takes a free slot and makes it Active. An object with an empty key is found by slot and generation. Returns
  // kNoSlot if memory or slots are exhausted.
  std::uint32_t activate(const Activation& activation, ByteView key);
  // Uses up one generation of a slot, which names no activation: ids for references without a servant.
  bool reserve(std::uint32_t& slot, std::uint32_t& generation);
  // Whether {slot, generation} was once given out by activate() or reserve().
  bool issued(std::uint32_t slot, std::uint32_t generation) const;

  // Changes the slot from Active to Draining. Returns true if there was no pin: the slot is Reaping and the caller
  // must release() it. Otherwise drained() will be called. The slot must be Active.
  bool deactivate(std::uint32_t slot);
  // Changes the slot from Reaping to Free.
  void release(std::uint32_t slot);
  // Whether the slot has no pin now. If it has pins, idle() will be called when the last has gone.
  bool watch(std::uint32_t slot);
  // Whether a thread is in one of the slots for which belong(slot) is true. If so, such a slot is watched. Sees every
  // pin whose maker has not seen the caller's earlier writes.
  template <class F>
  bool any_pinned(F belongs);
  // Whether some thread has pinned the slot now.
  bool pinned(const Slot& slot) const;

  // Like find(), but always certain. The slot may be Active or Draining, and is not pinned. Returns kNoSlot if there
  // is none.
  std::uint32_t lookup(ByteView key) const;
  // The slot, not pinned; nullptr if the number is out of bounds.
  Slot* at(std::uint32_t slot) const;
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  std::uint32_t active() const { return active_; }  // slots not Free

 private:
  static constexpr std::uint32_t kFirstChunk = 64;  // a page, too
  static constexpr int kChunks = 26;  // 64 + 64 + 128 + ... = 2^31 slots
  struct Buckets {
    explicit Buckets(std::uint32_t n);
    std::uint32_t mask;
    std::unique_ptr<std::atomic<std::uint32_t>[]> heads;
    std::unique_ptr<Buckets> smaller;  // readers may still be in it
  };
  // The same of the pages.
  struct Pages {
    explicit Pages(std::uint32_t n) : room(n), first(new (std::nothrow) Slot*[n]) {}
    const std::uint32_t room;
    std::unique_ptr<Slot*[]> first;
    std::unique_ptr<Pages> smaller;
  };

  // The parts of a slot's word.
  static constexpr std::uint64_t kPins = 0xffffff;
  static constexpr std::uint64_t kStateBits = std::uint64_t{0x7f} << 24;
  static constexpr std::uint64_t kWatched = std::uint64_t{0x80} << 24;
  static constexpr std::uint64_t word_of(std::uint32_t generation, SlotState state) {
    return std::uint64_t{generation} << 32 | std::uint64_t{static_cast<std::uint8_t>(state)} << 24;
  }

  Slot& slot_at(std::uint32_t i) const {
    return pages_.load(std::memory_order_acquire)[i / kFirstChunk][i % kFirstChunk];
  }
  Found find(ByteView key, std::uint32_t hidden);
  Slot* pin(Slot& slot, std::uint32_t generation) {
    const std::uint64_t want = word_of(generation, SlotState::Active);
    // The word is read first: then a holder of the lock, under which an Active slot stays Active, never has to take a
    // note away.
    if ((slot.word.load(std::memory_order_relaxed) & ~(kPins | kWatched)) != want) [[unlikely]] return nullptr;
    orb::PinRecord* const mine = orb::pin_record;
    if (!mine || mine->depth == orb::PinRecord::kDepth) [[unlikely]] return pin_otherwise(slot, generation);
    return pin_noted(*mine, slot, want);
  }
  Slot* pin_noted(orb::PinRecord& mine, Slot& slot, std::uint64_t want) {
    mine.note(&slot);
    mine.keep();
    if ((slot.word.load(std::memory_order_seq_cst) & ~(kPins | kWatched)) == want) [[likely]] return &slot;
    return unpin(slot);
  }
  Slot* unpin(Slot& slot);  // returns nullptr
  Slot* pin_otherwise(Slot& slot, std::uint32_t generation);
  void leave_otherwise(orb::PinRecord& record, Slot& slot);
  void leave_counted(Slot& slot);
  void left(Slot& slot, std::uint64_t word);
  bool reap(Slot& slot);
  bool noted(const Slot& slot) const;
  bool grow();
  Pages* make_room_in_pages(std::uint32_t n);
  bool make_room_in_buckets();
  void link(std::uint32_t slot, std::uint32_t hash);
  void unlink(std::uint32_t slot);
  std::uint32_t pop_free();

  std::uint32_t hash_of(ByteView key) const;

  Owner& owner_;
  const std::uint64_t hash_seed_, hash_factor_;
  std::atomic<std::uint32_t> size_{0};
  std::atomic<Slot* const*> pages_{nullptr};
  std::atomic<Slot*> chunks_[kChunks] = {};
  std::unique_ptr<Pages> all_pages_;
  std::atomic<Buckets*> buckets_{nullptr};
  std::unique_ptr<Buckets> all_buckets_;
  std::atomic<std::uint64_t> version_{0};  // of the chains; odd while a writer is at work
  std::atomic<std::uint32_t> hidden_{0};  // activations
  std::uint32_t free_ = kNoSlot;
  std::uint32_t keyed_ = 0;
  std::uint32_t active_ = 0;
};

template <class F>
bool ObjectTable::any_pinned(F belongs) {
  orb::heavy_barrier();
  bool any = false;
  orb::for_each_note([&](const void* noted) {
    const std::uint32_t i = index_of(static_cast<const Slot*>(noted));
    if (!any && i != kNoSlot && belongs(slot_at(i)) && !watch(i)) any = true;
  });
  for (std::uint32_t i = 0; !any && i < size(); ++i)
    any = (slot_at(i).word.load(std::memory_order_seq_cst) & kPins) != 0 && belongs(slot_at(i)) && !watch(i);
  return any;
}

}  // namespace callis::poa
