// SPDX-License-Identifier: Apache-2.0
// ObjectTable: every active object of one ORB, found from its key without a lock and without a copy.
//
//   chunks ──→ [Slot 0..63] [Slot 64..127] [Slot 128..255] ...     addresses never change
//   Slot (one cache line) = word | servant, its table, its adapter | key, hash, next in bucket
//   word = generation:32 | state:8 | pins:24                         one atomic
//
//   Free ──activate──→ Active ──deactivate──→ Draining ──last pin gone──→ Reaping ──release──→ Free, generation + 1
//
// A System key says {slot, generation}: enter() is a bounds test, one load, one atomic add and one comparison.
// Objects whose ids the application chose are found by hashing their whole key: buckets are chains through
// the slots themselves. Because slots are never given back to the heap before the table ends, a reader may
// wander onto another chain but never into freed memory; what it pins, it compares under the pin; and when it
// finds nothing while a writer was at work it says Unsure, and the caller looks again under the lock.
//
// A pin keeps the activation: servant, adapter and key stay valid, and its deactivation waits. A pin attempt
// on the wrong generation adds and takes away a count too; every transition tolerates that.
//
// Threads: enter(), find() and leave() any; all else under the owner's one lock. Nothing throws.
#pragma once
#include <callis/base/bytes.h>
#include <atomic>
#include <bit>
#include <memory>

namespace PortableServer {
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
  void* self = nullptr;                // what the thunks take
  const Skeleton* skeleton = nullptr;
  Adapter* adapter = nullptr;
  std::unique_ptr<Byte[]> key;         // null: none in the index
  std::uint32_t key_bytes = 0;         // 0: the System key of adapter, slot and generation leads here
  std::uint32_t adapter_tag = 0;
  std::atomic<std::uint32_t> hash{0};
  std::atomic<std::uint32_t> next{kNoSlot};  // in the bucket, or in the list of free slots

  std::uint32_t generation() const { return static_cast<std::uint32_t>(word.load(std::memory_order_acquire) >> 32); }
  SlotState state() const { return static_cast<SlotState>(word.load(std::memory_order_acquire) >> 24 & 0x7f); }
  std::uint32_t pins() const { return static_cast<std::uint32_t>(word.load(std::memory_order_acquire) & 0xffffff); }
  ByteView key_view() const { return {key.get(), key_bytes}; }
  bool hidden() const { return key_bytes != 0 && !key; }  // see Activation
};
static_assert(sizeof(void*) != 8 || sizeof(Slot) == 64);

// What a new activation puts into its slot.
struct Activation {
  PortableServer::ServantBase* servant;
  void* self;
  const Skeleton* skeleton;
  Adapter* adapter;
  std::uint32_t adapter_tag;
  bool hidden = false;  // no key leads here: only its adapter enters the slot
};

class ObjectTable final {
 public:
  // Called by leave() in the thread that let go of an activation's last pin, without the lock; the slot is
  // Reaping and the callee's alone until it calls release(). Also called (idle) when the last pin of a
  // watched slot went.
  class Owner {
   public:
    virtual void drained(std::uint32_t slot) noexcept = 0;
    virtual void idle() noexcept = 0;

   protected:
    ~Owner() = default;
  };

  // hash_seed: a secret, so that whoever chooses ids cannot choose colliding ones.
  explicit ObjectTable(Owner& owner, std::uint64_t hash_seed = 0) : owner_(owner), hash_seed_(hash_seed) {}
  ~ObjectTable();
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  // Pins the activation, or nullptr when it is not active. Slot and generation may be anything.
  Slot* enter(std::uint32_t slot, std::uint32_t generation) {
    if (slot >= size_.load(std::memory_order_acquire)) return nullptr;
    return pin(slot_at(slot), generation);
  }
  // The same for a slot of this table found before; the activation with that generation was in it then.
  Slot* enter(Slot& slot, std::uint32_t generation) { return pin(slot, generation); }
  // Pins the activation whose stored key equals key.
  struct Found {
    Slot* slot;   // pinned, or nullptr
    bool unsure;  // with nullptr: a writer was at work
  };
  Found find(ByteView key);
  void leave(Slot* slot) {
    const std::uint64_t before = slot->word.fetch_sub(1, std::memory_order_seq_cst);
    if ((before & kPins) == 1 && (before & (kStateBits | kWatched)) != word_of(0, SlotState::Active)) [[unlikely]]
      leave_last(*slot, before);
  }
  std::uint32_t index_of(const Slot* slot) const;

  // --- under the lock ---

  // Takes a free slot and makes it Active. key empty: found by slot and generation. kNoSlot when memory or
  // slots are exhausted.
  std::uint32_t activate(const Activation& activation, ByteView key);
  // Uses up one generation of a slot, which names no activation: ids for references without a servant.
  bool reserve(std::uint32_t& slot, std::uint32_t& generation);
  // Whether {slot, generation} was once given out by activate() or reserve().
  bool issued(std::uint32_t slot, std::uint32_t generation) const;

  // Active -> Draining. True when there was no pin: the slot is Reaping and the caller must release() it.
  // Otherwise drained() will be called. The slot must be Active.
  bool deactivate(std::uint32_t slot);
  // Reaping -> Free.
  void release(std::uint32_t slot);
  // Whether the slot has no pin now; if it has, idle() will be called after the last has gone.
  bool watch(std::uint32_t slot);

  // As find(), but certain. The slot may be Active or Draining; not pinned. kNoSlot for none.
  std::uint32_t lookup(ByteView key) const;
  // Not pinned. nullptr out of bounds.
  Slot* at(std::uint32_t slot) const;
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  std::uint32_t active() const { return active_; }  // slots not Free

 private:
  static constexpr std::uint32_t kFirstChunk = 64;
  static constexpr int kChunks = 26;  // 64 + 64 + 128 + ... = 2^31 slots
  struct Buckets {
    explicit Buckets(std::uint32_t n);
    std::uint32_t mask;
    std::unique_ptr<std::atomic<std::uint32_t>[]> heads;
    std::unique_ptr<Buckets> smaller;  // readers may still be in it
  };

  // The parts of a slot's word.
  static constexpr std::uint64_t kPins = 0xffffff;
  static constexpr std::uint64_t kStateBits = std::uint64_t{0x7f} << 24;
  static constexpr std::uint64_t kWatched = std::uint64_t{0x80} << 24;
  static constexpr std::uint64_t word_of(std::uint32_t generation, SlotState state) {
    return std::uint64_t{generation} << 32 | std::uint64_t{static_cast<std::uint8_t>(state)} << 24;
  }

  Slot& slot_at(std::uint32_t i) const {
    const auto chunk = static_cast<unsigned>(std::bit_width(i / kFirstChunk));
    const std::uint32_t first = chunk == 0 ? 0 : kFirstChunk << (chunk - 1);
    return chunks_[chunk].load(std::memory_order_acquire)[i - first];
  }
  Slot* pin(Slot& slot, std::uint32_t generation) {
    const std::uint64_t want = word_of(generation, SlotState::Active);
    // Looked at first, so that stale and forged keys do not write to the line.
    if ((slot.word.load(std::memory_order_relaxed) & ~(kPins | kWatched)) != want) [[unlikely]] return nullptr;
    const std::uint64_t before = slot.word.fetch_add(1, std::memory_order_seq_cst);
    if ((before & ~(kPins | kWatched)) == want) [[likely]] return &slot;
    leave(&slot);
    return nullptr;
  }
  void leave_last(Slot& slot, std::uint64_t before);
  bool claim(Slot& slot);
  bool grow();
  bool make_room_in_buckets();
  void link(std::uint32_t slot, std::uint32_t hash);
  void unlink(std::uint32_t slot);
  std::uint32_t pop_free();

  std::uint32_t hash_of(ByteView key) const;

  Owner& owner_;
  const std::uint64_t hash_seed_;
  std::atomic<Slot*> chunks_[kChunks] = {};
  std::atomic<std::uint32_t> size_{0};
  std::atomic<Buckets*> buckets_{nullptr};
  std::unique_ptr<Buckets> all_buckets_;
  std::atomic<std::uint64_t> version_{0};  // of the chains; odd while a writer is at work
  std::uint32_t free_ = kNoSlot;
  std::uint32_t keyed_ = 0;
  std::uint32_t active_ = 0;
};

}  // namespace callis::poa
